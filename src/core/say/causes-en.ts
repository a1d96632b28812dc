import type { PartMeant } from "../decision.ts";
import type { Say } from "./say.ts";

export const CAUSES_EN: Say["causes"] = {
  paused: (because, who) => `paused${who === undefined ? "" : ` by ${who === "leeway" ? "Leeway" : who}`}: ${because}`,
  baseline: (row, tier, parts) => {
    if (row.of === "policy") return `the policy-wide tier is ${tier}`;
    if (row.of !== "preset") return `the row for ${row.of} ${row.name} is ${tier}`;
    if (parts.length === 0) return `preset ${row.name} is ${tier}`;
    return tier === "ask"
      ? `preset ${row.name} asks before ${namesOf(parts)}`
      : `preset ${row.name} is ${tier} for ${namesOf(parts)}`;
  },
  rule: (name, tier, because) => `rule ${name} says ${tier}: ${because}`,
  silent: "no policy file speaks of this, so it is asked",
  grant: (id, tier) => `grant ${id} allows it (${tier})`,
  callback: (name, tier, because) => `policy callback ${name} says ${tier}: ${because}`,
  understanding: (understood, notes) =>
    `the call is ${understood === "not" ? "not" : "only partly"} understood${notes.length === 0 ? "" : `: ${notes.join("; ")}`}`,
  unread: (what, why) =>
    `${what} denies what may stand in the part that was not read (${why}); send less at once, with its words written out`,
  demotion: (tier, because) => `demoted to ${tier}: ${because}`,
  limit: ({ name, used, max, tier }) => `limit ${name} is reached (${used} of ${max}), then ${tier}`,
  human: (mark) => `needs a person: ${mark}`,
  headless: (tier) => `nobody can be asked here, so ask becomes ${tier}`,
  permit: (id) => `approved before as ${id}`,
  code: (because) => because,
  erased: "what led to this decision was erased",
  at: (sentence, file, line) => `${sentence} (${file}:${line})`,
  builtIn: (sentence) => `${sentence} (built in; no policy file is accepted here)`,
};

function namesOf(parts: readonly PartMeant[]): string {
  return parts.map((part) => (part.program === undefined ? part.class : `${part.class} by ${part.program}`)).join(", ");
}
