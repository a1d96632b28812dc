import { EFFECT_CLASSES, REACHES, UNDERSTANDINGS } from "../effect.ts";
import { say } from "../messages/message.ts";
import { PRESETS } from "../policy.ts";
import { CLASS_DEFAULTS } from "../tables/tools.ts";
import { parseTier, TIER_WORDS, TIERS } from "../tier.ts";
import { parseDuration } from "../values/duration.ts";
import { isGlob } from "../values/glob.ts";
import { parseSize } from "../values/size.ts";
import { USAGE_WORDS } from "../values/usage.ts";
import { oneOf, refine, text, word } from "./shape.ts";

// The words of a policy file, each with its own error message.

export const tier = word({
  what: "thing.tier",
  schema: { enum: [...TIER_WORDS] },
  parse: parseTier,
  words: TIER_WORDS,
  hint: say("policy.use_one_of", { words: TIERS }),
});

export const effectClass = oneOf("thing.effect_class", EFFECT_CLASSES);
export const preset = oneOf("thing.preset", PRESETS);
export const reach = oneOf("thing.value_of_reach", REACHES);
export const understood = oneOf("thing.value_of_understood", UNDERSTANDINGS);
export const method = oneOf("thing.method", ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);

const CAPABILITIES = [
  ...new Set([...EFFECT_CLASSES, ...Object.values(CLASS_DEFAULTS).map((row) => row.capability)]),
].sort();

/** These names are fixed, so any other name would never match. */
export const capability = word({
  what: "thing.capability",
  schema: { type: "string", minLength: 1 },
  parse: (given) => (CAPABILITIES.includes(given) || isGlob(given) ? given : undefined),
  words: CAPABILITIES,
  hint: say("policy.use_capability", { words: CAPABILITIES }),
});

export const duration = word({
  what: "thing.duration",
  schema: { type: "string", pattern: "^[1-9][0-9]{0,8}[smhd]$" },
  parse: parseDuration,
  hint: say("policy.write_duration"),
});

export const size = word({
  what: "thing.size",
  schema: { type: "string", pattern: "^[1-9][0-9]{0,5}(MB|GB)$" },
  parse: parseSize,
  hint: say("policy.write_size"),
});

/** What a limit adds up: an argument, or what the host of an agent reports about its model. */
export const amount = word({
  what: "thing.amount",
  schema: { type: "string", pattern: `^(${USAGE_WORDS.join("|")}|(/([^~/]|~[01])*)+)$` },
  parse: (given) => (isPointer(given) || USAGE_WORDS.some((known) => known === given) ? given : undefined),
  hint: say("policy.write_amount"),
});

export function isPointer(given: string): boolean {
  return /^(\/([^~/]|~[01])*)+$/.test(given);
}

/** A person, or all members of a group. */
export const reviewer = refine(text("thing.reviewer"), (name, tree, faults) => {
  if (/^(group:)?[^\s:]+$/.test(name)) return name;
  faults.add(tree.at, say("policy.not_a_reviewer", { name }), say("policy.write_reviewer"));
  return undefined;
});
