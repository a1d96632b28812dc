import { expect, test } from "vitest";
import { isLoose, type Syntax } from "./search-pattern.ts";

const LOOSE: Readonly<Record<Syntax, readonly string[]>> = {
  literal: ["", "a", "ab\nc"],
  basic: [
    "",
    ".",
    "a.",
    "[a-z][a-z]",
    "[[:print:]][[:print:]]",
    "ab\\|.",
    "ab\\{0,1\\}",
    "\\(ab\\)*",
    "\\(ab\\)\\?",
    "ab\n.",
    "[^x]*=",
  ],
  extended: [
    ".{2,}",
    "[^x]{2,}",
    "\\x{3d}",
    "\\x3d",
    "\\p{Any}",
    "\\pL\\pL",
    "\\w\\w",
    "(?i)a",
    "(?s)ab",
    "(?x) a # comment",
    "ab|(*ACCEPT)",
    "(*UTF).",
    "(?=ab)",
    "(a|b|c)(a|b|c)",
    "a{0}b",
    "(ab){0,3}",
    "(ab|)",
    "[[a-z]x]y",
    "\\Qab",
    Array.from({ length: 50 }, (_, i) => `a${i}b`).join("|"),
    "ab".repeat(1000),
  ],
};

const PARTICULAR: Readonly<Record<Syntax, readonly string[]>> = {
  literal: ["ab", "a("],
  basic: ["foo(", "a|b", "TODO\\|FIXME", "[Tt]odo", "\\bfoo", "a\\.b", "fo\\{2\\}"],
  extended: [
    "foo|bar",
    "(?i)foo",
    "(?:foo|bar)baz?",
    "(?<!x)foo",
    "[0-9]{4}-[0-9]{2}-[0-9]{2}",
    "fn \\w+\\(",
    "a{2}",
    "(ab)+",
    "[.][.]",
    "\\x41\\x42",
    "^import .* from",
  ],
};

for (const syntax of ["literal", "basic", "extended"] as const) {
  test(`a ${syntax} pattern that requires fewer than two specific letters is loose`, () => {
    expect(LOOSE[syntax].filter((pattern) => !isLoose(pattern, syntax))).toEqual([]);
  });

  test(`a ${syntax} pattern that requires two specific letters is not loose`, () => {
    expect(PARTICULAR[syntax].filter((pattern) => isLoose(pattern, syntax))).toEqual([]);
  });
}
