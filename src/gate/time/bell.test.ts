import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { systemClock } from "../../system.ts";
import { bellOf } from "./bell.ts";

const LONG_MS = 600_000;

test("a waiter is woken by a ring, or when its time is over", async () => {
  const bell = bellOf(systemClock.sleep);
  const woken = bell.next(LONG_MS);
  bell.ring();
  await woken;
  await bell.next(1);
});

test("a ring while nobody waits is kept once, for the next waiter", async () => {
  const slept: number[] = [];
  const bell = bellOf(async (ms) => {
    slept.push(ms);
  });
  bell.ring();
  bell.ring();
  await bell.next(1);
  expect(slept).toEqual([]);
  await bell.next(2);
  expect(slept).toEqual([2]);
});

test("a listener that was removed is not called again", async () => {
  const signals: AbortSignal[] = [];
  const bell = bellOf((ms, signal) => {
    if (signal !== undefined) signals.push(signal);
    return systemClock.sleep(ms, signal);
  });
  for (let round = 0; round < 20; round++) {
    const woken = bell.next(LONG_MS);
    bell.ring();
    await woken;
  }
  expect(signals.map((signal) => getEventListeners(signal, "abort").length)).toEqual(Array(20).fill(0));
});
