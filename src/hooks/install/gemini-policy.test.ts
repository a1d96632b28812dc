import { expect, test } from "vitest";
import { readToml } from "../../config/parse/toml.ts";
import { jsonOf } from "../../core/policy/shape.ts";
import { geminiPolicy, isGeminiPolicy } from "./gemini-policy.ts";

const read = readToml(geminiPolicy(), "leeway.toml");
const { rule } = (read.ok ? jsonOf(read.tree) : {}) as { rule: { [key: string]: unknown }[] };

test("Gemini CLI's own rules allow what the hook decides about, below what keeps asking", () => {
  expect(rule[0]).toEqual({
    toolName: ["run_shell_command", "write_file", "replace", "web_fetch", "save_memory", "activate_skill"],
    decision: "allow",
    priority: 500,
    modes: ["default", "autoEdit"],
  });
  expect(rule[1]).toEqual({
    toolName: "run_shell_command",
    commandRegex: expect.stringMatching(/^\.\*\\b\(rm\|rmdir\|.*\|sudo\|.*\|curl\|.*\)\\b$/),
    decision: "ask_user",
    priority: 900,
    modes: ["default", "autoEdit"],
  });
  expect(rule).toHaveLength(2);
});

/** How Gemini CLI compares: the arguments as JSON, from the start of the command. */
function keepsAsking(command: string): boolean {
  return new RegExp(`"command":"${rule[1]?.["commandRegex"]}`).test(JSON.stringify({ command }));
}

test.each(["rm -rf build", "/bin/rm a", "time rm a", "A=1 rm a", "ls && sudo ls", "git push", "bash x.sh", "(rm a)"])(
  "Gemini CLI still asks about `%s`, in case the hook is missing",
  (command) => {
    expect(keepsAsking(command)).toBe(true);
  },
);

test.each(["ls -la", "npm test", "git status", "git commit -m done", "mkdir build", "cat confirm.txt"])(
  "Gemini CLI does not ask again about `%s`",
  (command) => {
    expect(keepsAsking(command)).toBe(false);
  },
);

test("no tool of an MCP server is allowed, and no rule applies in plan mode", () => {
  expect(JSON.stringify(rule)).not.toMatch(/mcp|"\*"|plan|yolo/);
});

test("our own file is recognised, and a file of somebody else is not", () => {
  expect([isGeminiPolicy(geminiPolicy()), isGeminiPolicy('[[rule]]\ntoolName = "*"\n'), isGeminiPolicy("")]).toEqual([
    true,
    false,
    false,
  ]);
});
