import { expect, test } from "vitest";
import { approval, change, execution, notice, ready, T0, W } from "../../../test/fixtures/rows.ts";
import { put, type Write } from "../../core/change.ts";
import type { Rows } from "../../core/rows/rows.ts";
import { done, type Fresh } from "./reading.ts";

export function queuesTaken(fresh: Fresh): void {
  const t = { workspace: W, max: 10, leaseMs: 1000, owner: "here" };

  test("due rows are given out once, the longest due first, and again after the lease", async () => {
    const store = await fresh();
    await done(
      store,
      { do: "notice", notice: notice("b", { dueMs: T0 + 2 }) },
      { do: "notice", notice: notice("a", { dueMs: T0 + 1 }) },
      { do: "notice", notice: notice("c", { dueMs: T0 + 2 }) },
      { do: "notice", notice: notice("later", { dueMs: T0 + 500 }) },
    );
    const take = async (nowMs: number, max = 10) =>
      (await store.take("notices", { ...t, max, nowMs })).map((taken) => (taken.row as Rows["notices"]).id);
    expect(await take(T0)).toEqual([]);
    expect(await take(T0 + 2, 2)).toEqual(["ntc_a", "ntc_b"]);
    expect(await take(T0 + 3)).toEqual(["ntc_c"]);
    expect(await take(T0 + 1001)).toEqual(["ntc_later"]);
    expect(await take(T0 + 1002)).toEqual(["ntc_a", "ntc_b"]);
  });

  test("notices to channels outside are taken separately from other notices", async () => {
    const store = await fresh();
    await done(
      store,
      { do: "notice", notice: notice("inside") },
      { do: "notice", notice: notice("outside", { channel: "slack" }) },
    );
    const taken = async (queue: "notices" | "deliveries") =>
      (await store.take(queue, { ...t, nowMs: T0 })).map(({ row }) => (row as Rows["notices"]).id);
    expect([await taken("notices"), await taken("deliveries")]).toEqual([["ntc_inside"], ["ntc_outside"]]);
  });

  test("a message in a channel is found by the question that it shows", async () => {
    const store = await fresh();
    const sent = { state: "delivered", atMs: T0, channel: "slack", sent: { message: "1.2" } } as const;
    const shown = notice("shown", { ...sent, ref: "apr_1" } as Partial<Rows["notices"]>);
    const other = notice("other", { ...sent, ref: "apr_2" } as Partial<Rows["notices"]>);
    await done(
      store,
      { do: "notice", notice: shown },
      { do: "notice", notice: other },
      put("notices", notice("plain")),
    );
    const where = { call: "apr_1" };
    const found = await store.read({ ask: "rows", workspace: W, table: "notices", where, limit: 9, order: "oldest" });
    expect(found.map(({ row }) => row)).toEqual([shown]);
  });

  test("a taken row comes with its version, and changing it ends the lease", async () => {
    const store = await fresh();
    const waiting = notice("a");
    await done(store, { do: "notice", notice: waiting });
    const taken = await store.take("notices", { ...t, nowMs: T0 });
    expect(taken).toEqual([{ table: "notices", row: waiting, version: 1 }]);
    const again = notice("a", { attempts: 1, dueMs: T0 + 5 });
    await done(store, put("notices", again));
    expect(await store.take("notices", { ...t, nowMs: T0 + 5 })).toEqual([
      { table: "notices", row: again, version: 2 },
    ]);
    await done(store, put("notices", notice("a", { state: "delivered", atMs: T0 } as Partial<Rows["notices"]>)));
    expect(await store.take("notices", { ...t, nowMs: T0 + 9_999 })).toEqual([]);
  });

  test("due timers come from every table, in the order of their time", async () => {
    const store = await fresh();
    const claimed = { approval: "apr_0", state: "claimed", attempt: "att_1", owner: "x", claimedMs: T0 } as const;
    await done(
      store,
      put("approvals", approval("1", { answerByMs: T0 + 30 })),
      ready(execution("1", { ...claimed, leaseUntilMs: T0 + 10 } as Partial<Rows["executions"]>)),
      ready(execution("2", { runUntilMs: T0 + 40 })),
      ready(execution("3", { runBy: "leeway" })),
    );
    const timers = await store.take("timers", { ...t, nowMs: T0 + 40 });
    expect(timers.map((taken) => taken.table)).toEqual(["executions", "approvals", "executions"]);
    const runnable = await store.take("executions", { ...t, nowMs: T0 + 40 });
    expect(runnable.map((taken) => (taken.row as Rows["executions"]).id)).toEqual(["exe_3"]);
  });

  test("a taker gets rows of its own workspace only, and neither waits for nor locks those of another", async () => {
    const store = await fresh();
    const others = Array.from({ length: 20 }, (_, i): Write => {
      return { do: "notice", notice: notice(`${i}`, { workspace: "other", dueMs: T0 - 5 }) };
    });
    await store.commit(change({ workspace: "other", writes: others }));
    await done(store, { do: "notice", notice: notice("mine") });
    const take = async (workspace: string) => {
      const taken = await store.take("notices", { ...t, workspace, max: 20, nowMs: T0 });
      return taken.map((one) => one.row.workspace);
    };
    expect(await take(W)).toEqual([W]);
    expect(await take("other")).toEqual(others.map(() => "other"));
    expect([await take("third"), await take("other")]).toEqual([[], []]);
  });

  test("two takers at the same time never get the same row", async () => {
    const store = await fresh();
    await done(store, ...Array.from({ length: 40 }, (_, i): Write => ({ do: "notice", notice: notice(`${i}`) })));
    const taken = await Promise.all(
      Array.from({ length: 8 }, () => store.take("notices", { ...t, max: 7, nowMs: T0 })),
    );
    const found = taken.flat().map((one) => (one.row as Rows["notices"]).id);
    expect([found.length, new Set(found).size]).toEqual([40, 40]);
  });
}
