import type { ToolCall } from "../call.ts";
import type { Decision } from "../decision.ts";
import type { Effect } from "../effect.ts";
import type { Grant } from "../grant.ts";
import { APPROVAL_DEFAULTS } from "../policy.ts";
import { rankOf } from "../tier.ts";
import { capsOf, understandingCap } from "./caps.ts";
import type { Ground } from "./compiled.ts";
import { concluded } from "./conclude.ts";
import type { Gathering } from "./gather.ts";
import { hasGround, withGround } from "./grounds.ts";
import { humanMarks } from "./human.ts";
import { judge } from "./judge.ts";
import { type Lift, liftBy, liftOf, teacherOf } from "./lifts.ts";
import { ordinaryDecision } from "./ordinary.ts";
import { renamedGrounds } from "./other-name-denials.ts";
import { type Closed, closedFor } from "./pauses.ts";
import { maybeDenials } from "./possible-denials.ts";
import type { Standing } from "./standing.ts";
import { count, type Tally } from "./tally.ts";
import { unreadDenials } from "./unread-denials.ts";

/** Decides what may happen to a call, and why. Pure and total: it never throws on data. */
export function decide(call: ToolCall, effect: Effect, standing: Standing, nowMs: number): Decision {
  return ordinaryDecision(call, effect, standing, nowMs) ?? decideInFull(call, effect, standing, nowMs);
}

/** The general path, correct for every call: all steps, one by one. */
export function decideInFull(call: ToolCall, effect: Effect, standing: Standing, nowMs: number): Decision {
  const closed = closedFor(call, effect, standing);
  if (closed !== undefined) return refusal(closed, standing);
  const tally = judge(call, effect, standing, nowMs);
  if (effect.declared !== undefined) holdUndeclared(tally, judge(call, effect.declared.without, standing, nowMs));
  const human = humanMarks(call, effect, standing, tally.human);
  // With a permit the review has already been given, so no grant is used up.
  const plain = human.marks.length === 0 && tally.firm === undefined && standing.permit === undefined;
  const before = tally.rank;
  const teacher = plain ? teacherOf(call, effect, standing, nowMs) : undefined;
  const lift = plain ? liftOf(call, effect, standing, before, teacher, nowMs) : undefined;
  if (lift !== undefined) raise(tally, lift);
  if (teacher === undefined) cap(tally, understandingCap(effect, tally));
  for (const ground of unreadDenials(call, effect, standing)) cap(tally, ground);
  for (const ground of maybeDenials(call, effect, standing, nowMs)) cap(tally, ground);
  for (const ground of renamedGrounds(call, effect, standing)) cap(tally, ground);
  const caps = capsOf(call, effect, standing, nowMs);
  for (let i = 0; i < caps.grounds.length; i++) cap(tally, caps.grounds[i]);
  const used = usedLift(tally, lift, teacher, before);
  if (used !== undefined) tally.deciding = [used.ground, ...tally.deciding.filter((ground) => ground !== used.ground)];
  return concluded(call, tally, standing, human, caps, used?.grant);
}

/**
 * A declaration says what a tool does, but it does not exempt the tool from what a policy says about unknown tools.
 * Rules that ask or are stricter still apply, and so does every refusal. A declaration only removes the default that
 * unknown tools ask.
 */
function holdUndeclared(tally: Gathering, before: Gathering): void {
  for (const ground of [...before.deciding, ...before.outweighed]) {
    const isRule = ground.cause.by === "rule" && ground.rank <= ASK;
    if (isRule || (before.rank < ASK && ground.rank === before.rank)) count(tally, ground);
    // It decides nothing, but stands where something stricter would: without it the decision might be another.
    else if (!hasGround(tally.deciding, ground)) tally.outweighed = withGround(tally.outweighed, ground);
  }
  for (const ground of before.human) tally.human = withGround(tally.human, ground);
  tally.firm ??= before.firm;
}

/**
 * The grant or other lift that the result depends on: the tier is looser because of it, or a grant explains the tool.
 */
function usedLift(tally: Tally, lift: Lift | undefined, teacher: Grant | undefined, before: number): Lift | undefined {
  if (lift !== undefined && tally.rank > before) return lift;
  return teacher !== undefined && tally.rank > ASK ? liftBy(teacher) : undefined;
}

/** The former causes are now only "considered"; the lift replaces them. */
function raise(tally: Tally, lift: Lift): void {
  tally.outweighed = [...tally.deciding, ...tally.outweighed];
  tally.deciding = [lift.ground];
  tally.rank = lift.ground.rank;
}

function cap(tally: Tally, ground: Ground | undefined): void {
  if (ground !== undefined) count(tally, ground);
}

const ASK = rankOf("ask");

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
