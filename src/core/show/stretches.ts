import type { Card } from "./card.ts";

/**
 * Exact lines that belong together; `to` is the first line after them. Folded lines are unchanged lines of a change.
 */
export type Stretch = { from: number; to: number; isFolded: boolean };

/** Lines shown around a change, for context. */
const AROUND = 3;
/** Folding fewer lines would save nothing. */
const FOLDED_MIN = 4;

/** All exact lines in their order, split where something is folded. */
export function stretchesOf({ exact, changes }: Pick<Card, "exact" | "changes">): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let at = 0;
  for (const [place, { is, from, to }] of changes.entries()) {
    if (is !== "same") continue;
    const first = from + (changes[place - 1]?.to === from ? AROUND : 0);
    const end = to - (changes[place + 1]?.from === to ? AROUND : 0);
    if (end - first < FOLDED_MIN) continue;
    if (first > at) stretches.push({ from: at, to: first, isFolded: false });
    stretches.push({ from: first, to: end, isFolded: true });
    at = end;
  }
  if (exact.length > at) stretches.push({ from: at, to: exact.length, isFolded: false });
  return stretches;
}
