import { EFFECT_CLASSES, type EffectClass } from "../effect.ts";
import { isGlob } from "../glob.ts";
import { stepsBetween } from "../nearest.ts";
import type { Position, TierRow } from "../policy.ts";
import { TOOL_ROWS } from "../tables/tools.ts";
import type { Tier } from "../tier.ts";
import { canonicalTool } from "../tool-name.ts";
import type { Named } from "./map-shape.ts";
import type { Faults, Located } from "./shape.ts";

/** Names that a file may use without further ado: tools it declares and tools that Leeway knows. */
export type KnownNames = { words: readonly string[]; canonical: ReadonlySet<string> };

const TABLE_TOOLS = TOOL_ROWS.flatMap((row) => row.tools.split(" ")).filter((name) => !isGlob(name));

export function knownNames(declared: readonly string[]): KnownNames {
  const words = [...declared, ...TABLE_TOOLS];
  return { words, canonical: new Set(words.map(canonicalTool)) };
}

const FORCED = "tool:";
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
export function toolName(given: Located<string>, known: KnownNames, faults: Faults): string | undefined {
  const { value: name, at } = given;
  if (name.startsWith(FORCED)) return forced(name.slice(FORCED.length), at, faults);
  if (isGlob(name) || known.canonical.has(canonicalTool(name))) return name;
  const near = nearMiss(name, [...EFFECT_CLASSES, ...known.words]);
  const family = name.split(".").length > 1 && FAMILIES.has(name.split(".")[0] ?? "");
  if (near === undefined && !family) return name;
  const meant = near === undefined ? `classes are ${EFFECT_CLASSES.join(", ")}` : `did you mean \`${near}\`?`;
  faults.add(
    at,
    `\`${name}\` is not a class and not a known tool`,
    `${meant} a tool of that very name: \`tool:${name}\``,
  );
  return undefined;
}

function forced(name: string, at: Position, faults: Faults): string | undefined {
  if (name.trim() !== "") return name;
  faults.add(at, "the tool has no name", "write it behind the colon: `tool:refund`");
  return undefined;
}

/** Closer than any two names that are meant to be different: one slip, two in a long word. */
function nearMiss(name: string, names: readonly string[]): string | undefined {
  const slips = name.length < 8 ? 1 : 2;
  return names.find(
    (candidate) =>
      Math.abs(candidate.length - name.length) <= slips &&
      stepsBetween(name.toLowerCase(), candidate.toLowerCase()) <= slips,
  );
}

function isClass(name: string): name is EffectClass {
  return (EFFECT_CLASSES as readonly string[]).includes(name);
}
