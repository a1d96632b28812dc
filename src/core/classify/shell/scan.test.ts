import fc from "fast-check";
import { expect, test } from "vitest";
import { scan } from "./scan.ts";

const words = (line: string) => scan(line).commands.map((command) => command.words.join(" "));

test("plain words and quotes are certain", () => {
  expect(scan("git commit -m 'a b' \"c d\" e\\ f")).toEqual({
    commands: [{ words: ["git", "commit", "-m", "a b", "c d", "e f"], env: [] }],
    notes: [],
    readable: true,
  });
});

test("every command of a line is seen, however it is joined to the others", () => {
  const lines: [string, string[]][] = [
    ["a && b || c; d | e & f", ["a", "b", "c", "d", "e", "f"]],
    ["a\nb", ["a", "b"]],
    ["a $(b c) d", ["a", "b c", "d"]],
    ['a "$(b)" c; d', ["a", "b", " c", "d"]],
    ["a `b`", ["a", "b"]],
    ["(a; b)", ["a", "b"]],
    ["if a; then b; fi", ["a", "b"]],
    ["a <(b) >(c)", ["a", "b", "c"]],
    ["X=1 a", ["a"]],
    ["a > b 2>&1 c", ["a c"]],
    ["a &> b; c", ["a", "c"]],
    ["a \\\n b", ["a b"]],
  ];
  expect(lines.map(([line]) => words(line).map((text) => text.trim()))).toEqual(
    lines.map(([, seen]) => seen.map((text) => text.trim())),
  );
});

test("whatever makes the words uncertain is said", () => {
  const uncertain = [
    "a && b",
    "a $X",
    "a `b`",
    "a > b",
    "X=1 a",
    "a *",
    "a\nb",
    "a {b,c}",
    "a 'b",
    'a "b',
    "a (b",
    "!!",
    "a # b",
  ];
  expect(uncertain.filter((line) => scan(line).notes.length === 0)).toEqual([]);
});

test("what the eye cannot see is not readable", () => {
  const hidden = ["a\rb", "a\u200bb", "a\u202eb", "a\u0000b", "a\u00a0b", "a\u2028b"];
  expect(hidden.filter((line) => scan(line).readable)).toEqual([]);
  expect(scan("x".repeat(20_000)).readable).toBe(false);
});

test("no line makes it throw, and a later command is never swallowed by a closed quote", () => {
  const piece = fc.constantFrom("'x'", '"x"', "$(y)", '"$(y)"', "`y`", "\\'", " ", "(z)", "<(w)", "a=1", "$X", "{q}");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.string({ unit: "binary", maxLength: 40 }), (pieces, noise) => {
      scan(noise);
      expect(words(`${pieces.join(" ")} ; rm -rf x`).at(-1)).toBe("rm -rf x");
    }),
    { numRuns: 2_000 },
  );
});
