import { expect, test } from "vitest";
import {
  approval,
  call,
  change,
  decidedEntry,
  digest,
  execution,
  ready,
  started,
  T0,
  W,
} from "../../../test/fixtures/rows.ts";
import { type Change, put } from "../../core/change.ts";
import { bare, type Execution } from "../../core/execution.ts";
import { secretOf } from "../../core/secret.ts";
import { done, type Fresh, readRow } from "./reading.ts";

const permitMs = call("1").decision.asking.permitMs;

/** The execution that is created with the call of this id, held by its caller. */
function born(id: string, over: object = {}): Execution {
  const { asking } = call(id).decision;
  const right = bare(execution(id, { attempts: 1, runUntilMs: T0 + asking.permitMs } as object));
  const claim = { attempt: `att_${id}`, owner: "here", claimedMs: T0, leaseUntilMs: T0 + 30_000 };
  return { ...right, state: "claimed", ...claim, ...over } as Execution;
}

function ended(id: string, over: object = {}): Execution {
  const {
    owner: _owner,
    claimedMs: _claimed,
    leaseUntilMs: _lease,
    ...right
  } = born(id) as Execution & {
    owner?: string;
    claimedMs?: number;
    leaseUntilMs?: number;
  };
  const settled = { state: "succeeded", settledMs: T0 + 5, startedMs: T0, settledBy: "caller", delivered: true };
  return { ...right, ...settled, ...over } as Execution;
}

const startedWith = (id: string): Pick<Change, "writes" | "entries"> =>
  started(call(id, { executionId: `exe_${id}` }), born(id));

export function rightsMoved(fresh: Fresh): void {
  test("an execution stored with its call is found by its id, and is settled from its first version", async () => {
    const store = await fresh();
    await store.commit(change(startedWith("1")));
    expect(await readRow(store, "executions", "exe_1")).toEqual({ row: born("1"), version: 1 });
    const end = ended("1", { result: secretOf("what it left") });
    const settle = (from: number) => store.commit(change({ writes: [{ do: "step", right: end, from }] }));
    const stale = { is: "version", ref: { table: "executions", id: "exe_1" }, version: 2 };
    expect(await settle(2)).toEqual({ ok: false, stale });
    expect((await settle(1)).ok).toBe(true);
    expect((await settle(1)).ok).toBe(false);
    const kept = await readRow(store, "executions", "exe_1");
    expect(kept).toEqual({ row: end, version: 2 });
    expect(kept?.row.state === "succeeded" ? kept.row.result?.open() : undefined).toBe("what it left");
  });

  test("an execution that others may look for is found by its state, and its version continues to count", async () => {
    const store = await fresh();
    await store.commit(change(startedWith("1")));
    const unknown = { ...bare(born("1")), state: "unknown", attempt: "att_1", sinceMs: T0 } as Execution;
    await done(store, { do: "step", right: unknown, from: 1 });
    const listed = { ask: "rows", workspace: W, table: "executions", limit: 9, order: "oldest" } as const;
    expect(await store.read({ ...listed, where: { state: "unknown" } })).toEqual([{ row: unknown, version: 2 }]);
    expect(await store.read({ ...listed, where: { idPrefix: "exe_" } })).toEqual([{ row: unknown, version: 2 }]);
    await done(store, { do: "step", right: ended("1"), from: 2 });
    expect(await readRow(store, "executions", "exe_1")).toEqual({ row: ended("1"), version: 3 });
    expect(await store.read({ ask: "count", workspace: W, table: "executions", where: { state: "unknown" } })).toBe(0);
  });

  test("the alarm of an execution stored with its call rings once, and not after the execution ended", async () => {
    const store = await fresh();
    await store.commit(change(startedWith("1")));
    await store.commit(change(startedWith("2")));
    await done(store, { do: "step", right: ended("2"), from: 1 });
    const t = { workspace: W, max: 9, leaseMs: 1000, owner: "here" };
    const minute = T0 + 60_000;
    expect(await store.take("timers", { ...t, nowMs: minute - 1 })).toEqual([]);
    const taken = [{ table: "executions", row: born("1"), version: 1 }];
    expect(await store.take("timers", { ...t, nowMs: minute })).toEqual(taken);
    expect(await store.take("timers", { ...t, nowMs: minute + 999 })).toEqual([]);
    expect(await store.take("timers", { ...t, nowMs: minute + 1000 })).toEqual(taken);
  });

  test("a key belongs to one call, and a call that is decided again keeps its execution", async () => {
    const store = await fresh();
    await store.commit(change(startedWith("1")));
    const twin = call("2", { key: "key 1" });
    const stale = { is: "unique", table: "calls", key: "key 1" };
    expect(await store.commit(change(started(twin)))).toEqual({ ok: false, stale });
    const again = call("1", { atMs: T0 + 9, decision: { ...call("1").decision, tier: "deny" }, outcome: "denied" });
    const decide = (from: number) =>
      change({ writes: [{ do: "start", call: again, from }], entries: [decidedEntry(again)] });
    expect((await store.commit(decide(2))).ok).toBe(false);
    expect((await store.commit(decide(1))).ok).toBe(true);
    expect(await readRow(store, "calls", "call_1")).toEqual({ row: again, version: 2 });
    expect(await readRow(store, "executions", "exe_1")).toEqual({ row: born("1"), version: 1 });
  });

  test("secrets of calls that are committed together can be opened separately, and an erased one cannot be opened", async () => {
    const store = await fresh();
    const ids = Array.from({ length: 20 }, (_, i) => `${i}`);
    const args = (id: string) => secretOf(`arguments of ${id}`);
    await Promise.all(
      ids.map((id) => store.commit(change(started(call(id, { args: args(id), digest: `sha256:${id}` }))))),
    );
    const opened = async (id: string) => (await readRow(store, "calls", `call_${id}`))?.row.args.open();
    expect(await Promise.all(ids.map(opened))).toEqual(ids.map((id) => `arguments of ${id}`));
    const [entry] = await store.read({
      ask: "entries",
      workspace: W,
      where: { subject: { call: "call_7" } },
      limit: 1,
      order: "oldest",
    });
    await done(store, { do: "erase", index: entry?.index ?? 0 });
    await expect(opened("7")).rejects.toThrow("it was erased");
    expect([await opened("6"), await opened("8")]).toEqual(["arguments of 6", "arguments of 8"]);
  });

  test("an agent is quiet until something waits for it: a question about the same digest, an execution or a result", async () => {
    const store = await fresh();
    const isQuiet = async (agent: string, of: typeof digest = digest) =>
      (await store.commit(change({ needs: [{ is: "quiet", agent, digest: of }] }))).ok;
    await store.commit(change(startedWith("1")));
    await done(store, { do: "step", right: ended("1"), from: 1 });
    expect([await isQuiet("coder"), await isQuiet("b")]).toEqual([true, true]);
    await done(store, put("approvals", approval("1", { state: "expired", atMs: T0 } as object)));
    expect([await isQuiet("coder"), await isQuiet("coder", "sha256:other")]).toEqual([false, true]);
    await done(store, ready(execution("8", { agent: "b", runUntilMs: T0 + permitMs })));
    expect([await isQuiet("b", "sha256:other"), await isQuiet("c")]).toEqual([false, true]);
    const left = { ...ended("9", { delivered: false, agent: "c" }), id: "exe_own", runBy: "leeway" } as Execution;
    await done(store, ready(left));
    expect(await isQuiet("c", "sha256:other")).toBe(false);
  });
}
