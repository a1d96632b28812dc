import fc from "fast-check";
import { expect, test } from "vitest";
import { type DiffLine, diffLines } from "./diff.ts";

/** The result of applying a diff to the old text, using only the diff itself. */
function applied(before: readonly string[], after: readonly string[], lines: readonly DiffLine[]): readonly string[] {
  return lines.flatMap((line) => {
    if (line.is === "removed") return [];
    return [(line.is === "same" ? before[line.before] : after[line.after]) ?? "missing"];
  });
}

/** In the usual notation: a sign and the line. */
function written(before: string, after: string): readonly string[] {
  const [from, to] = [before.split("\n"), after.split("\n")];
  return diffLines(from, to).map((line) => {
    if (line.is === "same") return `  ${from[line.before]}`;
    return line.is === "removed" ? `- ${from[line.before]}` : `+ ${to[line.after]}`;
  });
}

test("only changed lines are shown as changes, and removed lines come before added ones", () => {
  expect(written("a\nb\nc", "a\nx\nc")).toEqual(["  a", "- b", "+ x", "  c"]);
  expect(written("a\nb\nc\nd", "b\nd\ne")).toEqual(["- a", "  b", "- c", "  d", "+ e"]);
  expect(written("a", "a")).toEqual(["  a"]);
  expect(written("a\n", "a")).toEqual(["  a", "- "]);
  expect(written("", "a\nb")).toEqual(["- ", "+ a", "+ b"]);
  expect(written("one\ntwo\nthree\nfour", "one\nthree\ntwo\nfour")).toHaveLength(5);
});

const line = fc.constantFrom("a", "b", "c", "", "}", "  return x;");
const lines = fc.array(line, { maxLength: 40 });

test("applying the diff to the old text gives the new text, with each line once and in order", () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const found = diffLines(before, after);
      expect(applied(before, after, found)).toEqual(after);
      expect(found.flatMap((one) => ("before" in one ? [one.before] : []))).toEqual(before.map((_, at) => at));
      expect(found.flatMap((one) => ("after" in one ? [one.after] : []))).toEqual(after.map((_, at) => at));
      for (const one of found) if (one.is === "same") expect(before[one.before]).toBe(after[one.after]);
    }),
  );
});

/** The longest common lines, by the textbook table. */
function longestCommon(before: readonly string[], after: readonly string[]): number {
  let row: number[] = Array.from({ length: after.length + 1 }, () => 0);
  for (const one of before) {
    const next = [0];
    for (const [at, other] of after.entries())
      next.push(one === other ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

test("the diff is as short as possible", () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const same = diffLines(before, after).filter(({ is }) => is === "same").length;
      expect(same).toBe(longestCommon(before, after));
    }),
  );
});

test("for a diff that would take too long, a simple one that is still complete is shown", () => {
  const many = (count: number, name: (at: number) => string) => Array.from({ length: count }, (_, at) => name(at));
  const hostile: readonly (readonly [readonly string[], readonly string[]])[] = [
    [many(300_000, (at) => `a${at}`), many(300_000, (at) => `b${at}`)],
    [many(60_000, (at) => (at % 2 === 0 ? "x" : "y")), many(60_000, (at) => (at % 3 === 0 ? "x" : "y"))],
    [many(60_000, (at) => `${at}`), many(60_000, (at) => `${60_000 - at}`)],
    [
      ["start", ...many(60_000, () => "x")],
      [...many(60_000, () => "x"), "end"],
    ],
  ];
  for (const [before, after] of hostile) {
    const found = diffLines(before, after);
    expect(applied(before, after, found).join("\n") === after.join("\n")).toBe(true);
    expect(found.filter(({ is }) => is !== "added").length).toBe(before.length);
  }
});
