import { expect, test } from "vitest";
import { call, change, draftOf, started, T0, W } from "../../../test/fixtures/rows.ts";
import { type Entry, headAfter, linkOf } from "../../core/ledger.ts";
import { secretOf } from "../../core/secret.ts";
import { entries, expectChained, type Fresh, readRow } from "./reading.ts";

export function ledgerChained(fresh: Fresh): void {
  test("entries are chained without gaps, each to its parent, with the hashes that core computes", async () => {
    const store = await fresh();
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        store.commit(change({ entries: [draftOf({ body: { i } }), draftOf({ subject: { call: `call_${i}` } })] })),
      ),
    );
    const found = await entries(store);
    expectChained(found);
    expect(found).toHaveLength(40);
    const head = headAfter(found.at(-1) as Entry);
    expect(await store.read({ ask: "head", workspace: W })).toEqual({ ...head, epoch: 1 });
    expect(await store.read({ ask: "links", workspace: W, afterIndex: 7, limit: 3 })).toEqual(
      found.slice(7, 10).map(linkOf),
    );
  });

  test("an entry is never dated before its parent, even if the clock was set back", async () => {
    const store = await fresh();
    for (const atMs of [T0 + 5, T0, T0 + 5, T0 + 6, 0]) await store.commit(change({ atMs, entries: [draftOf()] }));
    expect((await entries(store)).map((entry) => entry.atMs - T0)).toEqual([5, 5, 5, 6, 6]);
  });

  test("entries are found by index, kind, time, actor and subject, in both directions", async () => {
    const store = await fresh();
    const make = (atMs: number, over: Parameters<typeof draftOf>[0]) =>
      store.commit(change({ atMs, entries: [draftOf(over)] }));
    await make(T0, { kind: "call.decided", actor: "agent:coder", subject: { agent: "coder", call: "call_1" } });
    await make(T0 + 1, { kind: "approval.opened", subject: { agent: "coder", call: "call_1", approval: "apr_1" } });
    await make(T0 + 1, {
      kind: "approval.reviewed",
      actor: "person:ana",
      subject: { approval: "apr_1", person: "ana" },
    });
    await make(T0 + 2, { kind: "grant.created", actor: "person:ana", subject: { grant: "grt_1", tool: "it's" } });
    await make(T0 + 3, { kind: "call.decided", actor: "agent:b", subject: { agent: "b", call: "call_2", trace: "t" } });
    const cases: [Parameters<typeof entries>[1], number[]][] = [
      [{}, [1, 2, 3, 4, 5]],
      [{ afterIndex: 3 }, [4, 5]],
      [{ beforeIndex: 3 }, [1, 2]],
      [{ afterIndex: 1, beforeIndex: 4 }, [2, 3]],
      [{ afterIndex: 9 }, []],
      [{ kinds: ["call.decided"] }, [1, 5]],
      [{ kinds: ["call.decided", "grant.created"] }, [1, 4, 5]],
      [{ kinds: [] }, []],
      [{ fromMs: T0 + 1 }, [2, 3, 4, 5]],
      [{ toMs: T0 + 1 }, [1, 2, 3]],
      [{ fromMs: T0 + 1, toMs: T0 + 2 }, [2, 3, 4]],
      [{ fromMs: T0 + 99 }, []],
      [{ actor: "person:ana" }, [3, 4]],
      [{ subject: { call: "call_1" } }, [1, 2]],
      [{ subject: { approval: "apr_1" } }, [2, 3]],
      [{ subject: { approval: "apr_1", person: "ana" } }, [3]],
      [{ subject: { grant: "grt_1" } }, [4]],
      [{ subject: { tool: "it's" } }, [4]],
      [{ subject: { agent: "b", trace: "t" } }, [5]],
      [{ subject: { agent: "coder" }, kinds: ["approval.opened"], actor: "leeway" }, [2]],
    ];
    for (const [where, expected] of cases) {
      const found = { oldest: await entries(store, where), newest: await entries(store, where, "newest") };
      expect([where, found.oldest.map((e) => e.index)]).toEqual([where, expected]);
      expect([where, found.newest.map((e) => e.index)]).toEqual([where, [...expected].reverse()]);
    }
    expect((await entries(store, {}, "newest", 2)).map((e) => e.index)).toEqual([5, 4]);
  });

  test("an erased body is gone with its salt, and the chain still verifies", async () => {
    const store = await fresh();
    await store.commit(change({ entries: [draftOf({ body: { secret: 1 } }), draftOf({ body: { kept: 2 } })] }));
    const before = await entries(store);
    await store.commit(change({ writes: [{ do: "erase", index: 1 }], entries: [draftOf({ kind: "body.erased" })] }));
    const after = await entries(store);
    const { body: _, ...bare } = before[0] as Entry;
    expect(after.slice(0, 2)).toEqual([bare, before[1]]);
    expectChained(after);
  });

  test("a call is read together with the content of its entry, until that content is erased", async () => {
    const store = await fresh();
    const row = call("1", { cwd: "/project", args: secretOf("abc"), claims: { why: "x" } });
    const { writes, entries: decided } = started(row);
    await store.commit(change({ writes, entries: [draftOf(), ...decided] }));
    expect(await readRow(store, "calls", row.id)).toEqual({ row, version: 1 });
    expect((await readRow(store, "calls", row.id))?.row.args.open()).toBe("abc");
    await store.commit(change({ writes: [{ do: "lead", call: row.id, to: "apr_2" }] }));
    const led = { ...row, approvalId: "apr_2" };
    expect(await readRow(store, "calls", row.id)).toEqual({ row: led, version: 2 });
    expect(
      await store.read({
        ask: "rows",
        workspace: W,
        table: "calls",
        where: { key: row.key },
        limit: 9,
        order: "newest",
      }),
    ).toEqual([{ row: led, version: 2 }]);
    await store.commit(change({ writes: [{ do: "erase", index: 2 }], entries: [draftOf({ kind: "body.erased" })] }));
    const { cwd: _cwd, decision: _decision, effect: _effect, ...rest } = led;
    const found = (await readRow(store, "calls", row.id))?.row;
    expect(found).toMatchObject({ ...rest, claims: {} });
    expect(() => found?.args.open()).toThrow("it was erased");
    expect([found?.cwd, found?.decision.causes, found?.effect.parts[0].targets]).toEqual([
      undefined,
      [{ by: "erased" }],
      [],
    ]);
  });
}
