import { expect, test } from "vitest";
import { agent, approval, change, digest, draftOf, T0, W } from "../../../test/fixtures/rows.ts";
import { type Need, put } from "../../core/change.ts";
import { EMPTY_HEAD } from "../../core/ledger.ts";
import { liveKey } from "../../core/rows/rows.ts";
import { done, type Fresh, readRow } from "./reading.ts";

export function needsChecked(fresh: Fresh): void {
  test("each need is checked when the Change is applied, and the one that is not met is named", async () => {
    const store = await fresh();
    await done(
      store,
      put("approvals", approval("1")),
      { do: "add", counter: "c", by: 7, untilMs: T0 + 10 },
      { do: "turn" },
    );
    const ref = { table: "approvals", id: "apr_1" } as const;
    const cases: [Need, boolean][] = [
      [{ is: "version", ref, version: 1 }, true],
      [{ is: "version", ref, version: 0 }, false],
      [{ is: "version", ref, version: 2 }, false],
      [{ is: "version", ref: { table: "approvals", id: "apr_2" }, version: 0 }, true],
      [{ is: "unique", table: "approvals", key: liveKey("coder", digest) }, false],
      [{ is: "unique", table: "approvals", key: liveKey("coder", "sha256:other") }, true],
      [{ is: "unique", table: "executions", key: liveKey("coder", digest) }, true],
      [{ is: "epoch", epoch: 2 }, true],
      [{ is: "epoch", epoch: 1 }, false],
      [{ is: "room", counters: ["c"], add: 3, max: 10 }, true],
      [{ is: "room", counters: ["c"], add: 4, max: 10 }, false],
      [{ is: "room", counters: ["c", "unused"], add: 3, max: 10 }, true],
      [{ is: "room", counters: ["c", "c"], add: 0, max: 13 }, false],
    ];
    for (const [need, holds] of cases) {
      const committed = await store.commit(change({ needs: [need] }));
      expect([need, committed]).toEqual([need, holds ? { ok: true, firstIndex: 1 } : { ok: false, stale: need }]);
    }
  });

  test("a stale Change changes nothing, and its id may be used again", async () => {
    const store = await fresh();
    const stale = change({
      needs: [{ is: "epoch", epoch: 99 }],
      writes: [put("agents", agent("coder")), { do: "turn" }, { do: "add", counter: "c", by: 1, untilMs: T0 + 1 }],
      entries: [draftOf()],
    });
    expect((await store.commit(stale)).ok).toBe(false);
    expect(await readRow(store, "agents", "coder")).toBeUndefined();
    expect(await store.read({ ask: "head", workspace: W })).toEqual({ ...EMPTY_HEAD, epoch: 1 });
    expect(await store.commit({ ...stale, needs: [{ is: "epoch", epoch: 1 }] })).toEqual({ ok: true, firstIndex: 1 });
  });

  test("a need for uniqueness among live rows holds when many Changes are committed at the same time", async () => {
    const store = await fresh();
    const key = liveKey("coder", digest);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        store.commit(
          change({
            needs: [{ is: "unique", table: "approvals", key }],
            writes: [put("approvals", approval(`${i}`))],
            entries: [draftOf()],
          }),
        ),
      ),
    );
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    expect(await store.read({ ask: "count", workspace: W, table: "approvals", where: {} })).toBe(1);
    expect((await store.read({ ask: "head", workspace: W })).index).toBe(1);
  });

  test("a limited counter is never exceeded when many Changes are committed at the same time", async () => {
    const store = await fresh();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        store.commit(
          change({
            needs: [{ is: "room", counters: ["spent"], add: 3, max: 100 }],
            writes: [{ do: "add", counter: "spent", by: 3, untilMs: T0 + 1 }],
          }),
        ),
      ),
    );
    expect(answers.filter((answer) => answer.ok)).toHaveLength(33);
    expect(await store.read({ ask: "counters", workspace: W, counters: ["spent"], nowMs: T0 })).toEqual([99]);
  });
}
