import type { ToolCall } from "../call.ts";
import type { Effect } from "../effect.ts";
import type { Grant } from "../grant.ts";
import { say } from "../messages/message.ts";
import { rankOf } from "../tier.ts";
import { type Ground, groundOf } from "./compiled.ts";
import { covers } from "./cover.ts";
import { judge } from "./judge.ts";
import type { Standing } from "./standing.ts";

const ASK = rankOf("ask");
const NOTIFY = rankOf("notify");
const AUTO = rankOf("auto");

/** Everything that turns an `ask` into something looser. */
export type Lift = { ground: Ground; grant?: Grant };

/**
 * A lift changes an ordinary `ask`, and `notify` if it leads to `auto`. The loosest lift counts; a person's grant
 * comes first. If an effect is not fully understood, only `teacher` is possible, because the cap would undo every
 * other lift.
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

/** Whether a live grant of a person covers the call, needed or not. */
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

/** The grant that explains an unknown tool, if there is one. */
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
  const because = say("reason.program_allows");
  return { ground: groundOf(AUTO, { by: "callback", name: callback.name, tier: "auto", because }) };
}

/** A grant, and the tier to which it lifts the call. */
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

/**
 * A grant for a command does not mean that nobody should be told about the files it writes: `notify` for other parts
 * stays.
 */
function liftedTo(grant: Grant, call: ToolCall, effect: Effect, standing: Standing, nowMs: number): number | undefined {
  const whole = rankOf(grant.tier);
  const ranks = whole === NOTIFY ? [NOTIFY] : [whole, NOTIFY];
  return ranks.find((rank) => covers(grant, call, needing(rank, call, effect, standing, nowMs), nowMs));
}

/** The parts that ask or are stricter: a grant must cover them for the call to run. */
export function askingParts(call: ToolCall, effect: Effect, standing: Standing, nowMs: number): Effect {
  return needing(NOTIFY, call, effect, standing, nowMs);
}

/**
 * The parts that only a grant of this rank would allow: `cd src && npm test` needs one only for the tests. A part
 * judged alone is never looser than together with others, because the strictest wins.
 */
function needing(rank: number, call: ToolCall, effect: Effect, standing: Standing, nowMs: number): Effect {
  if (effect.parts.length === 1 || effect.understood !== "fully") return effect;
  const [first, ...rest] = effect.parts.filter(
    (part) => judge(call, { ...effect, parts: [part] }, standing, nowMs).rank < rank,
  );
  return first === undefined ? effect : { ...effect, parts: [first, ...rest] };
}

/** The looser one first, then the one with more uses left, then the older id. */
function isBetter(a: Held & Lifting, b: Held & Lifting): boolean {
  if (a.rank !== b.rank) return a.rank > b.rank;
  return a.usesLeft === b.usesLeft ? a.grant.id < b.grant.id : a.usesLeft > b.usesLeft;
}

/**
 * A person's grant for exactly this tool and definition counts as understanding an unknown tool. This is never so for
 * a tool that takes commands, because its name does not say what runs.
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
