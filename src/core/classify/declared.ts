import type { ToolCall } from "../call.ts";
import { type Declaration, declarationKey } from "../declaration.ts";
import { graver } from "../effect.ts";
import type { ToolDeclaration } from "../policy.ts";
import { canonicalTool, exactTool, toolGlobMatches, toolName } from "../tool-name.ts";
import { isGlob, literalPrefixLength } from "../values/glob.ts";

/** What one policy, or the program itself, says about tools. */
type Source = {
  exact: ReadonlyMap<string, ToolDeclaration>;
  /** By the name that tools of like-named servers share. */
  alike: ReadonlyMap<string, ToolDeclaration>;
  /** The longest literal beginning first. */
  globs: readonly ToolDeclaration[];
  /** A file that nobody accepted: its word makes a tool graver and explains none. */
  tightensOnly: boolean;
};

/** Everything that was said about tools, laid out for looking up. */
export type DeclaredTools = {
  sources: readonly Source[];
  /** Live declarations of people, by `declarationKey`. */
  people: ReadonlyMap<string, Declaration>;
};

export const NOTHING_DECLARED: DeclaredTools = { sources: [], people: new Map() };

type Said = { tools: readonly ToolDeclaration[]; beside?: true };

/** Of several words of one source on one tool the gravest counts. */
export function declaredTools(said: readonly Said[], people: readonly Declaration[] = []): DeclaredTools {
  const sources = said.filter(({ tools }) => tools.length > 0).map(sourceOf);
  const live = people.filter(({ state }) => state === "live");
  return { sources, people: new Map(live.map((one) => [declarationKey(one), one])) };
}

function sourceOf({ tools, beside }: Said): Source {
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
  return { exact, alike, globs, tightensOnly: beside === true };
}

/**
 * `says` explains the tool. `fears` are words that may only make it graver: those of files that nobody accepted, and
 * those on a plain name where the call is for a tool of that name on some MCP server, which may be another tool.
 */
export type ToolWord = { says?: ToolDeclaration; fears: readonly ToolDeclaration[] };

const NO_WORD: ToolWord = { fears: [] };

/** What policies and the program say of a tool; of several sources the gravest counts. */
export function wordOn({ sources }: DeclaredTools, tool: string): ToolWord {
  if (sources.length === 0) return NO_WORD;
  const { canonical: plain, server } = toolName(tool);
  const fears: ToolDeclaration[] = [];
  let says: ToolDeclaration | undefined;
  for (const { exact, alike, globs, tightensOnly } of sources) {
    const own = exact.get(exactTool(tool)) ?? globs.find(({ name }) => toolGlobMatches(name, tool));
    for (const name of server === undefined ? [] : [plain, canonicalTool(tool)]) {
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
 * What people said of the tool that is called, by name and definition. The word on the tool itself comes before the word
 * on its server. An owner's word is for their agent alone, and does not make milder what an admin said for everybody.
 */
export function declarationOn(
  { people }: DeclaredTools,
  { tool, definition, agent }: Pick<ToolCall, "tool" | "definition" | "agent">,
): Declaration | undefined {
  if (people.size === 0) return undefined;
  const about = { of: "tool", tool, ...(definition === undefined ? {} : { definition }) } as const;
  const { serverAsWritten: server } = toolName(tool);
  const general =
    people.get(declarationKey({ about })) ??
    (server === undefined ? undefined : people.get(declarationKey({ about: { of: "server", server } })));
  const own = people.get(declarationKey({ about, agent }));
  if (general === undefined || own === undefined) return own ?? general;
  return graver(own.class, general.class) === own.class ? own : general;
}

/** Names of the tools that policies and the program declare. */
export function declaredNames({ sources }: DeclaredTools): readonly string[] {
  return [...new Set(sources.flatMap(({ exact }) => [...exact.values()].map(({ name }) => name)))];
}

function gravest(held: ToolDeclaration | undefined, other: ToolDeclaration): ToolDeclaration {
  return held !== undefined && graver(held.class, other.class) === held.class ? held : other;
}
