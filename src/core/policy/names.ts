import { EFFECT_CLASSES, type EffectClass } from "../effect.ts";
import { say } from "../messages/message.ts";
import type { Position, TierRow } from "../policy.ts";
import { namesIn, paragraphsOf } from "../tables/facts.ts";
import { TOOL_TABLES } from "../tables/tools.ts";
import type { Tier } from "../tier.ts";
import { canonicalTool } from "../tool-name.ts";
import { isGlob } from "../values/glob.ts";
import { stepsBetween } from "../values/nearest.ts";
import { once } from "../values/once.ts";
import type { Named } from "./map-shape.ts";
import { didYouMean, type Faults, type Positioned } from "./shape.ts";

/** Names that a file may use: tools that it declares and tools that Leeway knows. */
export type KnownNames = {
  words: readonly Spelling[];
  canonical: ReadonlySet<string>;
  /** A cache for names: files use the same tools again and again. */
  asked: Map<string, string | undefined>;
};

/** A word prepared for comparison: in lower case, with one bit for each letter that it has, and that it has twice. */
type Spelling = { word: string; lower: string; once: number; twice: number };

const tableTools = once(() =>
  TOOL_TABLES.flatMap(paragraphsOf)
    .flatMap(namesIn)
    .filter((name) => !isGlob(name)),
);

export function knownNames(declared: readonly string[]): KnownNames {
  const tools = [...declared, ...tableTools()];
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
/** The beginnings of classes: a pattern over one of these looks like a pattern of classes, which does not exist. */
const FAMILIES = new Set(EFFECT_CLASSES.map((name) => name.split(".")[0]).filter((name) => name !== undefined));

/** What a row of `tiers` is about: a class, a tool, a pattern of tools, or a typing mistake. */
export function tierRow(row: Named<Tier>, known: KnownNames, faults: Faults): TierRow | undefined {
  const { name, at, value } = row;
  if (isClass(name)) return { for: "class", name, tier: value, at };
  const tool = toolName({ value: name, at }, known, faults);
  return tool === undefined ? undefined : { for: isGlob(tool) ? "glob" : "tool", name: tool, tier: value, at };
}

/**
 * A tool's name in a file. A name that is almost a known tool or class is refused, because a row for a tool that does
 * not exist protects nothing; `tool:` in front says that the spelling is intended.
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

/**
 * Characters of pattern languages that other programs use. No tool has such a name, and a row that matches nothing
 * protects nothing.
 */
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

/** A distance that is too small for two names that are meant to be different: one mistake, two in a long word. */
function nearMiss(name: string, { words, asked }: KnownNames): string | undefined {
  if (asked.has(name)) return asked.get(name);
  const slips = name.length < 8 ? 1 : 2;
  const { lower, once, twice } = spellingOf(name);
  const near = words.find(
    (known) =>
      // One mistake adds or removes at most one letter, so most words can be excluded by comparing which letters they
      // have.
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
