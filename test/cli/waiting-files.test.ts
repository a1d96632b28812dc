import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setUpAna } from "./person.ts";
import { leeway, type Machine, machine } from "./program.ts";

// Files that an agent names, or that lie where programs look, may be pipes and devices. Reading one waits for ever, and some
// hosts run a call whose hook does not answer in time. So the answer must come, and it must not be yes.

const on: Machine = machine();
beforeAll(async () => {
  await setUpAna(on);
  for (const path of ["npm/.npmrc", "pip/pip.conf", "repo/.git/config", "repo2/.git/index", "lint/main.sh"]) {
    mkdirSync(join(on.project, path, ".."), { recursive: true });
    expect(spawnSync("mkfifo", [join(on.project, path)]).status).toBe(0);
  }
  mkdirSync(join(on.project, "repo2/.git"), { recursive: true });
  writeFileSync(join(on.project, "repo2/.git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(on.project, "repo2/.git/config"), "[core]\n");
  symlinkSync("/dev/ptmx", join(on.project, "terminal.rs"));
  symlinkSync("/dev/zero", join(on.project, "zeros.sh"));
});
afterAll(() => on.remove());

const COMMANDS = [
  "shellcheck -x /dev/ptmx; touch ran.txt",
  "shellcheck -x terminal.rs",
  "shellcheck -x lint/main.sh",
  "shellcheck -x zeros.sh",
  "shellcheck -x /proc/kmsg",
  "xmllint --c14n /dev/ptmx",
  "xmllint --c14n lint/main.sh",
  "rustfmt terminal.rs",
  "cd npm && npm install",
  "cd pip && PIP_CONFIG_FILE=pip.conf pip install x",
  "git -C repo status",
  "git -C repo2 status",
  "cat lint/main.sh",
  "cat < lint/main.sh",
  "bash lint/main.sh",
  "node lint/main.sh",
  "git diff --no-index lint/main.sh terminal.rs",
];

test("every command is answered, whatever the files are that it names", async () => {
  const calls = COMMANDS.map((command) => JSON.stringify({ tool: "Bash", args: { command }, cwd: on.project }));
  const { code, stdout } = await leeway(on, ["check", "--batch", "-"], { stdin: calls.join("\n") });
  const tiers = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line).tier);
  expect([code, tiers.length]).toEqual([0, COMMANDS.length]);
});

test.each(["claude-code", "codex", "gemini"])("the hook of %s answers before its limit", async (host) => {
  for (const command of [COMMANDS[0], "cd npm && npm install"]) {
    const input = { session_id: "s", cwd: on.project, tool_use_id: `${host} ${command}` };
    const named = host === "gemini" ? ["BeforeTool", "run_shell_command"] : ["PreToolUse", "Bash"];
    const call = { ...input, hook_event_name: named[0], tool_name: named[1], tool_input: { command } };
    const answered = await leeway(on, ["hook", host, "--timeout", "30"], { stdin: JSON.stringify(call) });
    expect([0, 2]).toContain(answered.code);
    expect(answered.stderr).not.toContain("limit");
    expect(answered.stdout).not.toContain('"allow"');
  }
});

test("a file of an agent that can wait for ever is a reason to ask", async () => {
  for (const command of ["shellcheck -x lint/main.sh", "git -C repo status", "xmllint --c14n terminal.rs"]) {
    const { code, stdout } = await leeway(on, ["check", "--command", command, "--json"], {
      env: { LEEWAY_BOX: "off" },
    });
    expect([command, code, JSON.parse(stdout).tier]).toEqual([command, 3, "ask"]);
  }
});
