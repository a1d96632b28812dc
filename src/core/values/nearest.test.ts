import fc from "fast-check";
import { expect, test } from "vitest";
import { nearest, stepsBetween } from "./nearest.ts";

test("the word with the fewest slips is the one that was meant", () => {
  const words = ["tier", "tiers", "tools", "rules", "because"];
  const typed = ["tire", "tiers_", "tolos", "ruels", "Becuase", "TIER"];
  expect(typed.map((word) => nearest(word, words))).toEqual(["tier", "tiers", "tools", "rules", "because", "tier"]);
});

test("what resembles no word is not guessed at", () => {
  expect(["banana", "x", ""].map((word) => nearest(word, ["tier", "because"]))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(nearest("tier", [])).toBeUndefined();
});

test("a swap of neighbours, a missing, a wrong and an added letter are one slip each", () => {
  expect(["auto", "atuo", "uto", "outo", "autoo", "ouat"].map((word) => stepsBetween(word, "auto"))).toEqual([
    0, 1, 1, 1, 1, 3,
  ]);
});

test("counting stops at the limit and never changes what is within it", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 4 }), (a, b, max) => {
      const steps = stepsBetween(a, b);
      const limited = stepsBetween(a, b, max);
      expect(limited <= max ? limited : "more").toBe(steps <= max ? steps : "more");
    }),
    { numRuns: 1000 },
  );
});

test("a very long text is no mistyped word and costs nothing to compare", () => {
  expect(nearest("a".repeat(1_000_000), ["auto"])).toBeUndefined();
});
