import { expect, test } from "vitest";
import type { ToolCall } from "../../src/core/call.ts";
import { classify } from "../../src/core/classify/classify.ts";
import { NOTHING_DECLARED } from "../../src/core/classify/known-tool.ts";
import { readCall } from "../../src/core/classify/reading.ts";
import { at, isDenied } from "../cases/denying.ts";
import { commandCall, tryingCall } from "../cases/trying.ts";

// Commands for PowerShell and cmd: nobody parses their grammar, so they are never understood, always ask, and rules that deny
// still see their words.

const WINDOWS = "C:\\Users\\ana\\project";

/** The same call in a folder of Windows. */
function onWindows(tool: string, command: string): ToolCall {
  return { ...tryingCall(tool, { command }), cwd: WINDOWS };
}

function understood(call: ToolCall): string {
  return classify(readCall(call), { declared: NOTHING_DECLARED, project: call.cwd ?? "/" }).understood;
}

const HARMLESS = ["ls", "git status", "cat README.md", "echo hello", "Get-ChildItem", "dir"];

test.each(["powershell", "PowerShell"])("nothing that the tool %s gets is fully understood", (tool) => {
  expect(HARMLESS.filter((text) => understood(tryingCall(tool, { command: text })) === "fully")).toEqual([]);
});

test.each([
  "run_in_terminal",
  "runTerminalCommand",
  "run_shell_command",
  "shell",
  "bash",
  "exec_command",
  "execute_command",
])("in a folder of Windows the machine's shell runs what %s gets, so it is not fully understood", (tool) => {
  for (const cwd of [WINDOWS, "c:/work", "\\\\server\\share", "//server/share"])
    expect(HARMLESS.filter((text) => understood({ ...onWindows(tool, text), cwd }) === "fully")).toEqual([]);
});

test("Claude Code's Bash is bash on Windows too", () => {
  expect(understood(onWindows("Bash", "echo hello"))).toBe("fully");
});

test("on other machines the same tools are understood", () => {
  expect(understood(tryingCall("run_in_terminal", { command: "echo hello" }))).toBe("fully");
});

test.each([
  "pwsh -c ls",
  "pwsh -Command 'Get-ChildItem'",
  "powershell.exe -NoProfile -Command ls",
  "pwsh -EncodedCommand ZQBjAGgAbwA=",
  "cmd /c dir",
  "cmd.exe /C dir",
  "cmd /k dir",
  "cmd //c dir",
])("a command for another shell is not fully understood: %s", (command) => {
  expect(understood(commandCall(command))).not.toBe("fully");
});

const PUSH = {
  name: "no-force",
  match: { command: ["git push --force *"] },
  tier: "deny" as const,
  because: "b",
  examples: { match: [], miss: [] },
  human: false,
  firm: false,
  reviewers: [],
  at,
};

const PUSHES = [
  "git push --force",
  "git push --force origin main",
  "cd src; git push --force",
  "cd src && git push --force",
  "if ($true) { git push --force }",
  "& git push --force",
  "& 'git' push --force",
  "$x = $(git push --force)",
  "echo a | git push --force",
  "git `push --force",
  "g`it push --force",
  "g^it push --force",
  "git push ^--force",
  'git "push" --force',
  "GIT push --force",
  "Git.exe push --force",
  "C:\\Git\\bin\\git.exe push --force",
  '& "C:\\Git\\bin\\git.exe" push --force',
  "git push `\n  --force",
  "git push ^\r\n --force",
];

test.each(PUSHES)("a rule that denies a command sees it in a text for PowerShell or cmd: %s", (text) => {
  expect(isDenied(tryingCall("powershell", { command: text }), { rules: [PUSH] })).toBe(true);
  expect(isDenied(onWindows("run_in_terminal", text), { rules: [PUSH] })).toBe(true);
});

test.each([
  "pwsh -c 'git push --force'",
  "pwsh -Command git push --force",
  'powershell -NoProfile -c "cd a; git push --force"',
  "cmd /c git push --force",
  'cmd.exe /c "cd a && git push --force"',
  "cmd //c git push --force",
])("a rule that denies a command sees it behind the shell that a command starts: %s", (command) => {
  expect(isDenied(commandCall(command), { rules: [PUSH] })).toBe(true);
});

test("a rule that denies a path sees it with the separators of Windows", () => {
  const secret = { ...PUSH, match: { command: ["type secrets/*"] } };
  expect(isDenied(onWindows("run_in_terminal", "type secrets\\key.txt"), { rules: [secret] })).toBe(true);
});
