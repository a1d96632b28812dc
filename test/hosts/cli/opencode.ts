import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type HostDriver, NOTES, PACKAGES } from "./drive.ts";

export const opencode: HostDriver = {
  name: "opencode",
  package: "opencode-ai",
  prepare: (on, model) => {
    const folder = join(on.home, "config", "opencode");
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "opencode.json"),
      JSON.stringify({
        autoupdate: false,
        share: "disabled",
        permission: "allow",
        model: "scripted/scripted",
        small_model: "scripted/scripted",
        mcp: { notes: { type: "local", command: [NOTES.command, NOTES.script, on.project] } },
        provider: {
          scripted: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${model.url}/v1`, apiKey: "scripted" },
            models: { scripted: { name: "scripted", tool_call: true, limit: { context: 100_000, output: 8_000 } } },
          },
        },
      }),
    );
  },
  start: (prompt) => ({
    program: join(PACKAGES, ".bin", "opencode"),
    args: ["run", prompt],
    env: {
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    },
  }),
  read: (path) => ({ tool: "read", args: { filePath: path } }),
  write: (path, text) => ({ tool: "write", args: { filePath: path, content: text } }),
  shell: (command) => ({ tool: "bash", args: { command, description: "a step of the script" } }),
  note: (tool, name) => ({ tool: `notes_${tool}`, args: { name } }),
  spawn: (prompt) => ({ tool: "task", args: { description: "a part", prompt, subagent_type: "general" } }),
};
