import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type HostDriver, NOTES, PACKAGES } from "./drive.ts";

export const gemini: HostDriver = {
  name: "gemini",
  package: "@google/gemini-cli",
  prepare: (on) => {
    const notes = { command: NOTES.command, args: [NOTES.script, on.project] };
    mkdirSync(join(on.home, ".gemini"), { recursive: true });
    writeFileSync(
      join(on.home, ".gemini", "settings.json"),
      JSON.stringify({
        security: { auth: { selectedType: "gemini-api-key" } },
        privacy: { usageStatisticsEnabled: false },
        mcpServers: { notes },
        general: { disableAutoUpdate: true },
      }),
    );
    writeFileSync(join(on.home, ".gemini", "trustedFolders.json"), JSON.stringify({ [on.project]: "TRUST_FOLDER" }));
  },
  start: (prompt, model) => ({
    program: join(PACKAGES, ".bin", "gemini"),
    args: ["-p", prompt, "--approval-mode", "yolo", "-m", "gemini-2.5-flash"],
    env: { GEMINI_API_KEY: "scripted", GOOGLE_GEMINI_BASE_URL: model.url, GEMINI_CLI_NO_RELAUNCH: "true" },
  }),
  read: (path) => ({ tool: "read_file", args: { file_path: path } }),
  write: (path, text) => ({ tool: "write_file", args: { file_path: path, content: text } }),
  shell: (command) => ({ tool: "run_shell_command", args: { command, description: "a step of the script" } }),
  note: (tool, name) => ({ tool: `mcp_notes_${tool}`, args: { name } }),
  spawn: (prompt) => ({ tool: "invoke_agent", args: { agent_name: "generalist", prompt } }),
};
