import fc from "fast-check";
import { expect, test } from "vitest";
import { type DiffLine, diffLines } from "./diff.ts";

/** What a change makes of the old text: its own account, and nothing but it, is followed. */
function applied(before: readonly string[], after: readonly string[], lines: readonly DiffLine[]): readonly string[] {
  return lines.flatMap((line) => {
    if (line.is === "removed") return [];
    return [(line.is === "same" ? before[line.before] : after[line.after]) ?? "missing"];
  });
}

/** As people write it: a sign and the line. */
function written(before: string, after: string): readonly string[] {
  const [from, to] = [before.split("\n"), after.split("\n")];
  return diffLines(from, to).map((line) => {
    if (line.is === "same") return `  ${from[line.before]}`;
    return line.is === "removed" ? `- ${from[line.before]}` : `+ ${to[line.after]}`;
  });
}

test("only what changed is told as a change, what goes before what comes", () => {
  expect(written("a\nb\nc", "a\nx\nc")).toEqual(["  a", "- b", "+ x", "  c"]);
  expect(written("a\nb\nc\nd", "b\nd\ne")).toEqual(["- a", "  b", "- c", "  d", "+ e"]);
  expect(written("a", "a")).toEqual(["  a"]);
  expect(written("a\n", "a")).toEqual(["  a", "- "]);
  expect(written("", "a\nb")).toEqual(["- ", "+ a", "+ b"]);
  expect(written("one\ntwo\nthree\nfour", "one\nthree\ntwo\nfour")).toHaveLength(5);
});

const line = fc.constantFrom("a", "b", "c", "", "}", "  return x;");
const lines = fc.array(line, { maxLength: 40 });

test("whoever follows the change comes from the old text to the new one, and meets each line once, in its order", () => {
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

/** The longest common lines, by the table that everybody knows. */
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

test("no change is told that need not be one", () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const same = diffLines(before, after).filter(({ is }) => is === "same").length;
      expect(same).toBe(longestCommon(before, after));
    }),
  );
});

test("a change made to be slow is given up in time and still told whole", () => {
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
