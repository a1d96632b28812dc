import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type HostDriver, NOTES, PACKAGES } from "./drive.ts";

export const claudeCode: HostDriver = {
  name: "claude-code",
  package: "@anthropic-ai/claude-code",
  prepare: (on) => {
    const notes = { command: NOTES.command, args: [NOTES.script, on.project] };
    writeFileSync(join(on.home, "mcp.json"), JSON.stringify({ mcpServers: { notes } }));
  },
  start: (prompt, model, on) => ({
    program: join(PACKAGES, ".bin", "claude"),
    args: ["-p", prompt, "--output-format", "json", "--mcp-config", join(on.home, "mcp.json")],
    env: {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "sk-scripted",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      IS_SANDBOX: "1",
    },
  }),
  read: (path) => ({ tool: "Read", args: { file_path: path } }),
  write: (path, text) => ({ tool: "Write", args: { file_path: path, content: text } }),
  shell: (command) => ({ tool: "Bash", args: { command, description: "a step of the script" } }),
  note: (tool, name) => ({ tool: `mcp__notes__${tool}`, args: { name } }),
  spawn: (prompt) => ({ tool: "Agent", args: { description: "a part", prompt, subagent_type: "general-purpose" } }),
};
