import { graver } from "../effect.ts";
import { type Message, say } from "../messages/message.ts";
import { namesIn, type Paragraph, paragraphsOf } from "../tables/facts.ts";
import { TOOL_TABLE, type ToolRow, toolFrom } from "../tables/tools.ts";
import { flat, serverName, toolName } from "../tool-name.ts";
import { once } from "../values/once.ts";

/** A line of the table as found for a tool, or why its name alone is not enough to go by. */
export type FoundRow = { row: ToolRow; doubt?: Message };

export const DRESSED = say("note.tool_name_has_hidden_signs");

const known = once(() => {
  const exact = new Map<string, Paragraph[]>();
  const servers = new Set<string>();
  for (const paragraph of paragraphsOf(TOOL_TABLE)) {
    for (const name of namesIn(paragraph)) {
      const slash = name.indexOf("/");
      const server = slash === -1 ? "" : serverName(name.slice(0, slash));
      if (server !== "") servers.add(server);
      const key = keyOf(server, flat(name.slice(slash + 1)));
      const held = exact.get(key);
      if (held === undefined) exact.set(key, [paragraph]);
      else if (held.at(-1) !== paragraph) held.push(paragraph);
    }
  }
  return { exact, servers };
});

/** What was read of the table so far, by the same keys. */
const read = new Map<string, ToolRow>();

/** What the table says of a tool, read when the tool is first met. Paragraphs that mean the same name are taken together. */
function rowAt(key: string): ToolRow | undefined {
  const before = read.get(key);
  if (before !== undefined) return before;
  const row = known().exact.get(key)?.map(toolFrom).reduce(stricter);
  if (row !== undefined) read.set(key, row);
  return row;
}

/** Agents choose tool names, so what is kept of them is bounded. */
const KEPT_MAX = 4096;
const kept = new Map<string, FoundRow | undefined>();

export function rowFor(tool: string): FoundRow | undefined {
  if (kept.has(tool)) return kept.get(tool);
  if (kept.size >= KEPT_MAX) kept.clear();
  const found = findRow(tool);
  kept.set(tool, found);
  return found;
}

function findRow(tool: string): FoundRow | undefined {
  const name = toolName(tool);
  const row =
    name.server === undefined
      ? (rowAt(name.canonical) ?? unprefixed(name.canonical))
      : rowAt(keyOf(name.server, name.canonical));
  const dressed = name.dressed ? DRESSED : undefined;
  if (row !== undefined) return { row, ...(dressed === undefined ? {} : { doubt: dressed }) };
  // A server may call its tools as it likes: a familiar name from a stranger says what to fear, not what to trust.
  if (name.server === undefined) return undefined;
  const familiar = rowAt(name.canonical);
  return familiar === undefined
    ? undefined
    : { row: familiar, doubt: say("note.server_unknown", { server: name.server }) };
}

/** `mcp_github_create_issue`: a host that joins server and tool by the same sign as words. */
function unprefixed(canonical: string): ToolRow | undefined {
  if (!canonical.startsWith("mcp")) return undefined;
  let found: ToolRow | undefined;
  for (const server of known().servers) {
    if (!canonical.startsWith("mcp" + server)) continue;
    const row = rowAt(keyOf(server, canonical.slice(3 + server.length)));
    if (row !== undefined) found = found === undefined ? row : stricter(found, row);
  }
  return found;
}

function keyOf(server: string, tool: string): string {
  return server === "" ? tool : `${server}/${tool}`;
}

/** Two tools with one canonical name: the graver class, and every argument that either of them names. */
function stricter(a: ToolRow, b: ToolRow): ToolRow {
  const grave = graver(a.class, b.class) === a.class ? a : b;
  const mild = grave === a ? b : a;
  const joined: ToolRow = { ...mild, ...grave };
  for (const role of [
    "reads",
    "writes",
    "deletes",
    "patch",
    "command",
    "within",
    "code",
    "urls",
    "sql",
    "knows",
  ] as const) {
    const names = new Set([a[role], b[role]].flatMap((list) => (list === undefined ? [] : list.split(" "))));
    if (names.size > 0) joined[role] = [...names].join(" ");
  }
  // Where one of them takes anything, nothing is foreign to both.
  if (a.knows === undefined || b.knows === undefined) delete joined.knows;
  return joined;
}
