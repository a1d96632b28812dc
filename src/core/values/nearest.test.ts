import fc from "fast-check";
import { expect, test } from "vitest";
import { nearest, stepsBetween } from "./nearest.ts";

test("the suggested word is the one with the fewest typing errors", () => {
  const words = ["tier", "tiers", "tools", "rules", "because"];
  const typed = ["tire", "tiers_", "tolos", "ruels", "Becuase", "TIER"];
  expect(typed.map((word) => nearest(word, words))).toEqual(["tier", "tiers", "tools", "rules", "because", "tier"]);
});

test("no word is suggested for a text that resembles none", () => {
  expect(["banana", "x", ""].map((word) => nearest(word, ["tier", "because"]))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(nearest("tier", [])).toBeUndefined();
});

test("two swapped letters, a missing, a wrong and an added letter each count as one error", () => {
  expect(["auto", "atuo", "uto", "outo", "autoo", "ouat"].map((word) => stepsBetween(word, "auto"))).toEqual([
    0, 1, 1, 1, 1, 3,
  ]);
});

test("counting stops at the limit, and results within the limit are exact", () => {
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

test("a very long text is not compared with words", () => {
  expect(nearest("a".repeat(1_000_000), ["auto"])).toBeUndefined();
});
