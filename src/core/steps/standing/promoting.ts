import type { Promotion } from "../../standing/standing.ts";

// Ends promotions that can never have an effect again, so that the rows in force do not grow with every change that
// people ever made.

/** A promotion that has ended, and its former row. */
export type Ended = { now: Promotion; before: Promotion };

/** At most this many promotions are ended at once, so that a Change stays small; the next change ends the rest. */
const ENDED_MAX = 100;

/** Which promotions have no effect any more after this one. */
export function endedBy(made: Promotion, inForce: readonly Promotion[], nowMs: number): readonly Ended[] {
  const scopes = new Map<string, Promotion[]>();
  for (const one of [...inForce, made]) {
    const scope = JSON.stringify([one.agent, one.class ?? ""]);
    const list = scopes.get(scope);
    if (list === undefined) scopes.set(scope, [one]);
    else list.push(one);
  }
  const over = [...scopes.values()].flatMap((all) =>
    all.every((one) => untilMs(one) <= nowMs) ? all : all.filter((one) => all.some((other) => outlasts(other, one))),
  );
  return over
    .filter((one) => one !== made)
    .slice(0, ENDED_MAX)
    .map((before) => ({ before, now: { ...before, endedMs: nowMs } }));
}

/**
 * A newer promotion hides an older one of the same scope as long as it lasts. An older demotion applies again after
 * that, so it has ended only if it does not last longer.
 */
function outlasts(newer: Promotion, older: Promotion): boolean {
  return newer.atMs > older.atMs && untilMs(newer) >= untilMs(older);
}

function untilMs(one: Promotion): number {
  return one.untilMs ?? Number.POSITIVE_INFINITY;
}
