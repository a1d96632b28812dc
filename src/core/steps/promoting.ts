import type { Promotion } from "../standing.ts";

// A promotion that can never have an effect again is ended, so that what is in force does not grow with every move that
// people ever made.

/** A promotion that is over from now on, and as it was. */
export type Ended = { now: Promotion; before: Promotion };

/** So many at once, so that one move never becomes a large Change: the next one ends the rest. */
const ENDED_MAX = 100;

/** Which of those in force have no effect any more once this one is made. */
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
 * A newer one of the same scope hides an older one for as long as it lasts. The older one comes back after that, where it is
 * a demotion: so it is over only where it does not last longer.
 */
function outlasts(newer: Promotion, older: Promotion): boolean {
  return newer.atMs > older.atMs && untilMs(newer) >= untilMs(older);
}

function untilMs(one: Promotion): number {
  return one.untilMs ?? Number.POSITIVE_INFINITY;
}
