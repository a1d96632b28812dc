import fc from "fast-check";
import { expect, test } from "vitest";
import { wilsonLowerBound } from "./wilson.ts";

test("the bound matches published values", () => {
  expect(wilsonLowerBound(142, 142)).toBeCloseTo(0.9737, 4);
  expect(wilsonLowerBound(3, 3)).toBeCloseTo(0.4385, 4);
  expect(wilsonLowerBound(90, 100)).toBeCloseTo(0.8256, 4);
  expect(wilsonLowerBound(0, 0)).toBe(0);
  expect(wilsonLowerBound(0, 10)).toBe(0);
});

test("zero successes give exactly zero, despite rounding", () => {
  for (let of = 1; of <= 5000; of++) expect(wilsonLowerBound(0, of)).toBe(0);
});

test("the bound is never above the observed share; a further success never lowers it, and a further failure always does", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), fc.nat(), (of, some) => {
      const good = some % (of + 1);
      const bound = wilsonLowerBound(good, of);
      expect(bound).toBeGreaterThanOrEqual(0);
      expect(bound).toBeLessThanOrEqual(good / of);
      expect(wilsonLowerBound(good + 1, of + 1)).toBeGreaterThanOrEqual(bound);
      if (good > 0) expect(wilsonLowerBound(good, of + 1)).toBeLessThan(bound);
    }),
  );
});
