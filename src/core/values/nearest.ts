/** The word somebody most likely meant: at most a third of its letters wrong, swapped, missing or too many. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  let best: { word: string; steps: number } | undefined;
  for (const candidate of words) {
    const steps = stepsBetween(word.toLowerCase(), candidate.toLowerCase());
    if (best === undefined || steps < best.steps) best = { word: candidate, steps };
  }
  if (best === undefined) return undefined;
  return best.steps <= Math.max(1, Math.floor(best.word.length / 3)) ? best.word : undefined;
}

/** Beyond this a text is no mistyped word, and comparing it would only cost time. */
const LENGTH_MAX = 64;

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other; more than `max` is not counted further. */
export function stepsBetween(a: string, b: string, max: number = LENGTH_MAX): number {
  if (a.length > LENGTH_MAX || b.length > LENGTH_MAX) return a === b ? 0 : LENGTH_MAX;
  if (Math.abs(a.length - b.length) > max) return LENGTH_MAX;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        at(above, j) + 1,
        at(row, j - 1) + 1,
        at(above, j - 1) + same,
        swapped ? at(before, j - 2) + 1 : LENGTH_MAX,
      );
    }
    // A swap looks two rows back, so both have to be beyond the limit.
    if (Math.min(...row) > max && Math.min(...above) > max) return LENGTH_MAX;
    before = above;
    above = row;
  }
  return at(above, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? LENGTH_MAX;
}
