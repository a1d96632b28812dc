import { blocked, type Host } from "../host.ts";
import { read, reply } from "./claude-code.ts";
import { faulty } from "./fields.ts";

/** The agent of VS Code sends and reads what Claude Code does. It ignores changed arguments that do not fit the tool. */
export const vscode: Host = {
  name: "vscode",
  hasPrompt: true,
  takesEdits: false,
  shell: {
    tools: ["run_in_terminal", "runTerminalCommand"],
    text: "command",
    others: ["explanation", "goal", "timeout"],
    keepsFolder: true,
    anyShell: true,
  },
  patienceMs: 600_000,
  read: (input) => faulty(() => read("vscode", input)),
  reply,
  refuse: blocked,
};
