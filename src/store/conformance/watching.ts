import { expect, test } from "vitest";
import { notice, W } from "../../../test/fixtures/rows.ts";
import { done, type Fresh, soon } from "./reading.ts";

export function watchersTold(fresh: Fresh): void {
  test("a watcher is told about Changes to its workspace until it stops", async () => {
    const store = await fresh();
    const heard = { [W]: 0, other: 0 };
    const stop = store.watch(W, () => {
      heard[W] += 1;
    });
    store.watch("other", () => {
      heard.other += 1;
    });
    await done(store, { do: "turn" });
    await soon();
    expect(heard[W]).toBeGreaterThan(0);
    expect(heard.other).toBe(0);
    stop();
    const before = heard[W];
    await done(store, { do: "turn" });
    await soon();
    expect(heard[W]).toBe(before);
  });

  test("a watcher hears whether the gate has something to send or to run because of a Change", async () => {
    const store = await fresh();
    const heard: boolean[] = [];
    store.watch(W, ({ queued }) => {
      heard.push(queued);
    });
    await done(store, { do: "turn" });
    await soon();
    expect(heard).toEqual([false]);
    await done(store, { do: "notice", notice: notice("a") });
    await soon();
    expect(heard).toEqual([false, true]);
  });
}
