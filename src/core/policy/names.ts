import { EFFECT_CLASSES, type EffectClass } from "../effect.ts";
import { say } from "../messages/message.ts";
import type { Position, TierRow } from "../policy.ts";
import { TOOL_ROWS } from "../tables/tools.ts";
import type { Tier } from "../tier.ts";
import { canonicalTool } from "../tool-name.ts";
import { isGlob } from "../values/glob.ts";
import { stepsBetween } from "../values/nearest.ts";
import type { Named } from "./map-shape.ts";
import { didYouMean, type Faults, type Positioned } from "./shape.ts";

/** Names that a file may use without further ado: tools it declares and tools that Leeway knows. */
export type KnownNames = {
  words: readonly Spelling[];
  canonical: ReadonlySet<string>;
  /** What was found out about a name before: files name the same tools again and again. */
  asked: Map<string, string | undefined>;
};

/** A word as it is compared: in small letters, with one bit for each letter that it has, and that it has twice. */
type Spelling = { word: string; lower: string; once: number; twice: number };

const TABLE_TOOLS = TOOL_ROWS.flatMap((row) => row.tools.split(" ")).filter((name) => !isGlob(name));

export function knownNames(declared: readonly string[]): KnownNames {
  const tools = [...declared, ...TABLE_TOOLS];
  const words = [...EFFECT_CLASSES, ...tools].map(spellingOf);
  return { words, canonical: new Set(tools.map(canonicalTool)), asked: new Map() };
}

function spellingOf(word: string): Spelling {
  const lower = word.toLowerCase();
  let once = 0;
  let twice = 0;
  for (let i = 0; i < lower.length; i++) {
    const letter = 1 << (lower.charCodeAt(i) & 31);
    twice |= once & letter;
    once |= letter;
  }
  return { word, lower, once, twice };
}

const FORCED = "tool:";
/** What classes begin with: a glob over one of these looks like a glob of classes, and there is no such thing. */
const FAMILIES = new Set(EFFECT_CLASSES.map((name) => name.split(".")[0]).filter((name) => name !== undefined));

/** What a row of `tiers` is about: a class, a tool, a glob of tools, or a mistyped one of these. */
export function tierRow(row: Named<Tier>, known: KnownNames, faults: Faults): TierRow | undefined {
  const { name, at, value } = row;
  if (isClass(name)) return { for: "class", name, tier: value, at };
  const tool = toolName({ value: name, at }, known, faults);
  return tool === undefined ? undefined : { for: isGlob(tool) ? "glob" : "tool", name: tool, tier: value, at };
}

/**
 * A tool's name as the file means it. One that is almost a known tool or class is refused, because a row for a tool
 * that does not exist protects nothing; `tool:` in front says that it is spelt as intended.
 */
export function toolName(given: Positioned<string>, known: KnownNames, faults: Faults): string | undefined {
  const { value: name, at } = given;
  if (refusesPattern(given, faults)) return undefined;
  if (name.startsWith(FORCED)) return forced(name.slice(FORCED.length), at, faults);
  const family = name.includes(".") && FAMILIES.has(name.split(".")[0] ?? "");
  if (isGlob(name) ? !family : known.canonical.has(canonicalTool(name))) return name;
  if (isClass(name)) {
    faults.add(at, say("policy.class_not_tool", { name }), say("policy.name_as_class", { name }));
    return undefined;
  }
  const near = isGlob(name) ? undefined : nearMiss(name, known);
  if (near === undefined && !family) return name;
  const exact = say("policy.exact_tool_name", { name });
  const hint =
    near === undefined
      ? say("policy.classes_or", { classes: EFFECT_CLASSES, otherwise: exact })
      : didYouMean(near, exact);
  faults.add(at, say("policy.unknown_tool_or_class", { name }), hint);
  return undefined;
}

/** Signs of patterns that other programs know. No tool is called so, and a row that matches nothing protects nothing. */
export function refusesPattern({ value: name, at }: Positioned<string>, faults: Faults): boolean {
  if (!/[[\]{}!]/.test(name)) return false;
  faults.add(at, say("policy.no_such_tool_pattern", { name }), say("policy.tool_pattern_signs"));
  return true;
}

function forced(name: string, at: Position, faults: Faults): string | undefined {
  if (name.trim() !== "") return name;
  faults.add(at, say("policy.tool_without_name"), say("policy.write_tool_name"));
  return undefined;
}

/** Closer than any two names that are meant to be different: one slip, two in a long word. */
function nearMiss(name: string, { words, asked }: KnownNames): string | undefined {
  if (asked.has(name)) return asked.get(name);
  const slips = name.length < 8 ? 1 : 2;
  const { lower, once, twice } = spellingOf(name);
  const near = words.find(
    (known) =>
      // A slip adds one letter and takes away one at most, so most words are told apart by which letters they have.
      bitsIn(once ^ known.once) + bitsIn(twice ^ known.twice) <= 2 * slips &&
      stepsBetween(lower, known.lower, slips) <= slips,
  )?.word;
  asked.set(name, near);
  return near;
}

function bitsIn(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

function isClass(name: string): name is EffectClass {
  return (EFFECT_CLASSES as readonly string[]).includes(name);
}
