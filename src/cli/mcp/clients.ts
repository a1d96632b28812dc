import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Places, Scope } from "../../hooks/install/host-files.ts";

// The settings files in which MCP clients name the servers that they start.

/** How a client writes its servers. */
export type Form = {
  /** The places of the servers; `*` is every key. */
  at: readonly (readonly string[])[];
  /** `line`: a command and its arguments are separate; `words`: both are one list. */
  command: "line" | "words";
  /** The key of the variables that the server gets. */
  variables: "env" | "environment";
  text: "json" | "toml";
};

export type ClientFile = { client: string; path: string; scope: Scope; form: Form };

const JSON_FORM: Form = { at: [["mcpServers"]], command: "line", variables: "env", text: "json" };
/** Claude Code also keeps the servers of single projects in the user's file. */
const CLAUDE_FORM: Form = { ...JSON_FORM, at: [["mcpServers"], ["projects", "*", "mcpServers"]] };
const VSCODE_FORM: Form = { ...JSON_FORM, at: [["servers"]] };
/** Version 2 of opencode has one more key. */
const OPENCODE_FORM: Form = {
  at: [["mcp"], ["mcp", "servers"]],
  command: "words",
  variables: "environment",
  text: "json",
};
const CODEX_FORM: Form = { at: [["mcp_servers"]], command: "line", variables: "env", text: "toml" };

type Row = readonly [client: string, form: Form, project: readonly string[], user: readonly string[]];

function rows({ home, project, env }: Places): readonly Row[] {
  const inHome = (...parts: readonly string[]) => join(home, ...parts);
  const here = (...parts: readonly string[]) => join(project, ...parts);
  const config = env["XDG_CONFIG_HOME"] || inHome(".config");
  const support = inHome("Library", "Application Support");
  const names = ["opencode.json", "opencode.jsonc"];
  return [
    ["claude-code", CLAUDE_FORM, [here(".mcp.json")], [join(env["CLAUDE_CONFIG_DIR"] || home, ".claude.json")]],
    [
      "claude-desktop",
      JSON_FORM,
      [],
      [join(support, "Claude", DESKTOP), join(config, "Claude", DESKTOP), inHome(".config", "Claude", DESKTOP)],
    ],
    ["cursor", JSON_FORM, [here(".cursor", "mcp.json")], [inHome(".cursor", "mcp.json")]],
    [
      "vscode",
      VSCODE_FORM,
      [here(".vscode", "mcp.json")],
      [join(config, "Code", "User", "mcp.json"), join(support, "Code", "User", "mcp.json")],
    ],
    ["gemini", JSON_FORM, [here(".gemini", "settings.json")], [inHome(".gemini", "settings.json")]],
    ["copilot", JSON_FORM, [], [join(env["COPILOT_HOME"] || inHome(".copilot"), "mcp-config.json")]],
    [
      "opencode",
      OPENCODE_FORM,
      [...names.map((name) => here(name)), ...names.map((name) => here(".opencode", name))],
      names.map((name) => join(config, "opencode", name)),
    ],
    [
      "codex",
      CODEX_FORM,
      [here(".codex", "config.toml")],
      [join(env["CODEX_HOME"] || inHome(".codex"), "config.toml")],
    ],
  ];
}

const DESKTOP = "claude_desktop_config.json";

/** The files that are there, each once: in the home folder, the files of the project and of the user can be the same. */
export function clientFiles(at: Places, scopes: readonly Scope[]): readonly ClientFile[] {
  const files = rows(at).flatMap(([client, form, project, user]) => [
    ...user.map((path): ClientFile => ({ client, path, scope: "user", form })),
    ...project.map((path): ClientFile => ({ client, path, scope: "project", form })),
  ]);
  const seen = new Set<string>();
  return files.filter(({ path, scope }) => {
    if (seen.has(path) || !existsSync(path)) return false;
    seen.add(path);
    return scopes.includes(scope);
  });
}
