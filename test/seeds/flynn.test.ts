import { expect, test } from "vitest";
import { readYaml } from "../../src/config/parse/yaml.ts";
import { HOOK_ACTIONS, type HookAction, resolvePreset } from "../../src/core/decide/resolve-preset.ts";
import { describeFault } from "../../src/core/policy/tree.ts";
import { PRESETS } from "../../src/core/policy.ts";
import { check } from "../../src/gate/calls/judging.ts";
import { wait } from "../../src/gate/calls/wait.ts";
import { importFlynn } from "../../src/importers/flynn.ts";
import { office } from "../verbs/kit.ts";

// Its configuration is imported, and Leeway's decisions are compared with those of the hooks.

/** What its tools do; Flynn only knew their names. */
const TOOLS = `tools:
  web.fetch: { class: network.read }
  web.search: { class: network.read }
  unknown.tool: { class: none }
`;

function policyOf(config: unknown): string {
  const read = readYaml(JSON.stringify(config), "flynn.json");
  const imported = read.ok ? importFlynn(read.tree) : read;
  if (!imported.ok) throw new Error(imported.faults.map((fault) => describeFault(fault)).join("; "));
  return imported.yaml;
}

async function tiers(policy: string, tools: readonly string[]): Promise<readonly string[]> {
  const { deps, call } = await office(policy);
  return Promise.all(tools.map(async (tool) => (await check(deps, call(tool, ARGS[tool] ?? {}))).decision.tier));
}

const ARGS: Record<string, { [name: string]: string }> = {
  "file.read": { path: "a.txt" },
  "file.write": { path: "a.txt", content: "x" },
  "shell.exec": { command: "ls" },
  "shell.run": { command: "ls" },
  "web.fetch": { url: "https://example.com/" },
  "web.search": { query: "x" },
};

/** Only hooks decide: the level adds nothing. */
const AUTONOMOUS = { agents: { autonomy_level: "autonomous" } };

test("F1: a tool that no hook names runs silently if its effect is known; until then it asks", async () => {
  const policy = policyOf({ ...AUTONOMOUS, hooks: { confirm: ["shell.*"], log: ["web.*"] } });
  expect(await tiers(policy + TOOLS, ["unknown.tool"])).toEqual(["auto"]);
  expect(await tiers(policy, ["unknown.tool"])).toEqual(["ask"]);
});

test("F2: confirm hooks ask for every tool that their patterns match, and for no other", async () => {
  const policy = policyOf({ ...AUTONOMOUS, hooks: { confirm: ["shell.*", "file.write"] } });
  expect(await tiers(policy, ["shell.exec", "shell.run", "file.write", "file.read"])).toEqual([
    "ask",
    "ask",
    "ask",
    "auto",
  ]);
  const { deps, call } = await office(policy);
  const named = await check(deps, call("file.write", ARGS["file.write"]));
  expect(named.decision.causes.map((cause) => (cause.by === "rule" ? cause.name : cause.by))).toEqual([
    "hooks-confirm",
  ]);
});

test("F3: log hooks let tools run, and the decision names the hook", async () => {
  const policy = policyOf({ ...AUTONOMOUS, hooks: { log: ["web.*"] } }) + TOOLS;
  expect(await tiers(policy, ["web.fetch", "web.search"])).toEqual(["auto", "auto"]);
  const { deps, call } = await office(policy);
  const { decision } = await check(deps, call("web.fetch", ARGS["web.fetch"]));
  expect(decision.causes.map((cause) => (cause.by === "rule" ? cause.name : cause.by))).toEqual(["hooks-log"]);
});

const CONFIRMED = `${policyOf({ ...AUTONOMOUS, hooks: { confirm: ["web.*"] } })}${TOOLS}approvals: { assurance: any }\n`;

test("F4: a confirmation is one pending question that names the tool, and an approval lets the waiting call continue", async () => {
  const { deps, submit, approve, rows } = await office(CONFIRMED);
  const asked = await submit("web.fetch", ARGS["web.fetch"]);
  const pending = await rows("approvals");
  expect(pending.map(({ id, tool, state }) => ({ id, tool, state }))).toEqual([
    { id: asked.approvalId, tool: "web.fetch", state: "pending" },
  ]);
  const waiting = wait(deps, asked.approvalId ?? "", { timeoutMs: 60_000 });
  await approve(asked.approvalId);
  expect((await waiting).outcome).toBe("run");
});

test("F5: a denial is returned to the waiting call as a refusal with its reason", async () => {
  const { deps, submit, deny } = await office(CONFIRMED);
  const asked = await submit("web.fetch", ARGS["web.fetch"]);
  const waiting = wait(deps, asked.approvalId ?? "", { timeoutMs: 60_000 });
  await deny(asked.approvalId, "ana", "not that site");
  const answered = await waiting;
  expect({ outcome: answered.outcome, told: answered.reason?.includes("not that site") }).toEqual({
    outcome: "denied",
    told: true,
  });
});

const DANGEROUS = ["file.write", "file.edit", "file.patch", "shell.exec", "process.start", "process.kill"];

test("F6: every combination of level, tool and base action gives the action of the seed", () => {
  for (const preset of PRESETS) {
    for (const base of HOOK_ACTIONS) {
      for (const tool of [...DANGEROUS, "file.read", "web.fetch", "browser.eval"]) {
        const overridden = preset !== "autonomous" && base !== "confirm" && DANGEROUS.includes(tool);
        const resolved = resolvePreset({ tool, base, preset });
        expect({ tool, ...resolved }).toEqual({
          tool,
          action: overridden ? "confirm" : base,
          overridden,
          reason: expect.stringMatching(/\w/),
          level: preset,
        });
      }
    }
  }
  expect(resolvePreset({ tool: "shell.exec", base: "confirm", preset: "standard" }).reason).toMatch(/already requires/);
});

test("F6: a tool is dangerous under every spelling of its providers", () => {
  for (const tool of ["shell_exec", "Shell.Exec", "`shell.exec`", "shell\u200b.exec", "shell-exec"]) {
    expect(resolvePreset({ tool, base: "silent", preset: "standard" }).action).toBe("confirm");
  }
});

test("F6: an unknown level is an error, although the seed kept the base action", () => {
  const wrong = (preset: string, base = "silent") =>
    resolvePreset({ tool: "shell.exec", base: base as HookAction, preset: preset as "standard" });
  expect(() => wrong("standart")).toThrow(new RangeError("unknown preset `standart`; did you mean `standard`?"));
  expect(() => wrong("yolo")).toThrow("unknown preset `yolo`; use one of conservative, standard, autonomous");
  expect(() => wrong("standard", "notify")).toThrow("unknown base `notify`; use one of confirm, log, silent");
  // A program without types can leave a part out.
  const missing = (asked: object) => () => resolvePreset(asked as Parameters<typeof resolvePreset>[0]);
  const preset = "`preset` is missing; use one of conservative, standard, autonomous";
  expect(missing({ tool: "shell.exec", base: "silent" })).toThrow(new RangeError(preset));
  expect(missing({ preset: "standard" })).toThrow("`tool` is missing; name the tool, such as `shell.exec`");
});

test("F7: an empty configuration is valid, and a level is exactly one of three words", () => {
  const level = (word: unknown) => () => policyOf({ agents: { autonomy_level: word } });
  expect(policyOf({})).toBe(policyOf({ agents: { autonomy_level: "standard" } }));
  for (const preset of PRESETS) expect(level(preset)).not.toThrow();
  expect(policyOf({ agents: { autonomy_level: null } })).toBe(policyOf({}));
  for (const word of ["Standard", "full", "", 1]) expect(level(word)).toThrow(/expected an autonomy level/);
});

test("F8: without hooks and level a dangerous tool is confirmed, because the default level is standard", async () => {
  const { submit } = await office(policyOf({ hooks: { confirm: [], log: [], silent: [] } }));
  const receipts = [];
  for (const tool of ["file.write", "shell.exec"]) receipts.push(await submit(tool, ARGS[tool]));
  expect(receipts.map(({ outcome, approvalId }) => [outcome, approvalId !== undefined])).toEqual([
    ["pending", true],
    ["pending", true],
  ]);
  const free = await submit("file.read", ARGS["file.read"]);
  expect(free.outcome).toBe("run");
});

test("F9: a tool outside the profile is denied by a check and by a call", async () => {
  const policy = policyOf({ tool_policy: { profile: "minimal" } });
  const { deps, call, submit } = await office(policy);
  const looked = await check(deps, call("shell.exec", ARGS["shell.exec"]));
  const called = await submit("shell.exec", ARGS["shell.exec"]);
  expect([looked.decision.tier, called.outcome, called.executionId]).toEqual(["deny", "denied", undefined]);
});
