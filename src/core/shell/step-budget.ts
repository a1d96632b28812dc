/** How much reading one call takes: a count of steps and no clock, so that a call is read alike on every machine. */
export type Work = { steps: number };

/**
 * Scripts of a few hundred commands take fewer. What takes more is not understood: from there on loops are gone through
 * once, variables hold anything, and a text that was read before is not read again. Every command is still seen.
 */
export const STEPS_MAX = 8_000;

export function spend(work: Work, steps: number): void {
  work.steps += steps;
}

export function isSpent(work: Work): boolean {
  return work.steps > STEPS_MAX;
}
