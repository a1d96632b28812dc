import { globMatches } from "../values/glob.ts";

/**
 * Globs of tool names are compared in lower case with one separator, and an MCP tool as `mcp:server/tool`. Separators
 * stay, unlike in exact look-ups: `git.*` must not take in `github_delete`.
 */
export function toolGlobMatches(glob: string, tool: string): boolean {
  return globMatches(spelling(glob), spelling(tool));
}

function spelling(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Cf}`]/gu, "")
    .toLowerCase()
    .replace(/^mcp__(.+?)__/, "mcp:$1/")
    .replace(/^([^/:]+)\/([^/]+)$/, "mcp:$1/$2")
    .replace(/[._-]/g, "_");
}
