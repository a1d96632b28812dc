import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type HostDriver, NOTES, PACKAGES } from "./drive.ts";

export const codex: HostDriver = {
  name: "codex",
  package: "@openai/codex",
  prepare: (on, model) => {
    mkdirSync(join(on.home, ".codex"), { recursive: true });
    writeFileSync(
      join(on.home, ".codex", "config.toml"),
      [
        'model = "gpt-5.5"',
        'model_provider = "scripted"',
        'sandbox_mode = "danger-full-access"',
        'approval_policy = "never"',
        "[model_providers.scripted]",
        'name = "scripted"',
        `base_url = "${model.url}/v1"`,
        'wire_api = "responses"',
        'env_key = "SCRIPTED_KEY"',
        `[projects."${on.project}"]`,
        'trust_level = "trusted"',
        "[mcp_servers.notes]",
        `command = ${JSON.stringify(NOTES.command)}`,
        `args = ${JSON.stringify([NOTES.script, on.project])}`,
        "",
      ].join("\n"),
    );
  },
  start: (prompt) => ({
    program: join(PACKAGES, ".bin", "codex"),
    args: ["exec", "--skip-git-repo-check", prompt],
    env: { SCRIPTED_KEY: "sk-scripted" },
  }),
  read: (path) => ({ tool: "exec_command", args: { cmd: `cat ${path}` } }),
  write: (path, text) => ({
    tool: "apply_patch",
    args: { "*text": `*** Begin Patch\n*** Add File: ${path}\n+${text}\n*** End Patch\n` },
  }),
  shell: (command) => ({ tool: "exec_command", args: { cmd: command } }),
  note: (tool, name) => ({ tool: `mcp__notes/${tool}`, args: { name } }),
  spawn: (prompt) => ({ tool: "multi_agent_v1/spawn_agent", args: { message: prompt, agent_type: "explorer" } }),
};
