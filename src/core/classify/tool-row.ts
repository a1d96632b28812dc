import { graver } from "../effect.ts";
import { TOOL_ROWS, type ToolRow } from "../tables/tools.ts";
import { flat, serverName, toolName } from "../tool-name.ts";
import { once } from "../values/once.ts";

/** A line of the table as found for a tool, or why its name alone is not enough to go by. */
export type FoundRow = { row: ToolRow; doubt?: string };

export const DRESSED = "the tool's name holds invisible characters or backticks";

const known = once(() => {
  const exact = new Map<string, ToolRow>();
  const servers = new Set<string>();
  for (const row of TOOL_ROWS) {
    for (const name of row.tools.split(" ")) {
      const slash = name.indexOf("/");
      const server = slash === -1 ? "" : serverName(name.slice(0, slash));
      if (server !== "") servers.add(server);
      const key = keyOf(server, flat(name.slice(slash + 1)));
      exact.set(key, stricter(exact.get(key), row));
    }
  }
  return { exact, servers };
});

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
  const { exact } = known();
  const row =
    name.server === undefined
      ? (exact.get(name.canonical) ?? unprefixed(name.canonical))
      : exact.get(keyOf(name.server, name.canonical));
  const dressed = name.dressed ? DRESSED : undefined;
  if (row !== undefined) return { row, ...(dressed === undefined ? {} : { doubt: dressed }) };
  // A server may call its tools as it likes: a familiar name from a stranger says what to fear, not what to trust.
  const familiar = name.server === undefined ? undefined : exact.get(name.canonical);
  if (familiar === undefined) return undefined;
  return { row: familiar, doubt: `the name is known, the server ${name.server} is not` };
}

/** `mcp_github_create_issue`: a host that joins server and tool by the same sign as words. */
function unprefixed(canonical: string): ToolRow | undefined {
  if (!canonical.startsWith("mcp")) return undefined;
  const { exact, servers } = known();
  let found: ToolRow | undefined;
  for (const server of servers) {
    if (!canonical.startsWith("mcp" + server)) continue;
    const row = exact.get(keyOf(server, canonical.slice(3 + server.length)));
    if (row !== undefined) found = stricter(found, row);
  }
  return found;
}

function keyOf(server: string, tool: string): string {
  return server === "" ? tool : `${server}/${tool}`;
}

/** Two tools with one canonical name: the graver class, and every argument that either of them names. */
function stricter(a: ToolRow | undefined, b: ToolRow): ToolRow {
  if (a === undefined || a === b) return b;
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
