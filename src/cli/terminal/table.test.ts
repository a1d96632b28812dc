import pc from "picocolors";
import { expect, test } from "vitest";
import { facts, table, wrap, wrapBelow, wrapCommand } from "./table.ts";

const plain = { width: 40, colours: pc.createColors(false) };

test("columns are as wide as their widest cell", () => {
  expect(
    table(
      plain,
      ["A", "LONG"],
      [
        ["1", "x"],
        ["22", "yyyyyy"],
      ],
    ),
  ).toBe("A   LONG\n1   x\n22  yyyyyy");
});

test("a table is never wider than the screen: the named column is cut", () => {
  const text = table(plain, ["ID", "WHAT"], [["apr_1", "w".repeat(80)]]);
  expect(Math.max(...text.split("\n").map((line) => line.length))).toBe(40);
  expect(text).toContain("apr_1");
  expect(text.endsWith("…")).toBe(true);
});

test("colours do not count as width", () => {
  const painted = { width: 40, colours: pc.createColors(true) };
  const [, first = ""] = table(painted, ["TIER", "X"], [[painted.colours.red("deny"), "1"]]).split("\n");
  expect(first).toBe(`${painted.colours.red("deny")}  1`);
});

test("values with several lines stay in their column", () => {
  expect(
    facts(plain, [
      ["name", "one\ntwo"],
      ["n", "x"],
    ]),
  ).toBe("name  one\n      two\nn     x");
});

test("a value that is too long for the screen continues on the next line, aligned with its start", () => {
  const long = "one two three four five six seven eight";
  expect(facts({ ...plain, width: 20 }, [["name", long]])).toBe(
    "name  one two three\n      four five six\n      seven eight",
  );
});

test("a wrapped line is indented by two columns, and a wrapped command can still be copied", () => {
  expect(wrapBelow("    one two three four", 16)).toBe("    one two\n      three four");
  expect(wrapBelow("  short", 16)).toBe("  short");
  expect(wrapCommand("  leeway log --note 'a b c d e' --json", 22)).toBe(
    "  leeway log \\\n    --note \\\n    'a b c d e' \\\n    --json",
  );
});

test("wrapping a line keeps every word", () => {
  expect(wrap("one two three", 8)).toBe("one two\nthree");
  expect(wrap("averyverylongword x", 8)).toBe("averyverylongword\nx");
});

test("control characters are shown escaped in a cell, and the escapes count in its width", () => {
  const out = { width: 80, colours: { dim: (text: string) => text } } as unknown as Parameters<typeof table>[0];
  const shown = table(out, ["NAME", "GROUPS"], [["ana", "ops\x1b[2J\x1b]0;owned\x07\u009b31m\r\n"]]);
  expect(shown.replaceAll("\n", "")).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
  expect(shown).toContain("ops");
});
