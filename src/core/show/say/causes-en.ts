import type { Say } from "./say.ts";

export const CAUSES_EN: Say["causes"] = {
  paused: (because) => `paused: ${because}`,
  baseline: (row, tier) => {
    if (row.of === "policy") return `the policy-wide tier is ${tier}`;
    return row.of === "preset" ? `preset ${row.name} is ${tier}` : `the row for ${row.of} ${row.name} is ${tier}`;
  },
  rule: (name, tier, because) => `rule ${name} says ${tier}: ${because}`,
  silent: "no policy file speaks of this, so it is asked",
  grant: (id, tier) => `grant ${id} allows it (${tier})`,
  callback: (name, tier, because) => `policy callback ${name} says ${tier}: ${because}`,
  understanding: (understood, notes) =>
    `the call is ${understood === "not" ? "not" : "only partly"} understood${notes.length === 0 ? "" : `: ${notes.join("; ")}`}`,
  demotion: (tier, because) => `demoted to ${tier}: ${because}`,
  limit: ({ name, used, max, tier }) => `limit ${name} is reached (${used} of ${max}), then ${tier}`,
  human: (mark) => `needs a person: ${mark}`,
  headless: (tier) => `nobody can be asked here, so ask becomes ${tier}`,
  permit: (id) => `approved before as ${id}`,
  at: (sentence, file, line) => `${sentence} (${file}:${line})`,
  builtIn: (sentence) => `${sentence} (built in; no policy file is accepted here)`,
};
