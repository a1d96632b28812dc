import fc from "fast-check";
import { expect, test } from "vitest";
import { formatDuration, parseDuration } from "./duration.ts";

test("a duration can be in seconds, minutes, hours or days", () => {
  expect(["90s", "30m", "24h", "1d"].map(parseDuration)).toEqual([90_000, 1_800_000, 86_400_000, 86_400_000]);
});

test("any other text is not a duration", () => {
  const wrong = [
    "",
    "1",
    "0s",
    "-1h",
    "1.5h",
    "1 h",
    "1w",
    "1H",
    "h",
    "01h",
    "1h30m",
    "367d",
    "999999999d",
    "Infinityd",
  ];
  expect(wrong.filter((text) => parseDuration(text) !== undefined)).toEqual([]);
});

test("a duration that is printed and parsed again has the same length", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 366 * 86_400 }), (seconds) => {
      expect(parseDuration(formatDuration(seconds * 1000))).toBe(seconds * 1000);
    }),
  );
});
