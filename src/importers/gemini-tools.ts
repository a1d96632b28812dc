import type { Tier } from "../core/tier.ts";
import type { JsonObject } from "../core/values/json.ts";
import { type HostRule, restrictedCommand, type TextPattern } from "./host-commands.ts";
import { EDITS, READS, serverTools, toolRule, WRITES } from "./host-rules.ts";
import { EVERY_COMMAND, written } from "./imported.ts";

// The tools of Gemini CLI, and rules about them.

export const SHELL = "run_shell_command";
export const COMMANDS = { tools: [SHELL], texts: ["command"] };
export const EDIT = ["replace", "write_file"];
const READ = ["read_file", "read_many_files", "list_directory", "glob", "grep_search", "search_file_content"];

/** Gemini CLI also takes the names of its classes. */
const CLASS_NAMES: Readonly<Record<string, string>> = {
  ShellTool: SHELL,
  EditTool: "replace",
  WriteFileTool: "write_file",
  ReadFileTool: "read_file",
  ReadManyFilesTool: "read_many_files",
  LSTool: "list_directory",
  GlobTool: "glob",
  GrepTool: "grep_search",
  WebFetchTool: "web_fetch",
  WebSearchTool: "google_web_search",
  MemoryTool: "save_memory",
};

/** `tool(arguments)` without the arguments, by its present name. */
export function toolNamed(name: string): string {
  const [tool = ""] = name.split("(");
  return CLASS_NAMES[tool] ?? tool;
}

/** The commands that `run_shell_command(git status)` is about, or undefined if it is not about commands. */
export function shellPrefix(name: string): TextPattern | undefined {
  const [, tool = "", beginning = ""] = /^([A-Za-z0-9_-]+)\(([\s\S]*)\)$/.exec(name.trim()) ?? [];
  return toolNamed(tool) === SHELL && beginning.trim() !== "" ? prefixed(beginning) : undefined;
}

export function prefixed(beginning: string): TextPattern {
  return [{ text: beginning }, { is: "rest" }];
}

/** A tool by its name, and a tool of a server in our spelling too: `mcp_server_tool` is `mcp__server__tool`. */
export function spellings(tool: string): string[] {
  if (tool === "grep_search" || tool === "search_file_content")
    return ["grep_search", "search_file_content"].map(written);
  const [, server, own] = /^mcp_([^_*]+)_(.+)$/.exec(tool) ?? [];
  if (server !== undefined && own !== undefined) return [...serverTools(server, own), `tool:${tool}`];
  return tool === "mcp_*" ? ["mcp__*", "tool:mcp_*"] : [written(tool)];
}

/** What a tool may do where it is allowed: files of the project, without those that have a special meaning. */
export function limitOf(tool: string): JsonObject {
  if (EDIT.includes(tool)) return { path: ["**"], class: [...EDITS] };
  return READ.includes(tool) ? { path: ["**"], class: ["fs.read"] } : {};
}

/** A tool that is denied or asks; for commands and edits also everything that does the same. */
export function restrictedTool(name: string, tier: Tier, named: { name: string; because: string }): HostRule[] {
  const prefix = shellPrefix(name);
  if (prefix !== undefined) return [restrictedCommand(prefix, tier, named)];
  const tool = toolNamed(name);
  const rule = toolRule(spellings(tool), tier, named);
  if (tool === SHELL || tool === "*") return [rule, { ...named, match: EVERY_COMMAND, tier }];
  if (tool === "write_file") return [rule, { ...named, match: { class: [...WRITES] }, tier }];
  return tool === "read_file" ? [rule, { ...named, match: { class: [...READS] }, tier }] : [rule];
}

/** Files that decide what a build runs: Gemini CLI asked about them even where it allowed edits. */
export const BUILD_FILES: HostRule = {
  name: "build-files",
  match: {
    path: [
      ...["BUILD", "WORKSPACE", ".bazelrc", ".blazerc", "Makefile", "makefile", "GNUmakefile", "CMakeLists.txt"],
      ...["package.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lockb", "setup.py", "setup.cfg"],
      ...["pyproject.toml", "go.mod", "go.sum", "Cargo.toml", "Cargo.lock", "pom.xml", "build.gradle"],
      ...["build.gradle.kts", "settings.gradle", "settings.gradle.kts", "Dockerfile", "Dockerfile.*"],
      ...["Containerfile", "Containerfile.*", "*.bzl", "*.bazel", "*.bzlmod", "*.mk", "*.cmake"],
    ].map((name) => `**/${name}`),
    class: [...WRITES],
  },
  tier: "ask",
  because: "Gemini CLI asked before changing files that decide what a build runs",
};

/** What Gemini CLI allows without a rule of the user. */
export function byDefault(editsAlone: boolean): HostRule[] {
  const reads = { name: "reads-project", because: "Gemini CLI did not ask before reading files of the project" };
  const search = { name: "web-search", because: "Gemini CLI did not ask before searching the web" };
  const edits = { name: "auto-edit", because: "defaultApprovalMode was auto_edit" };
  return [
    toolRule(READ.map(written), "auto", reads, { path: ["**"], class: ["fs.read"] }),
    toolRule([written("google_web_search")], "auto", search),
    ...(editsAlone
      ? [
          toolRule(EDIT.map(written), "auto", edits, limitOf("replace")),
          toolRule([written("web_fetch")], "auto", { ...edits, name: "auto-edit-web" }),
        ]
      : []),
  ];
}
