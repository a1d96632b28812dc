import { expect, test } from "vitest";
import { durationMs, inOrAgo, lasting, momentMs, span } from "./time.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  [0, "0 s"],
  [59_000, "59 s"],
  [4 * MINUTE + 10_000, "4 min"],
  [2 * HOUR + 5 * MINUTE, "2 h 5 min"],
  [23 * HOUR + 59 * MINUTE, "23 h"],
  [DAY + 3 * HOUR, "1 d 3 h"],
  [30 * DAY + HOUR, "30 d"],
])("%d milliseconds are read as %s", (ms, text) => {
  expect(span(ms)).toBe(text);
});

test("times to come and times gone are told apart", () => {
  expect([inOrAgo(HOUR, 0), inOrAgo(0, HOUR), inOrAgo(5, 0)]).toEqual(["in 1 h", "1 h ago", "now"]);
});

test("how long a yes lasts is a time, a number of uses, or both", () => {
  expect(lasting("24h", 1000)).toEqual({ untilMs: 1000 + DAY });
  expect(lasting("5x", 1000)).toEqual({ usesMax: 5 });
  expect(lasting("2h,3x", 1000)).toEqual({ untilMs: 1000 + 2 * HOUR, usesMax: 3 });
  for (const wrong of ["", "0x", "x", "24", "24h,", "-1h", "5 x"]) expect(() => lasting(wrong, 0)).toThrow();
});

test("a duration has a unit, and no duration is nothing", () => {
  expect(durationMs("90s")).toBe(90_000);
  for (const wrong of ["", "0h", "1y", "h", "1.5h", "1 h"])
    expect(() => durationMs(wrong)).toThrow("is not a duration");
});

test("a moment is a date or how long ago", () => {
  expect(momentMs("2h", 10 * HOUR)).toBe(8 * HOUR);
  expect(momentMs("2026-01-31T09:00:00Z", 0)).toBe(Date.UTC(2026, 0, 31, 9));
  for (const wrong of ["yesterday", "2026", "31.1.2026", "2026-99-99"])
    expect(() => momentMs(wrong, 0)).toThrow("is not a time");
});
