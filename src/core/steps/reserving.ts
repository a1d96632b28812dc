import type { Need, Piece, Write } from "../change.ts";
import type { Decision, LimitUse } from "../decision.ts";
import type { Reserved } from "../execution.ts";
import { grantCounter } from "../grant.ts";
import type { AgentName, CallId, Mint } from "../ids.ts";
import { isStricter } from "../tier.ts";
import { draft } from "./draft.ts";

/** What a start uses of limits and grants, checked and counted in the same Change. */
export type Reservation = { needs: readonly Need[]; writes: readonly Write[]; reserved: readonly Reserved[] };

/**
 * A review is enough for a limit that asks; a limit that refuses must have room. A call that runs despite a full
 * limit counts too.
 */
export function reserveLimits(limits: readonly LimitUse[], reviewed: boolean): Reservation {
  const binding = limits.filter((limit) => (reviewed ? isStricter(limit.then, "suggest") : !limit.reached));
  const reserved = limits.map((limit) => ({ counter: limit.current, by: limit.addMicros, untilMs: limit.untilMs }));
  return {
    needs: binding.map(
      (limit): Need => ({ is: "room", counters: limit.counters, add: limit.addMicros, max: limit.maxMicros }),
    ),
    writes: reserved.map((one): Write => ({ do: "add", ...one })),
    reserved,
  };
}

const FOR_EVER_MS = Number.MAX_SAFE_INTEGER;

/** One use of the grant that the decision depends on. */
export function useGrant(
  decision: Decision,
  usesMax: number | undefined,
  by: { agent: AgentName; call: CallId },
  mint: Mint,
): Piece & { reserved: readonly Reserved[] } {
  const { grant } = decision;
  if (grant === undefined) return { reserved: [] };
  const counter = grantCounter(grant);
  return {
    needs: usesMax === undefined ? [] : [{ is: "room", counters: [counter], add: 1, max: usesMax }],
    writes: [{ do: "add", counter, by: 1, untilMs: FOR_EVER_MS }],
    entries: [draft(mint, { kind: "grant.used", actor: `agent:${by.agent}`, subject: { ...by, grant } })],
    reserved: [{ counter, by: 1, untilMs: FOR_EVER_MS }],
  };
}

/** It certainly did not start, so it does not count. */
export function giveBack(reserved: readonly Reserved[] | undefined): Write[] {
  return (reserved ?? []).map((one) => ({ do: "add", counter: one.counter, by: -one.by, untilMs: one.untilMs }));
}
