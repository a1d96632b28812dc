import { expect, test } from "vitest";
import { agent, change, draftOf, T0, W } from "../../../test/fixtures/rows.ts";
import { put, type Write } from "../../core/change.ts";
import { done, entries, expectChained, type Fresh, readRow } from "./reading.ts";

export function changesApplied(fresh: Fresh): void {
  test("the same Change sent twice gives the same answer and is applied once", async () => {
    const store = await fresh();
    await done(store, { do: "turn" });
    const once = change({
      needs: [{ is: "version", ref: { table: "agents", id: "coder" }, version: 0 }],
      writes: [put("agents", agent("coder")), { do: "turn" }, { do: "add", counter: "c", by: 1, untilMs: T0 + 1 }],
      entries: [draftOf(), draftOf()],
    });
    const [first, second] = await Promise.all([store.commit(once), store.commit(once)]);
    await store.commit(change({ entries: [draftOf()] }));
    const third = await store.commit(once);
    expect([first, second, third]).toEqual(Array(3).fill({ ok: true, firstIndex: 1 }));
    expect((await readRow(store, "agents", "coder"))?.version).toBe(1);
    expect((await store.read({ ask: "head", workspace: W })).index).toBe(3);
    expect(await store.read({ ask: "counters", workspace: W, counters: ["c"], nowMs: T0 })).toEqual([1]);
    expect((await store.read({ ask: "standing", workspace: W }))?.epoch).toBe(3);
  });

  test.each([
    ["only entries about a call", [draftOf({ subject: { call: "call_1" } }), draftOf({ subject: { call: "call_1" } })]],
    ["entries before the one about a call", [draftOf(), draftOf({ subject: { call: "call_1" } })]],
    ["entries about no call", [draftOf(), draftOf({ subject: { person: "ana" } })]],
    ["no entries", []],
  ])("a Change with %s is recognised when it is sent again, only in its own workspace", async (_, drafts) => {
    const store = await fresh();
    await store.commit(change({ entries: [draftOf({ subject: { call: "call_1" } })] }));
    const once = change({ writes: [{ do: "add", counter: "c", by: 1, untilMs: T0 + 1 }], entries: drafts });
    const elsewhere = { ...once, workspace: "elsewhere" };
    const firsts = [await store.commit(once), await store.commit(elsewhere)];
    expect(firsts).toEqual([
      { ok: true, firstIndex: 2 },
      { ok: true, firstIndex: 1 },
    ]);
    await store.commit(change({ entries: drafts.map((draft) => ({ ...draft })) }));
    expect([await store.commit(once), await store.commit(elsewhere)]).toEqual(firsts);
    const sums = [W, "elsewhere"].map((workspace) =>
      store.read({ ask: "counters", workspace, counters: ["c"], nowMs: T0 }),
    );
    expect(await Promise.all(sums)).toEqual([[1], [1]]);
  });

  test("Changes committed at the same time are applied one after the other, and a stale one does not affect the others", async () => {
    const store = await fresh();
    const at = (version: number, owner: string) =>
      store.commit(
        change({
          needs: [{ is: "version", ref: { table: "agents", id: "coder" }, version }],
          writes: [put("agents", agent("coder", { owner }))],
          entries: [draftOf({ body: { owner } })],
        }),
      );
    const answers = await Promise.all([at(0, "a"), at(0, "stale"), at(1, "b"), at(1, "stale"), at(2, "c")]);
    expect(answers.map((answer) => (answer.ok ? answer.firstIndex : "stale"))).toEqual([1, "stale", 2, "stale", 3]);
    expect(await readRow(store, "agents", "coder")).toEqual({ row: agent("coder", { owner: "c" }), version: 3 });
    expect((await entries(store)).map((entry) => entry.body?.json)).toEqual([
      { owner: "a" },
      { owner: "b" },
      { owner: "c" },
    ]);
  });

  test.each<[string, Write]>([
    ["text with half of a surrogate pair", put("agents", agent("half \ud800"))],
    ["a time that is not a number", put("agents", agent("late", { registeredMs: Number.NaN }))],
    ["a sum that is not a number", { do: "add", counter: "c", by: Number.NaN, untilMs: T0 + 1 }],
  ])("a Change with %s fails alone: nothing of it is applied, and all Changes sent with it are", async (_, write) => {
    const store = await fresh();
    const named = (name: string, ...more: Write[]) =>
      store.commit(
        change({
          writes: [put("agents", agent(name)), { do: "turn" }, ...more],
          entries: [draftOf({ body: { name } })],
        }),
      );
    const sent = [named("a"), named("bad", write), named("b"), named("worse", write), named("c")];
    const answers = await Promise.allSettled(sent);
    const failed = { status: "rejected", reason: expect.any(Error) };
    const applied = (firstIndex: number) => ({ status: "fulfilled", value: { ok: true, firstIndex } });
    expect(answers).toEqual([applied(1), failed, applied(2), failed, applied(3)]);
    await expect(named("alone", write)).rejects.toThrow();
    expect(await named("d")).toEqual({ ok: true, firstIndex: 4 });
    const kept = await entries(store);
    expect(kept.map((entry) => entry.body?.json["name"])).toEqual(["a", "b", "c", "d"]);
    expectChained(kept);
    const names = ["bad", "worse", "alone"].map((name) => readRow(store, "agents", name));
    expect(await Promise.all(names)).toEqual([undefined, undefined, undefined]);
    expect((await store.read({ ask: "standing", workspace: W }))?.epoch).toBe(5);
    expect(await store.read({ ask: "counters", workspace: W, counters: ["c"], nowMs: T0 })).toEqual([0]);
  });

  test("the standing has the mark that was written last, and the need for an empty ledger is met only once", async () => {
    const store = await fresh();
    const marked = (mark: string) => {
      const writes = [{ do: "turn" as const }, { do: "mark" as const, mark }];
      return store.commit(change({ needs: [{ is: "empty" }], writes, entries: [draftOf()] }));
    };
    expect(await marked("first")).toEqual({ ok: true, firstIndex: 1 });
    expect(await marked("second")).toEqual({ ok: false, stale: { is: "empty" } });
    expect(await store.read({ ask: "standing", workspace: W })).toMatchObject({ epoch: 2, mark: "first" });
    await done(store, { do: "mark", mark: "third" });
    expect(await store.read({ ask: "standing", workspace: W })).toMatchObject({ epoch: 2, mark: "third" });
  });
}
