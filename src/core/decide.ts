import { askingOf } from "./asking.ts";
import type { ToolCall } from "./call.ts";
import { type Caps, capsOf, understandingCap } from "./caps.ts";
import { type Closed, closedFor } from "./closed.ts";
import type { Code } from "./codes.ts";
import type { Ground } from "./compiled.ts";
import type { Cause, Decision, Outcome } from "./decision.ts";
import type { Effect } from "./effect.ts";
import type { Grant } from "./grant.ts";
import { causesOf } from "./grounds.ts";
import { type HumanMarks, humanMarks } from "./human.ts";
import { judge } from "./judge.ts";
import { type Lift, liftBy, liftOf, teacherOf } from "./lifts.ts";
import { APPROVAL_DEFAULTS } from "./policy.ts";
import type { Standing } from "./standing.ts";
import { count, type Tally } from "./tally.ts";
import { rankOf, type Tier, tierAt } from "./tier.ts";

/** What may happen to a call, and why. Pure, total, never throws on data; step by step, strict to the end. */
export function decide(call: ToolCall, effect: Effect, standing: Standing, nowMs: number): Decision {
  const closed = closedFor(call, effect, standing);
  if (closed !== undefined) return refusal(closed, standing);
  const tally = judge(call, effect, standing, nowMs);
  const human = humanMarks(call, effect, standing, tally.human);
  // With a permit in hand the review has been given already, and no grant is used up for it.
  const plain = human.marks.length === 0 && tally.firm === undefined && standing.permit === undefined;
  const before = tally.rank;
  const teacher = plain ? teacherOf(call, effect, standing, nowMs) : undefined;
  const lift = plain ? liftOf(call, effect, standing, before, teacher, nowMs) : undefined;
  if (lift !== undefined) raise(tally, lift);
  if (teacher === undefined) cap(tally, understandingCap(effect));
  const caps = capsOf(call, effect, standing, nowMs);
  for (let i = 0; i < caps.grounds.length; i++) cap(tally, caps.grounds[i]);
  const used = usedLift(tally, lift, teacher, before);
  if (used !== undefined) tally.deciding = [used.ground, ...tally.deciding.filter((ground) => ground !== used.ground)];
  return concluded(call, tally, standing, human, caps, used?.grant);
}

/** The lift that the result rests on: it came out looser for it, or runs only because a grant explains the tool. */
function usedLift(tally: Tally, lift: Lift | undefined, teacher: Grant | undefined, before: number): Lift | undefined {
  if (lift !== undefined && tally.rank > before) return lift;
  return teacher !== undefined && tally.rank > ASK ? liftBy(teacher) : undefined;
}

/** What was asked is now only considered; the lift stands in its place. */
function raise(tally: Tally, lift: Lift): void {
  tally.outweighed = [...tally.deciding, ...tally.outweighed];
  tally.deciding = [lift.ground];
  tally.rank = lift.ground.rank;
}

function cap(tally: Tally, ground: Ground | undefined): void {
  if (ground !== undefined) count(tally, ground);
}

const DENY = rankOf("deny");
const SUGGEST = rankOf("suggest");
const ASK = rankOf("ask");

/** From a tier to what happens: needs-human, permit and headless, in that order. */
function concluded(
  call: ToolCall,
  tally: Tally,
  standing: Standing,
  human: HumanMarks,
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
  // Two whole literals and no spreading: this object is made for every call there is.
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

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
function codeOf(tally: Tally, needsHuman: boolean): Code | undefined {
  if (tally.rank === DENY) return denialCode(tally);
  if (needsHuman && tally.rank >= ASK) return "LEEWAY_NEEDS_HUMAN";
  return tally.rank > SUGGEST ? undefined : CODE_OF[tierAt(tally.rank)];
}

const CODE_OF: { readonly [T in Tier]?: Code } = { shadow: "LEEWAY_SHADOWED", suggest: "LEEWAY_SUGGESTED" };

/** Worth trying again later only if limits alone refuse. */
function denialCode(tally: Tally): Code {
  return tally.deciding.every(({ cause }) => cause.by === "limit") ? "LEEWAY_LIMIT" : "LEEWAY_DENIED";
}

/** The strictest word of any layer on what `ask` becomes where nobody can answer. */
function headlessTier({ layers, scopes }: Standing): "deny" | "suggest" {
  const denies = (layer: Standing["layers"][number]) => layer.policy.headless === "deny";
  return layers.some(denies) || scopes.some(denies) ? "deny" : "suggest";
}

function consideredOf({ outweighed, deciding }: Tally, lifted: readonly Ground[]): readonly Cause[] {
  const told = outweighed.some((ground) => deciding.includes(ground))
    ? outweighed.filter((ground) => !deciding.includes(ground))
    : outweighed;
  return causesOf(lifted.length === 0 ? told : [...told, ...lifted]);
}

function refusal({ code, causes }: Closed, standing: Standing): Decision {
  return {
    tier: "deny",
    outcome: "denied",
    code,
    needsHuman: false,
    causes,
    considered: [],
    limits: [],
    asking: { ...APPROVAL_DEFAULTS, reviewers: [] },
    policyVersion: standing.policyVersion,
  };
}

export function outcomeOf(tier: Tier): Outcome {
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
