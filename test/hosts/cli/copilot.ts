import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type HostDriver, NOTES, PACKAGES } from "./drive.ts";

export const copilot: HostDriver = {
  name: "copilot",
  package: "@github/copilot",
  prepare: (on) => {
    const notes = { type: "local", command: NOTES.command, args: [NOTES.script, on.project], tools: ["*"] };
    mkdirSync(join(on.home, ".copilot"), { recursive: true });
    writeFileSync(join(on.home, ".copilot", "config.json"), JSON.stringify({ trustedFolders: [on.project] }));
    writeFileSync(join(on.home, ".copilot", "mcp-config.json"), JSON.stringify({ mcpServers: { notes } }));
  },
  start: (prompt, model) => ({
    program: join(PACKAGES, ".bin", "copilot"),
    args: ["-p", prompt, "--allow-all-tools", "--allow-all-paths", "--no-color"],
    env: {
      COPILOT_OFFLINE: "true",
      COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`,
      COPILOT_PROVIDER_API_KEY: "scripted",
      COPILOT_MODEL: "gpt-4.1",
      COPILOT_AUTO_UPDATE: "false",
    },
  }),
  read: (path) => ({ tool: "view", args: { path } }),
  write: (path, text) => ({ tool: "create", args: { path, file_text: text } }),
  shell: (command) => ({ tool: "bash", args: { command, description: "a step of the script" } }),
  note: (tool, name) => ({ tool: `notes-${tool}`, args: { name } }),
  spawn: (prompt) => ({
    tool: "task",
    args: { name: "part", description: "a part", prompt, agent_type: "general-purpose", mode: "sync" },
  }),
};
