import { PassThrough } from "node:stream";
import { afterAll, expect, test } from "vitest";
import { allCommands } from "../../src/cli/commands.ts";
import { runProgram } from "../../src/cli/program.ts";
import type { Io } from "../../src/cli/terminal/io.ts";
import { systemClock } from "../../src/system.ts";
import { leeway, machine } from "./program.ts";

const on = machine();
afterAll(() => on.remove());

const COMMANDS = [
  ["up"],
  ["init"],
  ["status"],
  ["demo"],
  ["check"],
  ["hook"],
  ["mcp"],
  ["mcp", "list"],
  ["mcp", "login"],
  ["mcp", "logout"],
  ["mcp", "pin"],
  ["run"],
  ["box"],
  ["box", "list"],
  ["box", "show"],
  ["box", "stop"],
  ["box", "tools"],
  ["workspaces"],
  ["workspaces", "list"],
  ["workspaces", "add"],
  ["workspaces", "remove"],
  ["migrate-store"],
  ["plan"],
  ["undo"],
  ["why"],
  ["inbox"],
  ["approve"],
  ["deny"],
  ["reply"],
  ["handover"],
  ["snooze"],
  ["show"],
  ["sessions"],
  ["grants"],
  ["grants", "list"],
  ["grants", "add"],
  ["grants", "revoke"],
  ["tools"],
  ["tools", "list"],
  ["tools", "declare"],
  ["tools", "forget"],
  ["agents"],
  ["agents", "list"],
  ["agents", "show"],
  ["agents", "own"],
  ["agents", "pause"],
  ["agents", "resume"],
  ["agents", "promote"],
  ["agents", "demote"],
  ["people"],
  ["people", "list"],
  ["people", "add"],
  ["people", "invite"],
  ["people", "change"],
  ["people", "passphrase"],
  ["people", "link"],
  ["people", "remove"],
  ["tokens"],
  ["tokens", "list"],
  ["tokens", "add"],
  ["tokens", "revoke"],
  ["channels"],
  ["channels", "list"],
  ["channels", "test"],
  ["channels", "add"],
  ["channels", "remove"],
  ["channels", "link"],
  ["notices"],
  ["notices", "dead"],
  ["notices", "retry"],
  ["pause"],
  ["resume"],
  ["log"],
  ["verify"],
  ["export"],
  ["erase"],
  ["trust"],
  ["backup"],
  ["restore"],
  ["recover"],
  ["policy"],
  ["policy", "check"],
  ["policy", "test"],
  ["policy", "show"],
  ["policy", "diff"],
  ["policy", "accept"],
  ["policy", "try"],
  ["import"],
  ["doctor"],
  ["completion"],
];

/** Parses a line in this process, which is a hundred times as fast as starting one for every command. */
async function helpOf(words: readonly string[]): Promise<{ code: number; stdout: string }> {
  const stdout = new PassThrough();
  const io = {
    stdin: new PassThrough(),
    stdout,
    stderr: new PassThrough(),
    env: {},
    cwd: on.project,
    clock: systemClock,
  };
  const code = await runProgram(io as unknown as Io, [...words, "--help"]);
  return { code, stdout: String(stdout.read() ?? "") };
}

test.each(COMMANDS.map((words) => [words]))("the help of %j has an example and its exit codes", async (words) => {
  const { code, stdout } = await helpOf(words);
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`Examples:\n {2}leeway ${words[0]}`));
  expect(stdout).toContain("Exit codes:\n  0  success, or the call would run");
  const isGroup = words.length === 1 && COMMANDS.some((other) => other.length > 1 && other[0] === words[0]);
  if (!isGroup) expect(stdout).toContain("--json");
});

test("the help of the program lists every command and every exit code", async () => {
  const { stdout, code } = await leeway(on, ["--help"]);
  expect(code).toBe(0);
  for (const [word] of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${word}\\b`, "m"));
  for (const exit of [0, 1, 2, 3, 4, 5]) expect(stdout).toMatch(new RegExp(`^  ${exit}  \\w`, "m"));
});

test("the list of commands in this test is complete", async () => {
  const given = COMMANDS.map((words) => words.join(" "));
  expect((await allCommands()).map((spec) => spec.name).filter((name) => !given.includes(name))).toEqual([]);
});

test("the program's help starts with the commands to try first, and the help of run explains its exit codes", async () => {
  const { stdout } = await helpOf([]);
  expect(stdout).toContain(
    "Examples:\n  leeway demo\n  leeway init\n  leeway check --command 'git push --force'\n  leeway run -- npm publish\n  leeway inbox\n",
  );
  expect((await helpOf(["run"])).stdout.replaceAll("\n", " ")).toContain(
    "If the command ran, its own exit code is returned (127 if it was not found)",
  );
});

test("help fits into eighty columns on a terminal", async () => {
  const { stdout } = await leeway(on, ["check", "--help"], { env: { COLUMNS: "80" } });
  expect(stdout.split("\n").filter((line) => line.length > 100)).toEqual([]);
});

test("the version is that of the package", async () => {
  expect((await leeway(on, ["--version"])).stdout).toBe("0.1.0\n");
});

test("the program without arguments shows its help and exits with the code for wrong usage", async () => {
  const { code, stderr } = await leeway(on, []);
  expect(code).toBe(2);
  expect(stderr).toContain("Examples:");
});
