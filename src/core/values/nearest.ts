/** The word that was probably meant: at most a third of its letters are wrong, swapped, missing or extra. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  let best: { word: string; steps: number } | undefined;
  for (const candidate of words) {
    const steps = stepsBetween(word.toLowerCase(), candidate.toLowerCase());
    if (best === undefined || steps < best.steps) best = { word: candidate, steps };
  }
  if (best === undefined) return undefined;
  return best.steps <= Math.max(1, Math.floor(best.word.length / 3)) ? best.word : undefined;
}

/** A longer text is not a typing mistake, and comparing it would only cost time. */
const LENGTH_MAX = 64;

/**
 * The number of insertions, deletions, replacements and swaps that turn one word into the other; counting stops above
 * `max`.
 */
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
    // A swap uses the row before the last one, so both rows must be above the limit.
    if (Math.min(...row) > max && Math.min(...above) > max) return LENGTH_MAX;
    before = above;
    above = row;
  }
  return at(above, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? LENGTH_MAX;
}
