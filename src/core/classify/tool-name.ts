/** A tool's name taken apart for looking it up. Identity and execution keep the exact name. */
type ToolName = {
  /** Lower case, without separators: `Write_File`, `write.file` and `writeFile` are one. */
  canonical: string;
  /** Where the tool belongs to an MCP server: the server's name, canonical too. */
  server?: string;
  /** The name held invisible characters, backticks or other dress that a plain name has not. */
  dressed: boolean;
};

const INVISIBLE = /\p{DI}|[\p{Cc}\p{Cf}\p{Zs}`]/gu;
/** What hosts and models put in front of a tool's own name. */
const HOST_PREFIX = /^(functions|function|default_api|default-api|tools|tool|copilot|container|multi_tool_use)[.:/]/i;

const PLAIN = /^[a-z0-9]*$/;

export function toolName(name: string): ToolName {
  const plain = name.replace(INVISIBLE, "");
  const dressed = plain !== name;
  const bare = plain.replace(HOST_PREFIX, "");
  const mcp = /^mcp__(.+?)__(.+)$/i.exec(bare) ?? /^mcp:([^/]+)\/(.+)$/i.exec(bare) ?? /^([^/:]+)\/([^/]+)$/.exec(bare);
  if (mcp === null) return { canonical: flat(bare), dressed };
  return { canonical: flat(mcp[2] ?? ""), server: serverName(mcp[1] ?? ""), dressed };
}

/** One text under which every spelling of a tool is found. */
export function canonicalTool(name: string): string {
  const { canonical, server } = toolName(name);
  return server === undefined ? canonical : `${server}/${canonical}`;
}

/** `github-mcp-server` and `@modelcontextprotocol/server-github` are what people call github. */
export function serverName(name: string): string {
  const short = name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => !["", "mcp", "server", "modelcontextprotocol", "claude", "ai"].includes(word))
    .join("");
  return short === "" ? flat(name) : short;
}

export function flat(name: string): string {
  return PLAIN.test(name) ? name : name.toLowerCase().replace(/[._\-\s]/g, "");
}
