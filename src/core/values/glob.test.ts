import fc from "fast-check";
import { expect, test } from "vitest";
import { pathPatterns, segmentsOf } from "../decide/patterns.ts";
import { globMatches, mayMatchBelow, segmentsMatch } from "./glob.ts";

const letters = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 12 });
const globs = fc.string({ unit: fc.constantFrom("a", "b", "*", "?", "/"), maxLength: 8 });

/** Tries everything; simple enough to be obviously right. */
function slowMatches(
  pattern: readonly string[],
  text: readonly string[],
  star: string,
  same: (p: string, t: string) => boolean,
): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return text.length === 0;
  if (first === star)
    return slowMatches(rest, text, star, same) || (text.length > 0 && slowMatches(pattern, text.slice(1), star, same));
  return text.length > 0 && same(first, text[0] ?? "") && slowMatches(rest, text.slice(1), star, same);
}

test("a glob matches exactly what an exhaustive search matches", () => {
  fc.assert(
    fc.property(globs, letters, (pattern, text) => {
      expect(globMatches(pattern, text)).toBe(
        slowMatches([...pattern], [...text], "*", (p, t) => p === "?" || p === t),
      );
    }),
    { numRuns: 3000 },
  );
});

test("a path pattern matches exactly what an exhaustive search matches", () => {
  const pattern = fc.array(fc.constantFrom("**", "*", "a", "b", "a*"), { maxLength: 5 });
  const path = fc.array(fc.constantFrom("a", "b", "ab"), { maxLength: 5 });
  fc.assert(
    fc.property(pattern, path, (segments, parts) => {
      expect(segmentsMatch(segments, parts)).toBe(slowMatches(segments, parts, "**", globMatches));
    }),
    { numRuns: 3000 },
  );
});

test("a hostile text does not make matching slow: the work is at most pattern length times text length", () => {
  const text = "a".repeat(20_000);
  expect(globMatches("*a*a*a*a*a*a*a*a*a*b", text)).toBe(false);
  expect(
    segmentsMatch(
      segmentsOf("**/a/**/a/**/a/**/b"),
      Array.from({ length: 5000 }, () => "a"),
    ),
  ).toBe(false);
});

test("a pattern may match below a path if the path can be the start of a match", () => {
  const below = (pattern: string, path: string) => mayMatchBelow(segmentsOf(pattern), segmentsOf(path));
  expect([below("/p/secrets/**", "/p"), below("/p/**/x", "/p/src"), below("/p/*/x", "/p/src")]).toEqual([
    true,
    true,
    true,
  ]);
  expect([below("/p/secrets/**", "/p/src"), below("/q/**", "/p"), below("/p", "/p/src")]).toEqual([
    false,
    false,
    false,
  ]);
});

test("a pattern is relative to the project, absolute, or in a home folder", () => {
  const policy = { root: "/code/shop", home: "/home/ana" };
  expect(pathPatterns("src/**", policy)).toEqual([["code", "shop", "src", "**"]]);
  expect(pathPatterns("/etc/hosts", policy)).toEqual([["etc", "hosts"]]);
  expect(pathPatterns("~/.ssh/**", policy)).toEqual([["home", "ana", ".ssh", "**"]]);
  expect(pathPatterns("~/.ssh", {})).toEqual([
    ["home", "*", ".ssh"],
    ["root", ".ssh"],
    ["Users", "*", ".ssh"],
  ]);
  expect(pathPatterns("src", {})).toEqual([["**", "src"]]);
});
