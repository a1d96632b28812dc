import type { ToolCall } from "../call.ts";
import type { LimitUse } from "../decision.ts";
import { type Effect, readingsOf } from "../effect.ts";
import { say } from "../messages/message.ts";
import { rankOf } from "../tier.ts";
import { actorsOf } from "./actors.ts";
import { classBit, classesOf } from "./class-bits.ts";
import { type Ground, groundOf } from "./compiled.ts";
import { limitReadings } from "./limit.ts";
import { demotions } from "./promotion.ts";
import type { Standing } from "./standing.ts";
import { SILENT, type Tally } from "./tally.ts";

/** Upper limits on the tier, whatever was lifted before; and the limits that the call counts for. */
export type Caps = { grounds: readonly Ground[]; limits: readonly LimitUse[] };

const ASK = rankOf("ask");
export const NO_CAPS: Caps = { grounds: Object.freeze([]), limits: Object.freeze([]) };
const MICROS = 1_000_000;

export function capsOf(call: ToolCall, effect: Effect, standing: Standing, nowMs: number): Caps {
  if (standing.promotions.length === 0 && standing.callback === undefined && !anyLimits(standing)) return NO_CAPS;
  const grounds: Ground[] = [];
  for (const actor of standing.promotions.length === 0 ? [] : actorsOf(call)) {
    pushDemotions(grounds, effect, standing, actor, nowMs);
  }
  const limits = pushLimits(grounds, call, effect, standing, nowMs);
  const { callback } = standing;
  if (callback?.answer === "ask") {
    const because = say("reason.program_asks");
    grounds.push(groundOf(ASK, { by: "callback", name: callback.name, tier: "ask", because }));
  }
  if (callback?.answer === "deny") {
    const { name, reason } = callback;
    grounds.push(groundOf(rankOf("deny"), { by: "callback", name, tier: "deny", because: reason }));
  }
  return { grounds, limits };
}

/**
 * A call that is only partly understood asks. A row or rule that would have allowed it is listed with the reason why
 * it has no effect.
 */
export function understandingCap(effect: Effect, { rank, deciding }: Tally): Ground | undefined {
  const { understood, notes, parts } = effect;
  if (understood === "fully") return undefined;
  const isNamed =
    rank > ASK && rank < SILENT && parts.some((part) => part.class === "unknown") && deciding.some(namesTool);
  const said = isNamed ? [...notes, say("note.policy_counts_once_declared")] : notes;
  return groundOf(ASK, { by: "understanding", understood, notes: said });
}

function namesTool({ cause }: Ground): boolean {
  return cause.by === "rule" || (cause.by === "baseline" && cause.row.of.endsWith("tool"));
}

function pushDemotions(into: Ground[], effect: Effect, standing: Standing, actor: string, nowMs: number): void {
  const present = classesOf(readingsOf(effect).flatMap(({ parts }) => parts));
  for (const { id, tier, because, class: only } of demotions(standing.promotions, actor, nowMs)) {
    if (only !== undefined && (classBit(only) & present) === 0) continue;
    into.push(groundOf(rankOf(tier), { by: "demotion", id, tier, because }));
  }
}

function pushLimits(into: Ground[], call: ToolCall, effect: Effect, standing: Standing, nowMs: number) {
  const { layers, scopes } = standing;
  return limitReadings(call, effect, [...layers, ...scopes], nowMs).map(({ use, limit }) => {
    const usedMicros = standing.used(use.counters);
    if (usedMicros + use.addMicros <= use.maxMicros) return use;
    const { name, then, max, at } = limit;
    into.push(groundOf(rankOf(then), { by: "limit", name, tier: then, used: usedMicros / MICROS, max, at }));
    return { ...use, reached: true };
  });
}

function anyLimits({ layers, scopes }: Standing): boolean {
  for (let i = 0; i < layers.length; i++) if (layers[i]?.limits.length !== 0) return true;
  for (let i = 0; i < scopes.length; i++) if (scopes[i]?.limits.length !== 0) return true;
  return false;
}
