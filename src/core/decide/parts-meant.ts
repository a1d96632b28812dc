import type { BaselineRow, PartMeant } from "../decision.ts";
import type { Effect, Part } from "../effect.ts";
import { PRESETS } from "../policy.ts";
import { programCalled } from "../shell/program.ts";
import type { Tier } from "../tier.ts";
import { presetTier } from "./preset.ts";

/** At most this many are named: a sentence should not become a list. */
const NAMED_MAX = 3;

/** The parts of a call that a preset's tier is about, by class and program. */
export function partsMeant(row: BaselineRow, tier: Tier, { parts }: Pick<Effect, "parts">): readonly PartMeant[] {
  const name = row.of === "preset" ? PRESETS.find((preset) => preset === row.name) : undefined;
  if (name === undefined) return [];
  const meant = parts.filter((part) => presetTier(name, part) === tier).map(partMeant);
  const isFirst = (one: PartMeant, at: number) =>
    meant.findIndex((other) => other.class === one.class && other.program === one.program) === at;
  return meant.filter(isFirst).slice(0, NAMED_MAX);
}

function partMeant(part: Part): PartMeant {
  const program = part.targets
    .map((target) => (target.kind === "command" ? programName(target.words) : ""))
    .find(Boolean);
  return { class: part.class, ...(program === undefined ? {} : { program }) };
}

/**
 * A program with the subcommands that the table knows. Any other word could be a secret, and any other name could be
 * misleading.
 */
function programName([first = "", ...rest]: readonly string[]): string {
  if (!/^[\w./+-]{1,64}$/.test(first)) return "";
  const found = [first];
  let program = programCalled(first);
  for (const word of rest) {
    program = program?.subs.get(word)?.();
    if (program === undefined) break;
    found.push(word);
  }
  return found.join(" ");
}
