import { spawn } from "node:child_process";
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asAna, setUpAna } from "./person.ts";
import { leeway, type Machine, machine, program, type Ran } from "./program.ts";
import { up } from "./servers.ts";

const on: Machine = machine();
beforeAll(() => setUpAna(on));
afterAll(() => on.remove());

type Told = Record<string, unknown>;

let calls = 0;
/** What Claude Code sends before a tool call; each call has an id of its own. */
function before(tool: string, args: Told, more: Told = {}): Told {
  calls += 1;
  return {
    session_id: "s1",
    transcript_path: "/tmp/t.jsonl",
    cwd: on.project,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: args,
    tool_use_id: `toolu_${calls}`,
    ...more,
  };
}

function hook(host: string, input: Told | string): Promise<Ran> {
  return leeway(on, ["hook", host], { stdin: typeof input === "string" ? input : JSON.stringify(input) });
}

function decision(ran: Ran): Told {
  expect([ran.code, ran.stderr]).toEqual([0, ""]);
  return JSON.parse(ran.stdout).hookSpecificOutput;
}

async function entriesOf(kind: string): Promise<readonly { subject: Told }[]> {
  const ran = await leeway(on, ["log", "--kind", kind, "--json"]);
  return ran.stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** The open question whose title is this command. */
async function questionAbout(title: string): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const { questions } = JSON.parse((await leeway(on, ["inbox", "--json"])).stdout);
    const found = questions.find((one: Told) => one["title"] === title);
    if (found !== undefined) return found.id;
  }
  throw new Error(`nobody was asked about ${title}`);
}

test("a call that only reads is allowed, handed to the host, and settled by the hook after it", async () => {
  const call = before("Read", { file_path: `${on.project}/a.txt` });
  expect(decision(await hook("claude-code", call))).toEqual({
    hookEventName: "PreToolUse",
    permissionDecision: "allow",
  });
  const after = { ...call, hook_event_name: "PostToolUse", tool_response: { content: "hello" } };
  expect(await hook("claude-code", after)).toEqual({ code: 0, stdout: "", stderr: "" });
  const [handed] = await entriesOf("execution.succeeded");
  expect(handed?.subject).toMatchObject({ agent: "claude-code", tool: "Read" });
});

test("a call that a rule forbids is denied, and the model is told not to retry", async () => {
  const said = decision(await hook("claude-code", before("Bash", { command: "rm -rf /srv" })));
  expect(said["permissionDecision"]).toBe("deny");
  expect(said["permissionDecisionReason"]).toMatch(/trees are not an agent's business/);
  expect(said["permissionDecisionReason"]).toMatch(/Do not retry/);
});

test("a call that needs a person is denied with its class, and the reviewers are asked", async () => {
  const other = machine();
  try {
    await setUpAna(other, "version: 1\nhuman: { tools: [refund] }\ntools: { refund: { class: payments.move } }\n");
    const stdin = JSON.stringify({ ...before("refund", { amount: 5 }), cwd: other.project });
    const said = decision(await leeway(other, ["hook", "claude-code"], { stdin }));
    expect(said["permissionDecision"]).toBe("deny");
    expect(said["permissionDecisionReason"]).toMatch(/call of refund by agent claude-code \(payments\.move,.*apr_/);
  } finally {
    other.remove();
  }
});

test("a call that runs and is told says so to the person at the host", async () => {
  const ran = await hook("claude-code", before("Write", { file_path: `${on.project}/b.txt`, content: "x" }));
  expect(JSON.parse(ran.stdout)).toMatchObject({
    hookSpecificOutput: { permissionDecision: "allow" },
    systemMessage: expect.stringMatching(/^Leeway: /),
  });
});

test("without a server, a question goes to the host's own prompt", async () => {
  const said = decision(await hook("claude-code", before("Bash", { command: "npm publish" })));
  expect(said).toMatchObject({ permissionDecision: "ask", permissionDecisionReason: expect.stringMatching(/ask/) });
  expect((await entriesOf("call.delegated")).length).toBe(1);
});

test("the same call asked about again before it was settled is not run twice", async () => {
  const call = before("Bash", { command: "touch once.txt" });
  expect(decision(await hook("claude-code", call))["permissionDecision"]).toBe("allow");
  const again = decision(await hook("claude-code", call));
  expect(again["permissionDecision"]).toBe("deny");
});

test("a sub-agent is known by its own name with the host above it", async () => {
  await hook("claude-code", before("Read", { file_path: "x.txt" }, { agent_id: "a1", agent_type: "Explore" }));
  const ran = await leeway(on, ["agents", "list", "--json"]);
  expect(JSON.parse(ran.stdout).map((agent: Told) => agent["name"])).toContain("Explore");
});

test("Codex hears nothing about a call that may run, and a reason about one that may not", async () => {
  const fine = await hook("codex", before("exec_command", { cmd: "cat a.txt" }, { turn_id: "t", model: "m" }));
  expect(fine).toEqual({ code: 0, stdout: "", stderr: "" });
  const asked = decision(await hook("codex", before("exec_command", { cmd: "npm publish" }, { turn_id: "t" })));
  expect(asked).toMatchObject({ permissionDecision: "deny", permissionDecisionReason: expect.stringMatching(/\w/) });
});

test("Gemini is answered in its own words", async () => {
  const input = { ...before("run_shell_command", { command: "cat a.txt" }), hook_event_name: "BeforeTool" };
  expect(JSON.parse((await hook("gemini", input)).stdout)).toEqual({ decision: "allow" });
});

test.each([
  ["no JSON", "{"],
  ["nothing", ""],
  ["a list", "[]"],
  ["a tool that is a number", JSON.stringify({ ...before("x", {}), tool_name: 7 })],
  ["arguments that are no object", JSON.stringify({ ...before("x", {}), tool_input: "ls" })],
  ["an event that nobody knows", JSON.stringify({ ...before("x", {}), hook_event_name: "BeforeEverything" })],
  ["a session that is a number", JSON.stringify({ ...before("x", {}), session_id: 7 })],
])("input that cannot be read blocks the call: %s", async (_, input) => {
  for (const host of ["claude-code", "codex", "gemini"]) {
    const ran = await hook(host, input);
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toMatch(/not run/i);
  }
});

test("only Claude Code's own hook takes the project from CLAUDE_PROJECT_DIR", async () => {
  // A folder without a policy: by the preset alone, the command would not be denied with the words of the rule.
  const elsewhere = join(on.home, "elsewhere");
  mkdirSync(elsewhere);
  const told = async (host: string, more: Told) => {
    const stdin = JSON.stringify(before("Bash", { command: "rm -rf /srv" }, more));
    return (await leeway(on, ["hook", host], { stdin, env: { CLAUDE_PROJECT_DIR: elsewhere } })).stdout;
  };
  const rule = /trees are not an agent's business/;
  expect(await told("claude-code", {})).not.toMatch(rule);
  expect(await told("codex", {})).toMatch(rule);
  expect(await told("gemini", { hook_event_name: "BeforeTool" })).toMatch(rule);
});

test("a call is not run if its folder or its project does not exist", async () => {
  const missing = join(on.home, "missing");
  const file = join(on.project, "leeway.yaml");
  const call = { command: "cat a.txt" };
  for (const [host, event] of [
    ["claude-code", "PreToolUse"],
    ["codex", "PreToolUse"],
    ["gemini", "BeforeTool"],
  ] as const)
    for (const cwd of [missing, file]) {
      const ran = await hook(host, before("Bash", call, { cwd, hook_event_name: event }));
      expect([ran.code, ran.stdout, ran.stderr]).toEqual([2, "", expect.stringContaining(`${cwd} does not exist`)]);
    }
  const env = { CLAUDE_PROJECT_DIR: missing };
  const ran = await leeway(on, ["hook", "claude-code"], { stdin: JSON.stringify(before("Bash", call)), env });
  expect([ran.code, ran.stdout, ran.stderr]).toEqual([2, "", expect.stringContaining(`${missing} does not exist`)]);
});

/** Runs the hook with an output that nobody can read: a full disk, or a pipe whose reader has gone. */
function unread(input: Told, stdout: "gone" | "full"): Promise<Omit<Ran, "stdout">> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program(), "hook", "claude-code"], {
      cwd: on.project,
      env: on.env,
      stdio: ["pipe", stdout === "gone" ? "pipe" : openSync("/dev/full", "w"), "pipe"],
    });
    let stderr = "";
    child.stdout?.destroy();
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
    child.on("error", reject).on("close", (code) => resolve({ code: code ?? -1, stderr }));
    child.stdin?.end(JSON.stringify(input));
  });
}

test("an answer that the host cannot read blocks the call", async () => {
  const denied = before("Bash", { command: "rm -rf /srv" });
  const blocked = {
    code: 2,
    stderr: expect.stringMatching(/^Leeway could not write its answer, so the call was not run/),
  };
  expect([await unread(denied, "gone"), await unread(denied, "full")]).toEqual([blocked, blocked]);
});

test("an event that needs no answer gets none", async () => {
  const ran = await hook("claude-code", { session_id: "s1", hook_event_name: "Stop", cwd: on.project });
  expect(ran).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("an unknown host is refused with the nearest name", async () => {
  const ran = await leeway(on, ["hook", "claude-cod"], { stdin: "{}" });
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(/did you mean claude-code\?/)]);
});

test("with a server, the hook waits until a person answers", async () => {
  const server = await up(on);
  try {
    const waiting = hook("claude-code", before("Bash", { command: "npm publish --tag next" }));
    const id = await questionAbout("npm publish --tag next");
    expect((await asAna(on, ["approve", id])).code).toBe(0);
    expect(decision(await waiting)["permissionDecision"]).toBe("allow");
  } finally {
    await server.stop();
  }
}, 180_000);

test("init puts the hook into the settings of Claude Code, once, and undo restores them byte for byte", async () => {
  const file = join(on.project, ".claude", "settings.json");
  const mine = '{\n\t// mine\n\t"model": "opus"\n}\n';
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, mine);
  const shown = await leeway(on, ["init", "claude-code", "--dry-run", "--json"]);
  expect([shown.code, readFileSync(file, "utf8")]).toEqual([0, mine]);
  expect(shown.stderr).toContain("PreToolUse");
  const first = await leeway(on, ["init", "claude-code", "--yes", "--json"]);
  expect(JSON.parse(first.stdout)).toEqual({ hosts: [{ host: "claude-code", file, changed: true, dangers: [] }] });
  const text = readFileSync(file, "utf8");
  expect(text).toContain("// mine");
  const second = await leeway(on, ["init", "claude-code", "--yes", "--json"]);
  expect([JSON.parse(second.stdout).hosts[0].changed, readFileSync(file, "utf8")]).toEqual([false, text]);
  const undone = await leeway(on, ["init", "claude-code", "--undo", "--yes", "--json"]);
  expect([undone.code, readFileSync(file, "utf8")]).toEqual([0, mine]);
});

test("the command that init installs answers as the hook", async () => {
  const file = join(on.project, ".claude", "settings.json");
  await leeway(on, ["init", "claude-code", "--yes"]);
  const { hooks } = JSON.parse(readFileSync(file, "utf8").replaceAll(/\/\/ .*/g, ""));
  const [{ command, args }] = hooks.PreToolUse[0].hooks;
  expect([existsSync(command), existsSync(args[0]), args.slice(1)]).toEqual([true, true, ["hook", "claude-code"]]);
  await leeway(on, ["init", "claude-code", "--undo", "--yes"]);
});

test("without a terminal and without --yes, init changes no settings", async () => {
  const file = join(on.project, ".gemini", "settings.json");
  const ran = await leeway(on, ["init", "gemini"]);
  expect([ran.code, existsSync(file)]).toEqual([5, false]);
});
