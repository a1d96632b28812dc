import { linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { paragraphsOf } from "../../src/core/tables/facts.ts";
import { TOOL_TABLES, toolFrom } from "../../src/core/tables/tools.ts";
import type { JsonObject } from "../../src/core/values/json.ts";
import { setUpAna } from "./person.ts";
import { leeway, type Machine, machine } from "./program.ts";

// `leeway check --door HOST` says what the hook of this host would answer. These tests need a machine that can make boxes.

const on: Machine = machine();
beforeAll(async () => {
  await setUpAna(on, "version: 1\npreset: standard\napprovals: { selfReview: true }\n");
  mkdirSync(`${on.project}/sub`);
});
afterAll(() => on.remove());

type Tried = { tool: string; args: JsonObject };
type Said = { outcome: string; boxed: boolean; rehearsed: boolean };

/** What `check` says about each call, in one process. */
async function checked(calls: readonly Tried[]): Promise<readonly Said[]> {
  const stdin = calls.map((call) => JSON.stringify({ ...call, agent: "claude-code", cwd: on.project })).join("\n");
  const { stdout } = await leeway(on, ["check", "--batch", "-", "--door", "claude-code"], { stdin });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .map(({ outcome, box }) => ({ outcome, boxed: box !== null, rehearsed: box?.rehearsed === true }));
}

let sent = 0;
/** What the hook of Claude Code really answers, and what it recorded about the box. */
async function answered({ tool, args }: Tried): Promise<Said> {
  sent += 1;
  const input = {
    session_id: `s${sent}`,
    cwd: on.project,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: args,
    tool_use_id: `toolu_${sent}`,
  };
  const { stdout } = await leeway(on, ["hook", "claude-code"], { stdin: JSON.stringify(input) });
  const { permissionDecision, updatedInput } = JSON.parse(stdout).hookSpecificOutput;
  const call = / box --call (call_\w+)/.exec(updatedInput?.command ?? "")?.[1];
  const outcome = permissionDecision === "allow" ? "run" : "not run";
  if (call === undefined) return { outcome, boxed: false, rehearsed: false };
  const { stdout: why } = await leeway(on, ["why", call, "--json"]);
  return { outcome, boxed: true, rehearsed: JSON.parse(why).decision.box.rehearsed === true };
}

const plainly = ({ outcome, ...said }: Said): Said => {
  const isRun = outcome === "run";
  return { outcome: isRun ? "run" : "not run", boxed: isRun && said.boxed, rehearsed: isRun && said.rehearsed };
};

const BASH: readonly JsonObject[] = [
  {},
  { description: "tests", timeout: 1000 },
  { run_in_background: true },
  { run_in_background: false },
  { workdir: "sub" },
  { shell: "/bin/sh" },
  { dangerouslyDisableSandbox: true },
  { env: { A: "1" } },
  { anything: null },
  { anything: "x" },
];

test("for every argument beside a command, `check --door claude-code` says what the hook answers, the box included", async () => {
  const calls = BASH.map((more): Tried => ({ tool: "Bash", args: { command: "npm test", ...more } }));
  const said = (await checked(calls)).map(plainly);
  const real: Said[] = [];
  for (const call of calls) real.push(await answered(call));
  expect(calls.map(({ args }, at) => ({ args, ...said[at] }))).toEqual(
    calls.map(({ args }, at) => ({ args, ...real[at] })),
  );
  expect(said[0]).toEqual({ outcome: "run", boxed: true, rehearsed: true });
  expect(said[2]).toEqual({ outcome: "run", boxed: true, rehearsed: false });
  expect(said[5]).toEqual({ outcome: "not run", boxed: false, rehearsed: false });
});

/** Starting a hook for each of them takes half a minute, so an ordinary run takes every fourth, and every one that gives commands. */
const isTried = (givesCommands: boolean, at: number) =>
  givesCommands || process.env["LEEWAY_PROVE"] !== undefined || at % 4 === 0;

test("for every known tool, with an argument that nobody knows, both say the same", async () => {
  const tools = TOOL_TABLES.flatMap(paragraphsOf)
    .map(toolFrom)
    .filter(({ command }, at) => isTried(command !== undefined, at))
    .map(({ tools: names, example }) => ({
      tool: /[\w-]+/.exec(names)?.[0] ?? "",
      args: { ...example, mystery: "x" },
    }));
  expect(tools.length).toBeGreaterThan(25);
  const said = (await checked(tools)).map(plainly);
  const real: Said[] = [];
  for (const call of tools) real.push(await answered(call));
  expect(tools.map(({ tool }, at) => ({ tool, ...said[at] }))).toEqual(
    tools.map(({ tool }, at) => ({ tool, ...real[at] })),
  );
});

test("a build file that the hook would keep is checked as kept, and one that it cannot keep asks", async () => {
  writeFileSync(`${on.project}/package.json`, "{}\n");
  writeFileSync(`${on.project}/Makefile`, "all:\n");
  linkSync(`${on.project}/Makefile`, `${on.project}/other`);
  const calls = ["package.json", "Makefile", "sub/setup.py", "../package.json"].map(
    (path): Tried => ({
      tool: "Write",
      args: { file_path: join(on.project, path), content: "new" },
    }),
  );
  const said = (await checked(calls)).map(plainly);
  const real: Said[] = [];
  for (const call of calls) real.push(await answered(call));
  expect(said.map(({ outcome }) => outcome)).toEqual(["run", "not run", "run", "not run"]);
  expect(real.map(({ outcome }) => outcome)).toEqual(["run", "not run", "run", "not run"]);
});

test("a command is checked as the hook's own shell tool", async () => {
  const { stdout } = await leeway(on, ["check", "--json", "--door", "hook", "--command", "npm test"]);
  expect(JSON.parse(stdout).box.rehearsed).toBe(true);
  const { stdout: text } = await leeway(on, ["check", "--json", "--door", "library", "--command", "npm test"]);
  expect(JSON.parse(text).box).toBe(null);
});
