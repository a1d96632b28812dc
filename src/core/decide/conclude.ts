import type { ToolCall } from "../call.ts";
import type { Code } from "../codes.ts";
import type { Asking, Cause, Decision, Outcome } from "../decision.ts";
import type { Grant } from "../grant.ts";
import { rankOf, type Tier, tierAt } from "../tier.ts";
import type { Hash } from "../values/hash.ts";
import { askingOf } from "./asking.ts";
import { type Caps, NO_CAPS } from "./caps.ts";
import type { Ground } from "./compiled.ts";
import { causesOf, hasGround } from "./grounds.ts";
import type { HumanGrounds } from "./human.ts";
import type { Standing } from "./standing.ts";
import type { Tally } from "./tally.ts";

const DENY = rankOf("deny");
const SUGGEST = rankOf("suggest");
const ASK = rankOf("ask");

/** From a tier to an outcome: needs-human, permit and headless, in that order. */
export function concluded(
  call: ToolCall,
  tally: Tally,
  standing: Standing,
  human: HumanGrounds,
  caps: Caps,
  grant: Grant | undefined,
): Decision {
  const { permit } = standing;
  const needsHuman = human.marks.length > 0;
  const waits = tally.rank === ASK || tally.rank === SUGGEST || (needsHuman && tally.rank > ASK);
  const reviewed = waits && permit !== undefined && !(needsHuman && permit.approvedInBulk);
  const headless = tally.rank === ASK && !needsHuman && !reviewed && !standing.canAsk;
  const tier = headless ? headlessTier(standing) : tierAt(tally.rank);
  const code = reviewed ? undefined : headless ? "LEEWAY_HEADLESS" : codeOf(tally, needsHuman);
  const outcome = reviewed ? "run" : code === "LEEWAY_NEEDS_HUMAN" ? "denied" : outcomeOf(tier);
  const rests = needsHuman ? [...tally.deciding, ...human.marks] : tally.deciding;
  const causes = causesOf(rests);
  const considered = consideredOf(tally, human.lifted);
  const asking = askingOf(call, standing, rests);
  const { limits } = caps;
  const { policyVersion } = standing;
  // Two complete literals without spreading, because this object is created for every call.
  const decision: Mutable<Decision> =
    code === undefined
      ? { tier, outcome, needsHuman, causes, considered, limits, asking, policyVersion }
      : { tier, outcome, code, needsHuman, causes, considered, limits, asking, policyVersion };
  if (headless) decision.causes = [...causes, { by: "headless", tier }];
  if (outcome === "run" && grant !== undefined) decision.grant = grant.id;
  if (outcome === "run" && permit !== undefined) {
    decision.permit = permit.executionId;
    decision.causes = [...causes, { by: "permit", executionId: permit.executionId }];
  }
  return decision;
}

/** The same for calls without a mark, a permit or a limit, and with people to ask. */
export function concludedPlainly(
  rank: number,
  causes: readonly Cause[],
  considered: readonly Cause[],
  asking: Asking,
  policyVersion: Hash,
): Decision {
  const tier = tierAt(rank);
  const outcome = outcomeOf(tier);
  const code = rank === DENY ? "LEEWAY_DENIED" : CODE_OF[tier];
  const { limits } = NO_CAPS;
  return code === undefined
    ? { tier, outcome, needsHuman: false, causes, considered, limits, asking, policyVersion }
    : { tier, outcome, code, needsHuman: false, causes, considered, limits, asking, policyVersion };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function codeOf(tally: Tally, needsHuman: boolean): Code | undefined {
  if (tally.rank === DENY) return denialCode(tally);
  if (needsHuman && tally.rank >= ASK) return "LEEWAY_NEEDS_HUMAN";
  return tally.rank > SUGGEST ? undefined : CODE_OF[tierAt(tally.rank)];
}

const CODE_OF: { readonly [T in Tier]?: Code } = { shadow: "LEEWAY_SHADOWED", suggest: "LEEWAY_SUGGESTED" };

/** Retryable only if limits are the only reason for the refusal. */
function denialCode(tally: Tally): Code {
  return tally.deciding.every(({ cause }) => cause.by === "limit") ? "LEEWAY_LIMIT" : "LEEWAY_DENIED";
}

/** The strictest setting of any layer for what `ask` becomes if nobody can answer. */
function headlessTier({ layers, scopes }: Standing): "deny" | "suggest" {
  const denies = (layer: Standing["layers"][number]) => layer.policy.headless === "deny";
  return layers.some(denies) || scopes.some(denies) ? "deny" : "suggest";
}

function consideredOf({ outweighed, deciding }: Tally, lifted: readonly Ground[]): readonly Cause[] {
  if (lifted.length === 0 && outweighed.length === 0) return causesOf(outweighed);
  const told = deciding.some((ground) => hasGround(outweighed, ground))
    ? outweighed.filter((ground) => !hasGround(deciding, ground))
    : outweighed;
  return causesOf(lifted.length === 0 ? told : [...told, ...lifted]);
}

function outcomeOf(tier: Tier): Outcome {
  switch (tier) {
    case "deny":
      return "denied";
    case "shadow":
    case "suggest":
      return "not_executed";
    case "ask":
      return "pending";
    case "notify":
    case "auto":
      return "run";
  }
}
