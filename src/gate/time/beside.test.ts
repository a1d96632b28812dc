import { expect, test } from "vitest";
import { deliverySlots, HELD_MAX, HELD_MS, PER_CHANNEL_MAX } from "./beside.ts";

/** Slots with a clock that the test moves, and a channel whose deliveries end only when the test says so. */
function slots() {
  const failures: unknown[] = [];
  const hanging: (() => void)[] = [];
  let [nowMs, sent] = [0, 0];
  const made = deliverySlots(
    (error) => failures.push(error),
    () => nowMs,
  );
  const hang = () =>
    new Promise<void>((resolve) => {
      sent += 1;
      hanging.push(resolve);
    });
  const endOne = async () => {
    hanging.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ...made, failures, hang, endOne, sent: () => sent, advance: (ms: number) => (nowMs += ms) };
}

test("a channel that hangs takes only its own slots, and another channel is told at once", async () => {
  const { start, hang, room } = slots();
  for (let n = 0; n < 50; n++) start("slack", hang);
  let isTold = false;
  start("email", async () => {
    isTold = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect([isTold, room()]).toEqual([true, 16 - PER_CHANNEL_MAX]);
});

test("a held delivery starts when another delivery of its channel ends", async () => {
  const { start, hang, endOne, sent } = slots();
  for (let n = 0; n < PER_CHANNEL_MAX + 2; n++) start("slack", hang);
  expect(sent()).toBe(PER_CHANNEL_MAX);
  await endOne();
  expect(sent()).toBe(PER_CHANNEL_MAX + 1);
});

test("of many deliveries to a channel that hangs, few are held in memory, and those that waited too long are not sent", async () => {
  const { start, hang, endOne, sent, advance, failures } = slots();
  for (let n = 0; n < 50_000; n++) start("slack", hang);
  for (let n = 0; n < HELD_MAX; n++) await endOne();
  expect(sent()).toBe(PER_CHANNEL_MAX + HELD_MAX);
  for (let n = 0; n < 50_000; n++) start("slack", hang);
  advance(HELD_MS);
  await endOne();
  expect([sent(), failures]).toEqual([PER_CHANNEL_MAX + HELD_MAX, []]);
});
