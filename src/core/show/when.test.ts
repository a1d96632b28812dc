import { expect, test } from "vitest";
import { inOrAgo, span, zoneText } from "./when.ts";

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
])("%d milliseconds are shown as %s", (ms, text) => {
  expect(span(ms)).toBe(text);
});

test("future and past times are shown differently", () => {
  expect([inOrAgo(HOUR, 0), inOrAgo(0, HOUR), inOrAgo(5, 0)]).toEqual(["in 1 h", "1 h ago", "now"]);
});

test.each([
  ["UTC", "UTC"],
  ["Asia/Kolkata", "UTC+05:30"],
  ["America/St_Johns", "UTC-03:30"],
])("in the time zone %s, a time is shown as %s", (zone, text) => {
  const before = process.env["TZ"];
  process.env["TZ"] = zone;
  try {
    expect(zoneText(0)).toBe(text);
  } finally {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  }
});
