/** One line of a change. The kept and removed lines are the old text, the kept and added lines the new one. */
export type DiffLine =
  | { is: "same"; before: number; after: number }
  | { is: "removed"; before: number }
  | { is: "added"; after: number };

/** Beyond these limits a diff takes too long to compute; the rest is then shown as removed and added. */
const EDITS_MAX = 1_000;
const STEPS_MAX = 2_000_000;

/** Which lines are kept, removed and added, by their positions; removed lines come before added ones. */
export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const same = (from: number, count: number, shift: number) =>
    Array.from({ length: count }, (_, i): DiffLine => ({ is: "same", before: from + i, after: from + i + shift }));
  const middle = middleOf(before.slice(head, before.length - tail), after.slice(head, after.length - tail)).map(
    (line) => shifted(line, head),
  );
  const shift = after.length - before.length;
  return [...same(0, head, 0), ...goneFirst(middle), ...same(before.length - tail, tail, shift)];
}

function shifted(line: DiffLine, by: number): DiffLine {
  switch (line.is) {
    case "same":
      return { is: "same", before: line.before + by, after: line.after + by };
    case "removed":
      return { is: "removed", before: line.before + by };
    case "added":
      return { is: "added", after: line.after + by };
  }
}

function middleOf(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const trace = before.length === 0 || after.length === 0 ? undefined : traceOf(before, after);
  return trace === undefined ? allChanged(before.length, after.length) : walkedBack(trace, before.length, after.length);
}

/** All lines removed, and all lines added. */
export function allChanged(before: number, after: number): readonly DiffLine[] {
  return [
    ...Array.from({ length: before }, (_, at): DiffLine => ({ is: "removed", before: at })),
    ...Array.from({ length: after }, (_, at): DiffLine => ({ is: "added", after: at })),
  ];
}

/**
 * Myers' algorithm: how far each diagonal reaches with one more edit at a time, until the end of both texts. The row
 * of an edit has the diagonals -edit to +edit. Returns undefined if it would take too many edits or steps.
 */
function traceOf(before: readonly string[], after: readonly string[]): readonly Int32Array[] | undefined {
  const rows: Int32Array[] = [];
  let steps = 0;
  for (let edits = 0; edits <= EDITS_MAX; edits++) {
    const row = new Int32Array(2 * edits + 1);
    const last = rows.at(-1);
    rows.push(row);
    for (let k = -edits; k <= edits; k += 2) {
      let x = startOf(last, edits, k);
      let y = x - k;
      const from = x;
      while (x < before.length && y < after.length && before[x] === after[y]) {
        x++;
        y++;
      }
      row[k + edits] = x;
      if (x >= before.length && y >= after.length) return rows;
      steps += 1 + x - from;
    }
    if (steps > STEPS_MAX) return undefined;
  }
  return undefined;
}

/** Where a diagonal starts with this many edits: below the one above, or right of the one before. */
function startOf(last: Int32Array | undefined, edits: number, k: number): number {
  if (last === undefined) return 0;
  return comesDown(last, edits, k) ? farthest(last, edits, k + 1) : farthest(last, edits, k - 1) + 1;
}

function comesDown(last: Int32Array, edits: number, k: number): boolean {
  return k === -edits || (k !== edits && farthest(last, edits, k - 1) < farthest(last, edits, k + 1));
}

/** The index in the previous row, which has one diagonal less on each side. */
function farthest(last: Int32Array, edits: number, k: number): number {
  return last[k + edits - 1] ?? 0;
}

function walkedBack(rows: readonly Int32Array[], before: number, after: number): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let [x, y] = [before, after];
  for (let edits = rows.length - 1; edits >= 0; edits--) {
    const k = x - y;
    const last = edits === 0 ? undefined : rows[edits - 1];
    const start = startOf(last, edits, k);
    while (x > start) lines.push({ is: "same", before: --x, after: --y });
    if (last === undefined) break;
    if (comesDown(last, edits, k)) lines.push({ is: "added", after: --y });
    else lines.push({ is: "removed", before: --x });
  }
  return lines.reverse();
}

/** Between two kept lines the order is free: removed lines first, then added ones. */
function goneFirst(lines: readonly DiffLine[]): readonly DiffLine[] {
  const ordered: DiffLine[] = [];
  let held: DiffLine[] = [];
  for (const line of lines) {
    if (line.is === "removed") ordered.push(line);
    else if (line.is === "added") held.push(line);
    else {
      for (const one of held) ordered.push(one);
      ordered.push(line);
      held = [];
    }
  }
  return [...ordered, ...held];
}
