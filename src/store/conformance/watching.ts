import { expect, test } from "vitest";
import { W } from "../../../test/fixtures/rows.ts";
import { done, type Fresh, soon } from "./reading.ts";

export function watchersTold(fresh: Fresh): void {
  test("a watcher hears of Changes to its workspace until it stops", async () => {
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
}
