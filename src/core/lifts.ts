import type { ToolCall } from "./call.ts";
import { type Ground, groundOf } from "./compiled.ts";
import { covers } from "./cover.ts";
import type { Effect } from "./effect.ts";
import type { Grant } from "./grant.ts";
import type { Standing } from "./standing.ts";
import { rankOf } from "./tier.ts";

const ASK = rankOf("ask");
const NOTIFY = rankOf("notify");
const AUTO = rankOf("auto");

/** What turns an `ask` into something looser; `understood` where the grant is of this very tool. */
export type Lift = { ground: Ground; grant?: Grant; understood: boolean };

/** A lift touches a plain `ask`, and `notify` if it leads to `auto`. The loosest counts, a person's grant first. */
export function liftOf(
  call: ToolCall,
  effect: Effect,
  standing: Standing,
  from: number,
  nowMs: number,
): Lift | undefined {
  if (from !== ASK && from !== NOTIFY) return undefined;
  const granted = bestGrant(call, effect, standing, from, nowMs);
  if (granted !== undefined && (granted.understood || granted.ground.rank === AUTO)) return granted;
  return allowed(standing) ?? granted;
}

function allowed({ callback }: Standing): Lift | undefined {
  if (callback?.answer !== "allow") return undefined;
  const because = "the program allows it";
  return {
    ground: groundOf(AUTO, { by: "callback", name: callback.name, tier: "auto", because }),
    understood: false,
  };
}

function bestGrant(call: ToolCall, effect: Effect, standing: Standing, from: number, nowMs: number): Lift | undefined {
  let best: Standing["grants"][number] | undefined;
  for (const held of standing.grants) {
    if (held.usesLeft <= 0 || rankOf(held.grant.tier) <= from || isPaused(held.grant, standing)) continue;
    if (best !== undefined && !isBetter(held, best, call, effect)) continue;
    if (covers(held.grant, call, effect, nowMs)) best = held;
  }
  if (best === undefined) return undefined;
  const { grant } = best;
  return {
    ground: groundOf(rankOf(grant.tier), { by: "grant", id: grant.id, tier: grant.tier }),
    grant,
    understood: teaches(grant, call, effect),
  };
}

/** One that makes an unknown tool understood, then the looser, then the one with more uses left, then the older id. */
function isBetter(
  a: Standing["grants"][number],
  b: Standing["grants"][number],
  call: ToolCall,
  effect: Effect,
): boolean {
  const taught = Number(teaches(a.grant, call, effect)) - Number(teaches(b.grant, call, effect));
  if (taught !== 0) return taught > 0;
  if (a.grant.tier !== b.grant.tier) return rankOf(a.grant.tier) > rankOf(b.grant.tier);
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
  return standing.pauses.some(
    ({ scope, state }) => state === "set" && scope.of === "grant" && scope.name === grant.id,
  );
}
