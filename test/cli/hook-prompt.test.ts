import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { setUpAna } from "./person.ts";
import { leeway, type Machine, machine, type Ran } from "./program.ts";

// `PermissionRequest`: the host is about to ask its own user. Claude Code and Codex give such an event no id of the call.

let on: Machine;
beforeEach(async () => {
  on = machine();
  await setUpAna(on, "version: 1\ntier: notify\n");
});
afterEach(() => on.remove());

type Told = Record<string, unknown>;

const SILENT: Ran = { code: 0, stdout: "", stderr: "" };
const ALLOWED = { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } } };

function event(name: string, id: string | undefined, more: Told = {}): Told {
  const told = { session_id: "s1", cwd: on.project, tool_name: "Write", hook_event_name: name, ...more };
  return {
    ...told,
    tool_input: { file_path: `${on.project}/a.txt`, content: "x" },
    ...(id === undefined ? {} : { tool_use_id: id }),
  };
}

function hook(input: Told): Promise<Ran> {
  return leeway(on, ["hook", "claude-code"], { stdin: JSON.stringify(input) });
}

const before = async (id: string) =>
  JSON.parse((await hook(event("PreToolUse", id))).stdout).hookSpecificOutput.permissionDecision;
const prompt = (id?: string) => hook(event("PermissionRequest", id));

test("a prompt about a call that the gate let run is answered once, and the record says so", async () => {
  expect(await before("one")).toBe("allow");
  expect(JSON.parse((await prompt()).stdout)).toEqual(ALLOWED);
  expect(await prompt()).toEqual(SILENT);
  const { stdout } = await leeway(on, ["log", "--kind", "execution.prompted", "--json"]);
  const entries = stdout.trim().split("\n");
  expect(entries.map((line) => JSON.parse(line).subject)).toMatchObject([{ agent: "claude-code", tool: "Write" }]);
  expect((await leeway(on, ["verify", "--json"])).code).toBe(0);
});

test("of prompts that come at the same time, one is answered", async () => {
  expect(await before("one")).toBe("allow");
  const answers = await Promise.all([prompt(), prompt(), prompt(), prompt()]);
  expect(answers.filter(({ stdout }) => stdout !== "").length).toBe(1);
}, 60_000);

test("a call that is left to the host's user is not allowed by the answer to an earlier call with the same content", async () => {
  // Its result is never told, as if its user had stopped it.
  expect(await before("one")).toBe("allow");
  writeFileSync(join(on.project, "leeway.yaml"), "version: 1\ntier: ask\n");
  expect(await before("two")).toBe("ask");
  expect(await prompt()).toEqual(SILENT);
});

test("a prompt that names its call is answered for this call only", async () => {
  expect([await before("one"), await before("two")]).toEqual(["allow", "allow"]);
  expect(await prompt("three")).toEqual(SILENT);
  expect(JSON.parse((await prompt("one")).stdout)).toEqual(ALLOWED);
  expect(await prompt("one")).toEqual(SILENT);
  expect(JSON.parse((await prompt("two")).stdout)).toEqual(ALLOWED);
  expect(await prompt()).toEqual(SILENT);
});

test("after the result was told, a prompt about the same content is left to the host's user", async () => {
  expect(await before("one")).toBe("allow");
  expect((await hook(event("PostToolUse", "one", { tool_response: "written" }))).code).toBe(0);
  expect(await prompt()).toEqual(SILENT);
});

test("an answer in one session is none in another", async () => {
  expect(await before("one")).toBe("allow");
  expect(await hook(event("PermissionRequest", undefined, { session_id: "s2" }))).toEqual(SILENT);
});

test("a reason that the accepted policy and a change of it give alike is told once", async () => {
  const other = machine();
  try {
    await setUpAna(other, "version: 1\npreset: standard\n");
    writeFileSync(join(other.project, "leeway.yaml"), "version: 1\npreset: standard\nrules: []\n");
    const told = { ...event("PreToolUse", "one"), cwd: other.project, tool_name: "Bash" };
    const stdin = JSON.stringify({ ...told, tool_input: { command: "npm publish" } });
    const ran = await leeway(other, ["hook", "claude-code"], { stdin });
    const why: string = JSON.parse(ran.stdout).hookSpecificOutput.permissionDecisionReason;
    expect(why.split("preset standard asks before").length).toBe(2);
  } finally {
    other.remove();
  }
});
