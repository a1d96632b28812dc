import type { ToolCall } from "../call.ts";
import type { Effect } from "../effect.ts";
import type { Grant } from "../grant.ts";
import { rankOf } from "../tier.ts";
import { type Ground, groundOf } from "./compiled.ts";
import { covers } from "./cover.ts";
import { judge } from "./judge.ts";
import type { Standing } from "./standing.ts";

const ASK = rankOf("ask");
const NOTIFY = rankOf("notify");
const AUTO = rankOf("auto");

/** What turns an `ask` into something looser. */
export type Lift = { ground: Ground; grant?: Grant };

/**
 * A lift touches a plain `ask`, and `notify` if it leads to `auto`. The loosest counts, a person's grant first. Of an
 * effect that is not fully understood only `teacher` can be had: whatever else lifts, the cap would undo.
 */
export function liftOf(
  call: ToolCall,
  effect: Effect,
  standing: Standing,
  from: number,
  teacher: Grant | undefined,
  nowMs: number,
): Lift | undefined {
  if ((from !== ASK && from !== NOTIFY) || (standing.grants.length === 0 && standing.callback === undefined)) {
    return undefined;
  }
  const granted = effect.understood === "fully" ? bestGrant(call, effect, standing, from, nowMs) : taught(teacher);
  const useful = granted !== undefined && granted.rank > from ? liftBy(granted.grant, granted.rank) : undefined;
  if (useful !== undefined && (teacher !== undefined || useful.ground.rank === AUTO)) return useful;
  return allowed(standing) ?? useful;
}

/** Whether a live grant that a person gave covers the call, needed or not. */
export function personCovers(call: ToolCall, effect: Effect, standing: Standing, nowMs: number): boolean {
  const own = { ...standing, grants: standing.grants.filter(({ grant }) => "person" in grant.grantedBy) };
  if (own.grants.length === 0) return false;
  const found =
    effect.understood === "fully"
      ? bestGrant(call, effect, own, BELOW_ALL, nowMs)
      : teacherOf(call, effect, own, nowMs);
  return found !== undefined;
}

const BELOW_ALL = -1;

/** The grant that makes an unknown tool understood, where there is one. */
export function teacherOf(call: ToolCall, effect: Effect, standing: Standing, nowMs: number): Grant | undefined {
  if (effect.understood === "fully") return undefined;
  const teaching = standing.grants.filter(({ grant }) => teaches(grant, call, effect));
  return bestGrant(call, effect, { ...standing, grants: teaching }, 0, nowMs)?.grant;
}

function taught(teacher: Grant | undefined): Lifting | undefined {
  return teacher === undefined ? undefined : { grant: teacher, rank: rankOf(teacher.tier) };
}

export function liftBy(grant: Grant, rank: number = rankOf(grant.tier)): Lift {
  const tier = rank === NOTIFY ? "notify" : grant.tier;
  return { ground: groundOf(rank, { by: "grant", id: grant.id, tier }), grant };
}

function allowed({ callback }: Standing): Lift | undefined {
  if (callback?.answer !== "allow") return undefined;
  const because = "the program allows it";
  return { ground: groundOf(AUTO, { by: "callback", name: callback.name, tier: "auto", because }) };
}

/** A grant, and how far it lifts the call. */
type Lifting = { grant: Grant; rank: number };

function bestGrant(
  call: ToolCall,
  effect: Effect,
  standing: Standing,
  from: number,
  nowMs: number,
): Lifting | undefined {
  let best: (Held & Lifting) | undefined;
  for (const held of standing.grants) {
    const { grant, usesLeft } = held;
    if (usesLeft <= 0 || rankOf(grant.tier) <= from || isPaused(grant, standing)) continue;
    const rank = liftedTo(grant, call, effect, standing, nowMs);
    if (rank === undefined || rank <= from) continue;
    if (best === undefined || isBetter({ ...held, rank }, best)) best = { ...held, rank };
  }
  return best;
}

type Held = Standing["grants"][number];

/** Whoever grants a command has not said that nobody is to hear of the files it is written to: beside it, `notify` stays. */
function liftedTo(grant: Grant, call: ToolCall, effect: Effect, standing: Standing, nowMs: number): number | undefined {
  const whole = rankOf(grant.tier);
  const ranks = whole === NOTIFY ? [NOTIFY] : [whole, NOTIFY];
  return ranks.find((rank) => covers(grant, call, needing(rank, call, effect, standing, nowMs), nowMs));
}

/** The parts that ask, or are stricter: what a grant has to cover for the call to run. */
export function askingParts(call: ToolCall, effect: Effect, standing: Standing, nowMs: number): Effect {
  return needing(NOTIFY, call, effect, standing, nowMs);
}

/**
 * The parts that only a grant of this rank would let run: `cd src && npm test` needs one for the tests alone. What is
 * judged by itself is judged no milder than beside others, because the strictest holds.
 */
function needing(rank: number, call: ToolCall, effect: Effect, standing: Standing, nowMs: number): Effect {
  if (effect.parts.length === 1 || effect.understood !== "fully") return effect;
  const [first, ...rest] = effect.parts.filter(
    (part) => judge(call, { ...effect, parts: [part] }, standing, nowMs).rank < rank,
  );
  return first === undefined ? effect : { ...effect, parts: [first, ...rest] };
}

/** The looser, then the one with more uses left, then the older id. */
function isBetter(a: Held & Lifting, b: Held & Lifting): boolean {
  if (a.rank !== b.rank) return a.rank > b.rank;
  return a.usesLeft === b.usesLeft ? a.grant.id < b.grant.id : a.usesLeft > b.usesLeft;
}

/**
 * A person's grant of exactly this tool and definition counts as understanding an unknown tool; never one that takes
 * commands, because there the tool's name says nothing about what runs.
 */
function teaches(grant: Grant, call: ToolCall, effect: Effect): boolean {
  const { tool } = grant.covers;
  return (
    "person" in grant.grantedBy &&
    tool !== undefined &&
    tool.name === call.tool &&
    tool.definition === call.definition &&
    effect.parts.every((part) => part.class === "unknown" && part.targets.every((one) => one.kind !== "command"))
  );
}

function isPaused(grant: Grant, standing: Standing): boolean {
  return standing.pauses.some(({ scope, state }) => state === "set" && scope.of === "grant" && scope.name === grant.id);
}
