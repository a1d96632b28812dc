import { maskText } from "../../masking/redact.ts";
import type { Say } from "../../say/say.ts";
import { allChanged, type DiffLine, diffLines } from "../diff.ts";
import { DIFF_SIGNS, type ExactLine } from "../exact.ts";

/** What a file says, before and after; null if there is no file. */
export type FileTexts = { was: string | null; now: string | null };

/** The changed lines of a file with those around them, and how many there are. */
export type FileDiff = { lines: readonly ExactLine[]; added: number; removed: number };

/** Unchanged lines that are shown before and after a changed one. */
const AROUND = 3;

/**
 * Lines are compared by the real text, because two secrets with the same mask are different. If masking changed the number of
 * lines, no line counts as unchanged.
 */
export function fileDiff({ was, now }: FileTexts, say: Say): FileDiff {
  const [before, after] = [linesOf(was), linesOf(now)];
  const [shownBefore, shownAfter] = [linesOf(masked(was)), linesOf(masked(now))];
  const isAligned = before.length === shownBefore.length && after.length === shownAfter.length;
  const found = isAligned ? diffLines(before, after) : allChanged(shownBefore.length, shownAfter.length);
  const digits = String(Math.max(before.length, after.length)).length;
  const lineOf = (line: DiffLine): ExactLine => {
    const [at, text] =
      line.is === "removed" ? [line.before, shownBefore[line.before]] : [line.after, shownAfter[line.after]];
    const said = text === NO_BREAK ? say.changed.noBreak : text;
    return { text: `${DIFF_SIGNS[line.is]} ${String(at + 1).padStart(digits)} | ${said ?? ""}`, is: line.is };
  };
  return {
    lines: stretches(found).flatMap((one) =>
      "unchanged" in one ? [{ text: `  … ${say.stays(one.unchanged)}`, is: "same" as const }] : one.lines.map(lineOf),
    ),
    added: found.filter(({ is }) => is === "added").length,
    removed: found.filter(({ is }) => is === "removed").length,
  };
}

function masked(text: string | null): string | null {
  return text === null ? null : maskText(text);
}

/** A file whose last line has no line break gets one more line, which no text file can have. */
function linesOf(text: string | null): readonly string[] {
  if (text === null || text === "") return [];
  return text.endsWith("\n") ? text.slice(0, -1).split("\n") : [...text.split("\n"), NO_BREAK];
}

const NO_BREAK = "\0";

type Stretch = { lines: readonly DiffLine[] } | { unchanged: number };

function stretches(found: readonly DiffLine[]): readonly Stretch[] {
  const isNear = new Uint8Array(found.length);
  for (const [at, { is }] of found.entries())
    if (is !== "same") isNear.fill(1, Math.max(0, at - AROUND), at + AROUND + 1);
  const all: Stretch[] = [];
  for (let at = 0; at < found.length; ) {
    let end = at;
    while (end < found.length && isNear[end] === isNear[at]) end++;
    all.push(isNear[at] === 1 ? { lines: found.slice(at, end) } : { unchanged: end - at });
    at = end;
  }
  return all;
}
