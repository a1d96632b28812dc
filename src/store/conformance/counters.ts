import { expect, test } from "vitest";
import { change, T0, W } from "../../../test/fixtures/rows.ts";
import { done, type Fresh } from "./reading.ts";

export function countersKept(fresh: Fresh): void {
  test("a counter expires at its time and then starts from zero", async () => {
    const store = await fresh();
    const sums = (nowMs: number) => store.read({ ask: "counters", workspace: W, counters: ["c", "d"], nowMs });
    await done(
      store,
      { do: "add", counter: "c", by: 4, untilMs: T0 + 10 },
      { do: "add", counter: "d", by: 0.5, untilMs: T0 + 99 },
    );
    await done(store, { do: "add", counter: "c", by: 2, untilMs: T0 + 10 });
    expect([await sums(T0 + 9), await sums(T0 + 10)]).toEqual([
      [6, 0.5],
      [0, 0.5],
    ]);
    await store.commit(change({ atMs: T0 + 10, writes: [{ do: "add", counter: "c", by: 1, untilMs: T0 + 20 }] }));
    expect(await sums(T0 + 10)).toEqual([1, 0.5]);
  });

  test("a returned reservation never makes a counter negative", async () => {
    const store = await fresh();
    await store.commit(change({ atMs: T0 + 10, writes: [{ do: "add", counter: "c", by: -5, untilMs: T0 + 20 }] }));
    expect(await store.read({ ask: "counters", workspace: W, counters: ["c"], nowMs: T0 })).toEqual([0]);
  });

  test("sums near 2^53 are exact", async () => {
    const store = await fresh();
    const max = Number.MAX_SAFE_INTEGER;
    await done(
      store,
      { do: "add", counter: "c", by: max - 1, untilMs: max },
      { do: "add", counter: "c", by: 1, untilMs: max },
    );
    expect(await store.read({ ask: "counters", workspace: W, counters: ["c"], nowMs: T0 })).toEqual([max]);
    expect((await store.commit(change({ needs: [{ is: "room", counters: ["c"], add: 1, max }] }))).ok).toBe(false);
  });
}
