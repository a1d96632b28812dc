import { globMatches, isGlob } from "./values/glob.ts";

/** The parts of a tool's name, for lookups. Identity and execution use the exact name. */
type ToolName = {
  /** The tool's own name as it is written, without server and host. */
  bare: string;
  /** Lower case, without separators: `Write_File`, `write.file` and `writeFile` are one. */
  canonical: string;
  /** The canonical name of the MCP server, if the tool belongs to one. */
  server?: string;
  /** The same, with nothing removed. */
  serverAsWritten?: string;
  /** It is not certain where the server's name ends: `mcp__a__b__c` may be `b__c` of `a`, or `c` of `a__b`. */
  unsure: boolean;
  /** The name contained invisible characters, backticks or other decoration. */
  dressed: boolean;
};

const INVISIBLE = /\p{DI}|[\p{Cc}\p{Cf}\p{Zs}`]/gu;
/** Prefixes that hosts and models put before a tool's own name. */
export const HOST_PREFIX =
  /^(functions|function|default_api|default-api|tools|tool|copilot|container|multi_tool_use)[.:/]/i;

const PLAIN = /^[a-z0-9]*$/;

export function toolName(name: string): ToolName {
  const plain = name.replace(INVISIBLE, "");
  const dressed = plain !== name;
  const bare = plain.replace(HOST_PREFIX, "");
  const mcp = onServer(bare);
  if (mcp === null) return { bare, canonical: flat(bare), unsure: false, dressed };
  const [, server = "", tool = ""] = mcp;
  const unsure = isUnsure(bare);
  // With its `__` such a name is equal to no name whose server is certain, so nothing that allows those allows it.
  const canonical = unsure ? tool.split("__").map(flat).join("__") : flat(tool);
  return { bare: tool, canonical, server: serverName(server), serverAsWritten: flat(server), unsure, dressed };
}

function isUnsure(bare: string): boolean {
  return /^mcp__.+?__.+?__./i.test(bare);
}

/**
 * The name, or if it is not certain where its server's name ends, one name for each possible end. What denies a tool or
 * asks about it applies if it applies to one of them; what allows a tool must allow all of them.
 */
export function toolReadings(name: string): readonly string[] {
  const bare = bareOf(name);
  if (!isUnsure(bare)) return [name];
  const text = bare.slice("mcp__".length);
  const ends = [...text.matchAll(/(?=__)/g)].map(({ index }) => index).filter((at) => at > 0 && at + 2 < text.length);
  return ends.slice(0, READINGS_MAX).map((at) => `mcp:${text.slice(0, at)}/${text.slice(at + 2)}`);
}

/** Agents choose tool names: a name of many parts must not take long. */
const READINGS_MAX = 16;

/** Whether two names may be those of one tool. */
export function maySameTool(a: string, b: string): boolean {
  const names = toolReadings(b).map(canonicalTool);
  return canonicalTool(a) === canonicalTool(b) || toolReadings(a).some((one) => names.includes(canonicalTool(one)));
}

/** Whether a pattern matches at least one reading of a name. */
export function toolGlobMayMatch(glob: string, tool: string): boolean {
  const names = toolReadings(tool);
  return toolGlobMatches(glob, tool) || toolReadings(glob).some((one) => names.some((name) => globHolds(one, name)));
}

/** One text for all spellings of a tool. Rules use it, so a rule applies to all spellings of a server too. */
export function canonicalTool(name: string): string {
  const { canonical, server } = toolName(name);
  return server === undefined ? canonical : `${server}/${canonical}`;
}

/**
 * The same with the full name of the server. Declarations use it: `github-mcp-server` may be somebody else's server
 * than `github`, and a declaration for one must not apply to the other.
 */
export function exactTool(name: string): string {
  const { canonical, serverAsWritten } = toolName(name);
  return serverAsWritten === undefined ? canonical : `${serverAsWritten}/${canonical}`;
}

/**
 * Patterns of tool names are compared in lower case with one separator; an MCP tool is `mcp:server/tool`. Unlike in
 * exact lookups, separators stay: `git.*` must not match `github_delete`. A capital letter inside a word begins a new
 * one. A name with several readings matches if all of them do, or if the pattern is written in the same form.
 */
export function toolGlobMatches(glob: string, tool: string): boolean {
  const [globs, names] = [toolReadings(glob), toolReadings(tool)];
  if (globs.length > 1 && names.length > 1 && namesServer(glob))
    return globMatches(worded(bareOf(glob)), worded(bareOf(tool)));
  return globs.every((one) => names.every((name) => globHolds(one, name)));
}

function globHolds(glob: string, tool: string): boolean {
  const [, server, tools = ""] = onServer(bareOf(glob)) ?? [];
  if (server === undefined || isGlob(server)) return globMatches(spelling(glob), spelling(tool));
  // A server that is named without a pattern is found in every spelling.
  const [, other, called = ""] = onServer(bareOf(tool)) ?? [];
  return other !== undefined && flat(other) === flat(server) && globMatches(worded(tools), worded(called));
}

function bareOf(name: string): string {
  return name.replace(INVISIBLE, "").replace(HOST_PREFIX, "");
}

/** The server and the own name of an MCP tool. */
function onServer(bare: string): RegExpExecArray | null {
  return /^mcp__(.+?)__(.+)$/i.exec(bare) ?? /^mcp:([^/]+)\/(.+)$/i.exec(bare) ?? /^([^/:]+)\/([^/]+)$/.exec(bare);
}

/**
 * Names that a host may use for a tool of an MCP server: `mcp_github_create_issue`, `github.create_issue` and
 * `github__create_issue` may all be `mcp__github__create_issue`. It is not certain where the server's name ends.
 */
export function otherToolNames(name: string): readonly string[] {
  const called = bareOf(name).replace(/\(\)$/, "");
  const bare = called.replace(/^mcp[_.:/-]+/i, "");
  const same = called === bareOf(name) ? [] : [called];
  if (isUnsure(called)) return [...same, ...toolReadings(called)];
  if (onServer(called) !== null) return same;
  const isServed = bare !== called || /^[^_.:/-]+(__|[.:/])/.test(bare);
  if (!isServed) return same;
  const pieces = bare.split(/[_.:/-]+/).filter((piece) => piece !== "");
  const ends = pieces.slice(1, SERVER_WORDS + 1).map((_, i) => i + 1);
  return [...same, ...ends.map((end) => `mcp__${pieces.slice(0, end).join("_")}__${pieces.slice(end).join("_")}`)];
}

/** Whether a pattern names a specific server: what is said about all servers does not apply to `file.write`. */
export function namesServer(pattern: string): boolean {
  const [, server] = onServer(bareOf(pattern)) ?? [];
  return server !== undefined && !isGlob(server);
}

/** Whether a name says that the tool is one of some server. */
export function saysServed(name: string): boolean {
  return /^mcp[_.:/-]/i.test(bareOf(name));
}

/** The maximum number of words in the name of a server. */
const SERVER_WORDS = 3;

function spelling(name: string): string {
  const bare = bareOf(name);
  const mcp = onServer(bare);
  // `mcp__*` and `mcp__git*` are about servers, too.
  if (mcp === null && /^mcp__/i.test(bare)) return `mcp:${oneSeparator(bare.slice("mcp__".length))}`;
  return mcp === null ? worded(bare) : `mcp:${oneSeparator(mcp[1] ?? "")}/${worded(mcp[2] ?? "")}`;
}

/** The words that a name is made of, in lower case. */
export function wordsOfTool(bare: string): readonly string[] {
  return worded(bare)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

function worded(name: string): string {
  return oneSeparator(name.replace(/([a-z0-9])([A-Z])/g, "$1_$2"));
}

function oneSeparator(name: string): string {
  return name.toLowerCase().replace(/[._-]/g, "_");
}

const SERVER_BEFORE = /^(claude_ai_|@?modelcontextprotocol\/|mcp[-_.]|server[-_.])+/;
const SERVER_AFTER = /([-_.](mcp|server))+$/;

/** `github-mcp-server` and `@modelcontextprotocol/server-github` are what people call github. */
export function serverName(name: string): string {
  const lower = name.toLowerCase();
  const short = flat(lower.replace(SERVER_BEFORE, "").replace(SERVER_AFTER, ""));
  return short === "" ? flat(name) : short;
}

export function flat(name: string): string {
  return PLAIN.test(name) ? name : name.toLowerCase().replace(/[._\-\s]/g, "");
}
