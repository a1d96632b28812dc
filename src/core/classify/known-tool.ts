import type { ToolCall } from "../call.ts";
import { graver } from "../effect.ts";
import { type Message, say } from "../messages/message.ts";
import type { ToolDeclaration } from "../policy.ts";
import { type Declaration, declarationKey } from "../standing/declaration.ts";
import { namesIn, type Paragraph, paragraphsOf } from "../tables/facts.ts";
import {
  LOOKING_ARGUMENTS,
  TOOL_TABLES,
  type ToolRow,
  toolFrom,
  USUAL_ARGUMENTS,
  WRITING_ARGUMENTS,
} from "../tables/tools.ts";
import { canonicalTool, exactTool, flat, serverName, toolGlobMatches, toolName, toolReadings } from "../tool-name.ts";
import { isGlob, literalPrefixLength } from "../values/glob.ts";
import { isObject, type Json } from "../values/json.ts";
import { once } from "../values/once.ts";
import type { Arguments } from "./arguments.ts";

/** The row of a tool in the table. `doubt`: why the name alone does not prove that it is this tool. */
export type FoundRow = { row: ToolRow; doubt?: Message };

export const DRESSED = say("note.tool_name_has_hidden_signs");

const tableIndex = once(() => {
  const exact = new Map<string, Paragraph[]>();
  const servers = new Set<string>();
  for (const paragraph of TOOL_TABLES.flatMap(paragraphsOf)) {
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

/** The rows that were parsed so far, by the same keys. */
const read = new Map<string, ToolRow>();

/** The row of a tool, parsed on first use. Paragraphs for the same name are combined. */
function rowAt(key: string): ToolRow | undefined {
  const before = read.get(key);
  if (before !== undefined) return before;
  const row = tableIndex().exact.get(key)?.map(toolFrom).reduce(stricter);
  if (row !== undefined) read.set(key, row);
  return row;
}

/** Agents choose tool names, so this cache is bounded. */
const KEPT_MAX = 4096;

const rowsFound = new Map<string, FoundRow | undefined>();

export function rowFor(tool: string): FoundRow | undefined {
  if (rowsFound.has(tool)) return rowsFound.get(tool);
  if (rowsFound.size >= KEPT_MAX) rowsFound.clear();
  const found = findRow(tool);
  rowsFound.set(tool, found);
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
  // A server may name its tools as it likes: a familiar name from an unknown server can only make the decision stricter.
  if (name.server === undefined) return undefined;
  const own = flat(name.bare);
  const familiar = (name.unsure ? rowAt(keyOf(name.server, own)) : undefined) ?? rowAt(own);
  return familiar === undefined
    ? undefined
    : { row: familiar, doubt: say("note.server_unknown", { server: name.server }) };
}

/** `mcp_github_create_issue`: some hosts join server and tool with the same sign as the words of a name. */
function unprefixed(canonical: string): ToolRow | undefined {
  if (!canonical.startsWith("mcp")) return undefined;
  let found: ToolRow | undefined;
  for (const server of tableIndex().servers) {
    if (!canonical.startsWith("mcp" + server)) continue;
    const row = rowAt(keyOf(server, canonical.slice(3 + server.length)));
    if (row !== undefined) found = found === undefined ? row : stricter(found, row);
  }
  return found;
}

function keyOf(server: string, tool: string): string {
  return server === "" ? tool : `${server}/${tool}`;
}

/** Combines two tools with the same canonical name: the more serious class, and the arguments that either of them names. */
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
  // If one of them takes any argument, no argument is foreign to both.
  if (a.knows === undefined || b.knows === undefined) delete joined.knows;
  return joined;
}

/** What one policy, or the program itself, says about tools. */
type Source = {
  exact: ReadonlyMap<string, ToolDeclaration>;
  /** By the canonical name, which tools of servers with similar names share. */
  alike: ReadonlyMap<string, ToolDeclaration>;
  /** Sorted: the longest literal prefix first. */
  globs: readonly ToolDeclaration[];
  /** From a file that nobody accepted: its declarations can make a tool more serious, but do not explain it. */
  tightensOnly: boolean;
  /** From the organisation's policy. */
  isOrganisation: boolean;
};

/** All declarations about tools, indexed. */
export type DeclaredTools = {
  sources: readonly Source[];
  /** Live declarations of people, by `declarationKey`. */
  people: ReadonlyMap<string, Declaration>;
  /** An organisation's policy is in force: what others declare does not count for it. */
  hasOrganisation?: true;
};

export const NOTHING_DECLARED: DeclaredTools = { sources: [], people: new Map() };

type Said = { tools: readonly ToolDeclaration[]; beside?: true; organisation?: true };

/** If one source declares a tool several times, the most serious declaration counts. */
export function declaredTools(said: readonly Said[], people: readonly Declaration[] = []): DeclaredTools {
  const sources = said.filter(({ tools }) => tools.length > 0).map(sourceOf);
  const live = people.filter(({ state }) => state === "live");
  return {
    sources,
    people: new Map(live.map((one) => [declarationKey(one), one])),
    ...(said.some(({ organisation }) => organisation === true) ? { hasOrganisation: true } : {}),
  };
}

/** Only what the organisation declares. What others fear still counts: it cannot make anything looser. */
export function organisationsWord(declared: DeclaredTools, tool: string): ToolWord {
  const own = { ...declared, sources: declared.sources.filter(({ isOrganisation }) => isOrganisation) };
  const { says } = wordOn(own, tool);
  const { fears } = wordOn(declared, tool);
  return says === undefined ? { fears } : { says, fears };
}

function sourceOf({ tools, beside, organisation }: Said): Source {
  const exact = new Map<string, ToolDeclaration>();
  const alike = new Map<string, ToolDeclaration>();
  for (const tool of tools) {
    if (isGlob(tool.name)) continue;
    const [key, shared] = [exactTool(tool.name), canonicalTool(tool.name)];
    exact.set(key, gravest(exact.get(key), tool));
    alike.set(shared, gravest(alike.get(shared), tool));
  }
  const globs = tools
    .filter(({ name }) => isGlob(name))
    .sort((a, b) => literalPrefixLength(b.name) - literalPrefixLength(a.name) || (gravest(a, b) === a ? -1 : 1));
  return { exact, alike, globs, tightensOnly: beside === true, isOrganisation: organisation === true };
}

/**
 * `says` explains the tool. `fears` can only make it more serious: declarations of files that nobody accepted, and those for
 * a plain name if the call is for a tool of that name on an MCP server, which may be another tool.
 */
type ToolWord = { says?: ToolDeclaration; fears: readonly ToolDeclaration[] };

const NO_WORD: ToolWord = { fears: [] };

/** What policies and the program say about a tool. Of several sources the most serious counts. */
export function wordOn({ sources }: DeclaredTools, tool: string): ToolWord {
  if (sources.length === 0) return NO_WORD;
  const { bare, canonical: plain, server, serverAsWritten } = toolName(tool);
  const exactly = serverAsWritten === undefined ? plain : `${serverAsWritten}/${plain}`;
  const fears: ToolDeclaration[] = [];
  let says: ToolDeclaration | undefined;
  for (const { exact, alike, globs, tightensOnly } of sources) {
    const own = exact.get(exactly) ?? globs.find(({ name }) => toolGlobMatches(name, tool));
    for (const name of server === undefined ? [] : [flat(bare), ...toolReadings(tool).map(canonicalTool)]) {
      const namesake = alike.get(name);
      if (namesake !== undefined && namesake !== own) fears.push(namesake);
    }
    if (own === undefined) continue;
    if (tightensOnly) fears.push(own);
    else says = gravest(says, own);
  }
  return says === undefined ? { fears } : { says, fears };
}

/**
 * What people declared about the tool, by name and definition. A declaration for the tool comes before one for its server.
 * An owner's declaration counts only for their agent, and cannot be milder than what an admin declared for everybody.
 */
export function declarationOn(
  { people }: DeclaredTools,
  { tool, definition, agent }: Pick<ToolCall, "tool" | "definition" | "agent">,
): Declaration | undefined {
  const about = { of: "tool", tool, ...(definition === undefined ? {} : { definition }) } as const;
  const { serverAsWritten: server, unsure } = toolName(tool);
  const general =
    people.get(declarationKey({ about })) ??
    (server === undefined || unsure ? undefined : people.get(declarationKey({ about: { of: "server", server } })));
  const own = people.get(declarationKey({ about, agent }));
  if (general === undefined || own === undefined) return own ?? general;
  return graver(own.class, general.class) === own.class ? own : general;
}

/** The names of the tools that policies and the program declare. */
export function declaredNames({ sources }: DeclaredTools): readonly string[] {
  return [...new Set(sources.flatMap(({ exact }) => [...exact.values()].map(({ name }) => name)))];
}

function gravest(held: ToolDeclaration | undefined, other: ToolDeclaration): ToolDeclaration {
  return held !== undefined && graver(held.class, other.class) === held.class ? held : other;
}

/** The row of a tool for one call. `known`: the table knows the action that the call names. */
type Told = { row: ToolRow; known: boolean };

/** The reading variants of rows, made once for each row, because other caches use the row as their key. */
const looking = new WeakMap<ToolRow, ToolRow>();

/** For some tools an argument says whether they read or write: an editor that is told to `view` only reads its path. */
export function asTold(row: ToolRow, args: Arguments): Told {
  if (row.verb === undefined) return { row, known: true };
  const verb = flat(row.verb);
  const values = args.list.flatMap(({ name, value }) => (name.flat === verb && value !== null ? [value] : []));
  if (values.length === 0) return { row, known: true };
  const [value] = values;
  if (values.length > 1 || typeof value !== "string") return { row, known: false };
  if (lists(row.looks, value)) return { row: lookingOnly(row), known: true };
  return { row, known: lists(row.acts, value) };
}

function lists(names: string | undefined, value: string): boolean {
  return names?.split(" ").includes(value) === true;
}

function lookingOnly(row: ToolRow): ToolRow {
  if (row.writes === undefined) return row;
  const known = looking.get(row);
  if (known !== undefined) return known;
  const { writes, ...rest } = row;
  const found: ToolRow = { ...rest, class: "fs.read", reads: writes };
  looking.set(row, found);
  return found;
}

// If a call has an argument that the tool of the table does not take, it is for another tool of the same name.

/** Arguments that identify files of an online service. The file of an editor is identified by its path. */
const ELSEWHERE =
  /^(file|folder|parent|drive|document|doc|spreadsheet|site|space|workspace|bucket|container)ids?$|^(parents|mimetype|bucket|email|emails|recipients?|sharewith|permissions?|owner|repo)$/;

/** Switches with these names do more than change how a file is read or written. */
const ACTING =
  /(delet|remov|unlink|purge|drop|^run|run$|exec|chmod|permission|install|commit|push|upload|send|share|publish|deploy|inplace|symlink|stage|merge|kill|sudo|admin|trigger|apply|fix|update|^mark)/;

/** File permissions are numbers or signs. Other modes are words. */
const WORDED = /^[a-z][a-z_ -]*$/i;

export function hasForeignArgument(args: Arguments, row: ToolRow): boolean {
  const isFile = row.class.startsWith("fs.");
  const known = knownNames(row);
  return args.list.some(({ name, value }) => {
    if (isNothing(value)) return false;
    if (isFile && row.domain === undefined && ELSEWHERE.test(name.flat)) return true;
    if (known === undefined) return row.domain !== undefined && value === true && ACTING.test(name.flat);
    if (name.flat === "mode" && known.has("mode")) return typeof value !== "string" || !WORDED.test(value);
    if (known.has(name.flat) || (row.knows === undefined && name.holds.has("folder"))) return false;
    // An unknown number or switch only changes details, unless its name says that it does something.
    return row.knows !== undefined || typeof value === "string" || typeof value === "object" || ACTING.test(name.flat);
  });
}

/** Whether an argument with this value is as good as left out. */
export function isNothing(value: Json): boolean {
  if (value === null || value === false || value === "") return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

/** Computed once per row. */
const argumentsKnown = new WeakMap<ToolRow, ReadonlySet<string> | undefined>();

/** All arguments that the tool takes. Undefined if the table does not say. */
function knownNames(row: ToolRow): ReadonlySet<string> | undefined {
  if (argumentsKnown.has(row)) return argumentsKnown.get(row);
  const found = row.knows === undefined ? namesForFiles(row) : flatNames([row.knows, row.verb]);
  argumentsKnown.set(row, found);
  return found;
}

function namesForFiles(row: ToolRow): ReadonlySet<string> | undefined {
  const { reads, writes, deletes, patch, saves, command, code } = row;
  const touched = [reads, writes, deletes, patch, saves].filter((names) => names !== undefined);
  if (touched.length === 0 || command !== undefined || code !== undefined) return undefined;
  // Calls that change more than a file ask anyway.
  if (!/^(fs\.(read|write|mkdir|copy|move)|browser\.read)$/.test(row.class)) return undefined;
  const looks = row.class.endsWith(".read");
  const { globs, seeks, refs, urls, verb } = row;
  return flatNames([
    ...touched,
    globs,
    seeks,
    refs,
    urls,
    verb,
    USUAL_ARGUMENTS,
    looks ? LOOKING_ARGUMENTS : WRITING_ARGUMENTS,
  ]);
}

function flatNames(lists: readonly (string | undefined)[]): ReadonlySet<string> {
  const ways = lists.flatMap((names) => names?.split(" ") ?? []);
  return new Set(ways.map((way) => flat(way.split(".")[0] ?? "")));
}
