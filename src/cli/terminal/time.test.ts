import { expect, test } from "vitest";
import { durationMs, lasting, momentMs } from "./time.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

test("the length of a grant is a duration, a number of uses, or both", () => {
  expect(lasting("24h", 1000)).toEqual({ untilMs: 1000 + DAY });
  expect(lasting("5x", 1000)).toEqual({ usesMax: 5 });
  expect(lasting("2h,3x", 1000)).toEqual({ untilMs: 1000 + 2 * HOUR, usesMax: 3 });
  for (const wrong of ["", "0x", "x", "24", "24h,", "-1h", "5 x"]) expect(() => lasting(wrong, 0)).toThrow();
});

test("a duration has a unit and cannot be zero", () => {
  expect(durationMs("90s")).toBe(90_000);
  for (const zero of ["0h", "0s", "00m"]) expect(() => durationMs(zero)).toThrow("is no time");
  for (const wrong of ["", "1y", "h", "1.5h", "1 h"]) expect(() => durationMs(wrong)).toThrow("is not a duration");
});

test("a point in time is a date, or a duration before now", () => {
  expect(momentMs("2h", 10 * HOUR)).toBe(8 * HOUR);
  expect(momentMs("2026-01-31T09:00:00Z", 0)).toBe(Date.UTC(2026, 0, 31, 9));
  for (const wrong of ["yesterday", "2026", "31.1.2026", "2026-99-99"])
    expect(() => momentMs(wrong, 0)).toThrow("is not a time");
});
