import { expect, test } from "vitest";
import { snoozeUntil } from "./snooze.ts";

const NOON = Date.UTC(2026, 0, 31, 12, 0, 30);
const at = (text: string, zone = "UTC", nowMs = NOON) => {
  const ms = snoozeUntil(text, { nowMs, zone });
  return typeof ms === "number" ? new Date(ms).toISOString() : ms;
};

test.each([
  ["30m", "2026-01-31T12:30:30.000Z"],
  ["2h", "2026-01-31T14:00:30.000Z"],
  ["17:30", "2026-01-31T17:30:00.000Z"],
  ["9:00", "2026-02-01T09:00:00.000Z"],
  ["12:00", "2026-02-01T12:00:00.000Z"],
  ["tomorrow 9:00", "2026-02-01T09:00:00.000Z"],
  ["Tomorrow 17:30", "2026-02-01T17:30:00.000Z"],
  ["2026-02-03T08:00Z", "2026-02-03T08:00:00.000Z"],
  ["2026-02-03T08:00:00+01:00", "2026-02-03T07:00:00.000Z"],
  ["now", "now"],
])("a question can be put aside until %s", (text, found) => {
  expect(at(text)).toBe(found);
});

test.each(["", "soon", "25:00", "9", "2026-02-03", "2026-02-30T99:00Z", "0m", "tomorrow", "-1h"])(
  "%s is no time to put a question aside until",
  (text) => {
    expect(at(text)).toBeUndefined();
  },
);

test("a time of day is meant as clocks show it in the zone, also over a night in which clocks are changed", () => {
  expect(at("tomorrow 9:00", "Asia/Shanghai")).toBe("2026-02-01T01:00:00.000Z");
  // In Berlin clocks are set forward in the night to 29 March.
  const before = Date.UTC(2026, 2, 28, 12);
  expect(at("tomorrow 9:00", "Europe/Berlin", before)).toBe("2026-03-29T07:00:00.000Z");
  // And set back in the night to 25 October.
  const autumn = Date.UTC(2026, 9, 24, 12);
  expect(at("tomorrow 9:00", "Europe/Berlin", autumn)).toBe("2026-10-25T08:00:00.000Z");
});
