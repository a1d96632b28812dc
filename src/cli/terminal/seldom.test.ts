import { expect, test } from "vitest";
import { seldom } from "./seldom.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

test("a failure that comes every second is told at once, and then more and more seldom, with how often it came", () => {
  let nowMs = 0;
  const told: unknown[] = [];
  const warn = seldom(
    (one) => told.push([nowMs / MINUTE_MS, one]),
    () => nowMs,
  );
  for (; nowMs < 10 * MINUTE_MS; nowMs += SECOND_MS) warn(new Error(`no answer at port ${nowMs}`));
  expect(told).toEqual([
    [0, { text: "no answer at port 0", times: 1 }],
    [1, { text: "no answer at port 60000", times: 60 }],
    [3, { text: "no answer at port 180000", times: 120 }],
    [7, { text: "no answer at port 420000", times: 240 }],
  ]);
});

test("another failure is told at once, and so is one that was over", () => {
  let nowMs = 0;
  const told: string[] = [];
  const warn = seldom(
    ({ text }) => told.push(text),
    () => nowMs,
  );
  for (const text of ["away", "away", "full"]) warn(text);
  nowMs = 2 * MINUTE_MS;
  warn("away");
  expect(told).toEqual(["away", "full", "away"]);
});
