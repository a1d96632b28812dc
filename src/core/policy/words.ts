import { EFFECT_CLASSES, REACHES, UNDERSTANDINGS } from "../effect.ts";
import { PRESETS } from "../policy.ts";
import { CLASS_DEFAULTS, TOOL_ROWS } from "../tables/tools.ts";
import { parseTier, TIER_WORDS, TIERS } from "../tier.ts";
import { parseDuration } from "../values/duration.ts";
import { isGlob } from "../values/glob.ts";
import { oneOf, refine, text, word } from "./shape.ts";

// The words a policy file is made of, each with its own message.

export const tier = word({
  what: "a tier",
  schema: { enum: [...TIER_WORDS] },
  parse: parseTier,
  words: TIER_WORDS,
  expected: `one of ${TIERS.join(", ")}`,
});

export const effectClass = oneOf("a class of effect", EFFECT_CLASSES);
export const preset = oneOf("a preset", PRESETS);
export const reach = oneOf("a reach", REACHES);
export const understood = oneOf("an understanding", UNDERSTANDINGS);
export const method = oneOf("a method", ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);

const CAPABILITIES = [
  ...new Set([
    ...EFFECT_CLASSES,
    ...Object.values(CLASS_DEFAULTS).map((row) => row.capability),
    ...TOOL_ROWS.flatMap((row) => row.capability ?? []),
  ]),
].sort();

/** The names are ours and there are no others, so one that is not among them would never match. */
export const capability = word({
  what: "a capability",
  schema: { type: "string", minLength: 1 },
  parse: (given) => (CAPABILITIES.includes(given) || isGlob(given) ? given : undefined),
  words: CAPABILITIES,
  expected: `one of ${CAPABILITIES.join(", ")}, or a glob of these`,
});

export const duration = word({
  what: "a duration",
  schema: { type: "string", pattern: "^[1-9][0-9]{0,8}[smhd]$" },
  parse: parseDuration,
  expected: "a number and s, m, h or d, up to a year: 90s, 30m, 24h, 1d",
});

export const pointer = word({
  what: "a JSON pointer",
  schema: { type: "string", pattern: "^(/([^~/]|~[01])*)+$" },
  parse: (given) => (isPointer(given) ? given : undefined),
  expected: "a slash before every name on the way: /amount, /order/total",
});

export function isPointer(given: string): boolean {
  return /^(\/([^~/]|~[01])*)+$/.test(given);
}

/** A person, or everybody of a group. */
export const reviewer = refine(text("a reviewer"), (name, tree, faults) => {
  if (/^(group:)?[^\s:]+$/.test(name)) return name;
  faults.add(tree.at, `\`${name}\` is not a reviewer`, "expected a person's name or `group:` and a group's name");
  return undefined;
});
