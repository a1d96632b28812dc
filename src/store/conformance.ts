import { afterEach, describe, expect, test } from "vitest";
import type { Digest } from "../core/call.ts";
import { type Change, type Committed, type Need, put, type Write } from "../core/change.ts";
import { bodyHashOf, EMPTY_HEAD, type Entry, type EntryDraft, entryHashOf, headAfter, linkOf } from "../core/ledger.ts";
import { liveKey, type Rows, type Table } from "../core/rows.ts";
import type { RowFilter, Store } from "../ports.ts";

// The promises every store keeps. A new store passes this suite by calling it.

export type Opened = {
  store: Store;
  /** Lets go of everything and opens what was kept; only of a store that keeps anything. */
  reopen?: () => Promise<Store>;
  /** Takes away what the test left behind. */
  remove?: () => void;
};

const W = "default";
const T0 = Date.UTC(2026, 0, 1);
const digest: Digest = "sha256:d1";
let ids = 0;

export function change(over: Partial<Change> = {}): Change {
  ids += 1;
  return {
    id: `chg_${String(ids).padStart(9, "0")}`,
    workspace: W,
    atMs: T0,
    needs: [],
    writes: [],
    entries: [],
    ...over,
  };
}

export function draftOf(over: Partial<EntryDraft> = {}): EntryDraft {
  return { kind: "session.ended", actor: "leeway", subject: {}, body: {}, salt: "00".repeat(16), ...over };
}

export function person(name: string): Rows["people"] {
  return { name, workspace: W, admin: true, auditor: false, groups: [], addedMs: T0, state: "active" };
}

export function agent(name: string, over: Partial<Rows["agents"]> = {}): Rows["agents"] {
  return { name, workspace: W, registeredMs: T0, ...over };
}

export function notice(id: string, over: Partial<Rows["notices"]> = {}): Rows["notices"] {
  return {
    id: `ntc_${id}`,
    workspace: W,
    kind: "ran",
    to: "ana",
    title: "coder used write_file",
    text: "fs.write",
    ref: "call_1",
    channel: "inbox",
    createdMs: T0,
    attempts: 0,
    dueMs: T0,
    state: "waiting",
    ...over,
  } as Rows["notices"];
}

export function call(id: string, over: Partial<Rows["calls"]> = {}): Rows["calls"] {
  return {
    id: `call_${id}`,
    workspace: W,
    key: `key ${id}`,
    agent: "coder",
    callId: id,
    tool: "write_file",
    digest,
    args: "sealed:",
    traceId: "trace_1",
    chain: [],
    claims: {},
    effect: { parts: [PART], understood: "fully", notes: [] },
    decision: {
      tier: "ask",
      outcome: "pending",
      needsHuman: false,
      causes: [],
      considered: [],
      limits: [],
      asking: { quorum: 1, expiresMs: 1, permitMs: 1, reviewers: [], selfReview: false, assurance: "any" },
      policyVersion: "sha256:p",
    },
    outcome: "pending",
    atMs: T0,
    ...over,
  };
}

const PART = {
  class: "fs.write",
  capability: "fs.write",
  level: "write",
  targets: [],
  reversible: true,
  reach: "project",
} as const;

export function approval(id: string, over: Partial<Rows["approvals"]> = {}): Rows["approvals"] {
  return {
    id: `apr_${id}`,
    workspace: W,
    call: `call_${id}`,
    agent: "coder",
    tool: "write_file",
    class: "fs.write",
    action: "fs.write",
    tier: "ask",
    digest,
    round: 1,
    needsHuman: false,
    openedMs: T0,
    answerByMs: T0 + 1000,
    permitMs: 1000,
    quorum: 1,
    reviewers: [],
    selfReview: false,
    assurance: "any",
    policyVersion: "sha256:p",
    runBy: "caller",
    idempotent: false,
    capabilities: [],
    evidence: [],
    traceId: "trace_1",
    reviews: [],
    insisted: 0,
    state: "pending",
    ...over,
  } as Rows["approvals"];
}

export function execution(id: string, over: Partial<Rows["executions"]> = {}): Rows["executions"] {
  return {
    id: `exe_${id}`,
    workspace: W,
    call: `call_${id}`,
    approvedInBulk: false,
    agent: "coder",
    tool: "write_file",
    class: "fs.write",
    tier: "ask",
    needsHuman: false,
    approvers: [],
    traceId: "trace_1",
    digest,
    runBy: "caller",
    idempotent: false,
    attempts: 0,
    runUntilMs: T0 + 5000,
    state: "ready",
    readyMs: T0,
    ...over,
  } as Rows["executions"];
}

export function storeConformance(name: string, keeps: { keeps: boolean }, open: () => Promise<Opened>): void {
  describe(name, () => {
    let opened: Opened | undefined;
    const fresh = async (): Promise<Store> => {
      opened = await open();
      return opened.store;
    };
    afterEach(async () => {
      await opened?.store.close();
      opened?.remove?.();
      opened = undefined;
    });
    rows(fresh);
    needs(fresh);
    changes(fresh);
    counters(fresh);
    ledger(fresh);
    submission(fresh);
    queues(fresh);
    watching(fresh);
    if (keeps.keeps) {
      durability(fresh, async () => {
        if (opened?.reopen === undefined) throw new Error("a store that keeps things can be opened again");
        opened.store = await opened.reopen();
        return opened.store;
      });
    }
  });
}

type Fresh = () => Promise<Store>;

function rows(fresh: Fresh): void {
  test("a row comes back as it was put, with a version that counts its changes", async () => {
    const store = await fresh();
    expect(await readRow(store, "agents", "coder")).toBeUndefined();
    await done(store, put("agents", agent("coder")));
    expect(await readRow(store, "agents", "coder")).toEqual({ row: agent("coder"), version: 1 });
    await done(store, put("agents", agent("coder", { owner: "ana" })), put("agents", agent("coder", { owner: "ben" })));
    expect(await readRow(store, "agents", "coder")).toEqual({ row: agent("coder", { owner: "ben" }), version: 3 });
  });

  test("what was put cannot be changed from outside afterwards", async () => {
    const store = await fresh();
    const claims = { note: "before" };
    await done(store, put("calls", call("1", { claims })));
    claims.note = "after";
    expect((await readRow(store, "calls", "call_1"))?.row.claims).toEqual({ note: "before" });
  });

  test("odd text survives everywhere: emoji, NUL, quotes, line ends, keys of the prototype", async () => {
    const store = await fresh();
    const odd = [
      "🦊",
      "a\u0000b",
      `'"\`; drop table calls; --`,
      "%_",
      "\r\n\u2028",
      "",
      "é e\u0301",
      "\u{10ffff}\ufffd",
    ];
    for (const [i, text] of odd.entries()) {
      const claims = JSON.parse(`{"__proto__": {"x": 1}, "constructor": ${JSON.stringify(text)}}`);
      const row = call(`${i}`, { key: `k${text}`, agent: `a${text}`, claims, digest: `sha256:${text}` });
      await done(store, put("calls", row), put("agents", agent(`a${text}`)));
      expect(await readRow(store, "calls", `call_${i}`)).toEqual({ row, version: 1 });
      expect(await idsOf(store, "calls", { key: `k${text}`, agent: `a${text}` })).toEqual([`call_${i}`]);
      expect(await idsOf(store, "calls", { digest: `sha256:${text}` })).toEqual([`call_${i}`]);
      expect((await readRow(store, "agents", `a${text}`))?.row.name).toBe(`a${text}`);
    }
    expect(await store.read({ ask: "count", workspace: W, table: "agents", where: {} })).toBe(odd.length);
  });

  test("big rows and whole numbers up to 2^53 - 1 survive", async () => {
    const store = await fresh();
    const max = Number.MAX_SAFE_INTEGER;
    const row = call("big", { atMs: max, claims: { text: "x".repeat(3_000_000), least: -max, third: 1 / 3 } });
    await done(store, put("calls", row));
    expect(await readRow(store, "calls", "call_big")).toEqual({ row, version: 1 });
    const found = await store.read({
      ask: "rows",
      workspace: W,
      table: "calls",
      where: {},
      limit: 5,
      order: "newest",
      after: { sortMs: max, id: "call_zzz" },
    });
    expect(found).toEqual([{ row, version: 1 }]);
  });

  test("rows are found by each fact alone and by several together", async () => {
    const store = await fresh();
    await done(
      store,
      put("executions", execution("1", { agent: "a", digest: "sha256:1" })),
      put("executions", execution("2", { agent: "a", digest: "sha256:2", runBy: "leeway" })),
      put("executions", execution("3", { agent: "b", digest: "sha256:1", state: "void", atMs: T0, why: "" })),
    );
    const cases: [RowFilter, string[]][] = [
      [{}, ["exe_1", "exe_2", "exe_3"]],
      [{ agent: "a" }, ["exe_1", "exe_2"]],
      [{ state: "ready" }, ["exe_1", "exe_2"]],
      [{ digest: "sha256:1" }, ["exe_1", "exe_3"]],
      [{ call: "call_2" }, ["exe_2"]],
      [{ collect: "permit" }, ["exe_1"]],
      [{ idPrefix: "exe_" }, ["exe_1", "exe_2", "exe_3"]],
      [{ idPrefix: "exe_3" }, ["exe_3"]],
      [{ idPrefix: "EXE" }, []],
      [{ agent: "a", digest: "sha256:1", state: "ready" }, ["exe_1"]],
      [{ key: "nothing" }, []],
    ];
    for (const [where, expected] of cases) {
      expect([where, await idsOf(store, "executions", where)]).toEqual([where, expected]);
      expect(await store.read({ ask: "count", workspace: W, table: "executions", where })).toBe(expected.length);
    }
  });

  test("a row that changed is found by what it is now, not by what it was", async () => {
    const store = await fresh();
    await done(store, put("approvals", approval("1")));
    expect(await idsOf(store, "approvals", { key: liveKey("coder", digest) })).toEqual(["apr_1"]);
    await done(store, put("approvals", approval("1", { state: "expired", atMs: T0 } as Partial<Rows["approvals"]>)));
    expect(await idsOf(store, "approvals", { key: liveKey("coder", digest) })).toEqual([]);
    expect(await idsOf(store, "approvals", { state: "pending" })).toEqual([]);
    expect(await idsOf(store, "approvals", { state: "expired" })).toEqual(["apr_1"]);
  });

  test.each(["newest", "oldest"] as const)("pages, %s first, give every row once, ties by id", async (order) => {
    const store = await fresh();
    const all = Array.from({ length: 25 }, (_, i) => call(`${i}`.padStart(2, "0"), { atMs: T0 + Math.floor(i / 4) }));
    for (const row of [...all].reverse()) await done(store, put("calls", row));
    const seen: string[] = [];
    let after: { sortMs: number; id: string } | undefined;
    for (let page = 0; page < 10; page++) {
      const found = await store.read({
        ask: "rows",
        workspace: W,
        table: "calls",
        where: { agent: "coder" },
        limit: 7,
        order,
        ...(after === undefined ? {} : { after }),
      });
      seen.push(...found.map(({ row }) => row.id));
      const last = found.at(-1)?.row;
      if (last === undefined) break;
      after = { sortMs: last.atMs, id: last.id };
    }
    const expected = all.map((row) => row.id);
    expect(seen).toEqual(order === "oldest" ? expected : expected.reverse());
  });

  test("workspaces see nothing of each other", async () => {
    const store = await fresh();
    await done(
      store,
      put("agents", agent("coder")),
      { do: "add", counter: "c", by: 5, untilMs: T0 + 9 },
      { do: "turn" },
    );
    const other = change({
      workspace: "other",
      needs: [
        { is: "version", ref: { table: "agents", id: "coder" }, version: 0 },
        { is: "epoch", epoch: 1 },
      ],
      writes: [put("agents", agent("coder", { workspace: "other", owner: "ben" }))],
      entries: [draftOf()],
    });
    expect(await store.commit(other)).toEqual({ ok: true, firstIndex: 1 });
    expect((await readRow(store, "agents", "coder"))?.row.owner).toBeUndefined();
    const counted = { ask: "counters", counters: ["c"], nowMs: T0 } as const;
    expect(await store.read({ ...counted, workspace: W })).toEqual([5]);
    expect(await store.read({ ...counted, workspace: "other" })).toEqual([0]);
    expect((await store.read({ ask: "head", workspace: W })).index).toBe(0);
    expect((await store.read({ ask: "head", workspace: "other" })).index).toBe(1);
    expect(await store.read({ ask: "head", workspace: "third" })).toEqual(EMPTY_HEAD);
  });
}

function needs(fresh: Fresh): void {
  test("each need is checked when the Change is applied, and the one that failed is named", async () => {
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

  test("a stale Change leaves no trace, and its id may be used again", async () => {
    const store = await fresh();
    const stale = change({
      needs: [{ is: "epoch", epoch: 99 }],
      writes: [put("agents", agent("coder")), { do: "turn" }, { do: "add", counter: "c", by: 1, untilMs: T0 + 1 }],
      entries: [draftOf()],
    });
    expect((await store.commit(stale)).ok).toBe(false);
    expect(await readRow(store, "agents", "coder")).toBeUndefined();
    expect(await store.read({ ask: "head", workspace: W })).toEqual(EMPTY_HEAD);
    expect(await store.commit({ ...stale, needs: [{ is: "epoch", epoch: 1 }] })).toEqual({ ok: true, firstIndex: 1 });
  });

  test("unique among live rows holds when many ask at once", async () => {
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

  test("room is never overdrawn when many ask at once", async () => {
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

function changes(fresh: Fresh): void {
  test("the same Change sent again gives the same answer and has one effect", async () => {
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

  test("many at once are a serial order, and a stale one in the middle is stale alone", async () => {
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

  test("the epoch turns once per turn, and the standing is read only when it did", async () => {
    const store = await fresh();
    expect(await store.read({ ask: "standing", workspace: W })).toEqual({ epoch: 1, ...NOBODY });
    expect(await store.read({ ask: "standing", workspace: W, knownEpoch: 1 })).toBeUndefined();
    await done(store, put("people", person("ben")), put("people", person("ana")), { do: "turn" }, { do: "turn" });
    expect(await store.read({ ask: "standing", workspace: W, knownEpoch: 1 })).toEqual({
      epoch: 3,
      ...NOBODY,
      people: [person("ben"), person("ana")],
    });
    expect(await store.read({ ask: "standing", workspace: W, knownEpoch: 3 })).toBeUndefined();
  });
}

const NOBODY = { grants: [], people: [], pauses: [], promotions: [], policies: [] };

function counters(fresh: Fresh): void {
  test("a counter ends with its time and starts over from nothing", async () => {
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

  test("room given back never becomes more than there was", async () => {
    const store = await fresh();
    await store.commit(change({ atMs: T0 + 10, writes: [{ do: "add", counter: "c", by: -5, untilMs: T0 + 20 }] }));
    expect(await store.read({ ask: "counters", workspace: W, counters: ["c"], nowMs: T0 })).toEqual([0]);
  });

  test("sums near 2^53 are kept as they are", async () => {
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

function ledger(fresh: Fresh): void {
  test("entries are chained without gaps, each on its parent, and hash as core says", async () => {
    const store = await fresh();
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        store.commit(change({ entries: [draftOf({ body: { i } }), draftOf({ subject: { call: `call_${i}` } })] })),
      ),
    );
    const found = await entries(store);
    expectChained(found);
    expect(found).toHaveLength(40);
    const head = found.reduce(headAfter, EMPTY_HEAD);
    expect(await store.read({ ask: "head", workspace: W })).toEqual(head);
    expect(await store.read({ ask: "links", workspace: W, afterIndex: 7, limit: 3 })).toEqual(
      found.slice(7, 10).map(linkOf),
    );
  });

  test("an entry is never dated before its parent, whatever the clock did", async () => {
    const store = await fresh();
    for (const atMs of [T0 + 5, T0, T0 + 5, T0 + 6, 0]) await store.commit(change({ atMs, entries: [draftOf()] }));
    expect((await entries(store)).map((entry) => entry.atMs - T0)).toEqual([5, 5, 5, 6, 6]);
  });

  test("entries are found by place, kind, time, actor and subject, in both directions", async () => {
    const store = await fresh();
    const make = (atMs: number, over: Partial<EntryDraft>) => store.commit(change({ atMs, entries: [draftOf(over)] }));
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
}

function submission(fresh: Fresh): void {
  test("one reading tells all that a submission needs", async () => {
    const store = await fresh();
    const of = { ask: "submission", workspace: W, agent: "coder", digest, counters: ["c"], nowMs: T0 } as const;
    const nothing = { epoch: 1, permits: [], pendingOfAgent: 0, approvedOfAgent: [], counters: [0] };
    expect(await store.read({ ...of, callKey: "key 1" })).toEqual(nothing);
    const denied = { state: "denied", atMs: T0, by: "ana", note: "" } as Partial<Rows["approvals"]>;
    const approved = { state: "approved", atMs: T0, executionId: "exe_1" } as Partial<Rows["approvals"]>;
    const result = {
      state: "succeeded",
      attempt: "att_1",
      settledMs: T0,
      settledBy: "runner",
      delivered: false,
      runBy: "leeway",
    } as Partial<Rows["executions"]>;
    const kept = {
      call: call("1", { approvalId: "apr_1" }),
      own: approval("1", { ...approved, openedMs: T0 + 1 }),
      live: approval("2", { openedMs: T0 + 2 }),
      latest: approval("3", { ...denied, openedMs: T0 + 3 }),
      first: execution("1", { approval: "apr_1" }),
      second: execution("0", { runUntilMs: T0 + 6000 }),
      undelivered: execution("2", result),
    };
    await done(
      store,
      put("calls", kept.call),
      put("calls", call("2")),
      put("approvals", kept.latest),
      put("approvals", kept.live),
      put("approvals", kept.own),
      put("approvals", approval("4", { digest: "sha256:other" })),
      put("approvals", approval("5", { agent: "b" })),
      put("executions", kept.second),
      put("executions", kept.first),
      put("executions", kept.undelivered),
      put("executions", execution("3", { digest: "sha256:other", approval: "apr_9", runUntilMs: T0 })),
      put("executions", execution("4", { agent: "b", approval: "apr_8" })),
      { do: "add", counter: "c", by: 2, untilMs: T0 + 1 },
      { do: "turn" },
    );
    expect(await store.read({ ...of, callKey: "key 1" })).toEqual({
      epoch: 2,
      call: { row: kept.call, version: 1 },
      approval: { row: kept.own, version: 1 },
      execution: { row: kept.first, version: 1 },
      live: { row: kept.live, version: 1 },
      latest: { row: kept.latest, version: 1 },
      permits: [
        { row: kept.first, version: 1 },
        { row: kept.second, version: 1 },
      ],
      undelivered: { row: kept.undelivered, version: 1 },
      pendingOfAgent: 2,
      approvedOfAgent: ["apr_9", "apr_1"],
      counters: [2],
    });
  });
}

function queues(fresh: Fresh): void {
  const t = { max: 10, leaseMs: 1000, owner: "here" };

  test("due rows are handed out once, the longest due first, and come back after the lease", async () => {
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

  test("what was taken is the row with its version, and changing it ends its hiding", async () => {
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

  test("timers come from every table and every workspace, in the order of their time", async () => {
    const store = await fresh();
    const claimed = { state: "claimed", attempt: "att_1", owner: "x", claimedMs: T0 } as const;
    await done(
      store,
      put("approvals", approval("1", { answerByMs: T0 + 30 })),
      put("executions", execution("1", { ...claimed, leaseUntilMs: T0 + 10 } as Partial<Rows["executions"]>)),
      put("executions", execution("2", { runUntilMs: T0 + 40 })),
      put("executions", execution("3", { runBy: "leeway" })),
    );
    const other = approval("1", { workspace: "other", answerByMs: T0 + 20 });
    await store.commit(change({ workspace: "other", writes: [put("approvals", other)] }));
    const timers = await store.take("timers", { ...t, nowMs: T0 + 40 });
    expect(timers.map((taken) => [taken.row.workspace, taken.table])).toEqual([
      [W, "executions"],
      ["other", "approvals"],
      [W, "approvals"],
      [W, "executions"],
    ]);
    const runnable = await store.take("executions", { ...t, nowMs: T0 + 40 });
    expect(runnable.map((taken) => (taken.row as Rows["executions"]).id)).toEqual(["exe_3"]);
  });

  test("two who take at once never get the same row", async () => {
    const store = await fresh();
    await done(store, ...Array.from({ length: 40 }, (_, i): Write => ({ do: "notice", notice: notice(`${i}`) })));
    const taken = await Promise.all(
      Array.from({ length: 8 }, () => store.take("notices", { ...t, max: 7, nowMs: T0 })),
    );
    const found = taken.flat().map((one) => (one.row as Rows["notices"]).id);
    expect([found.length, new Set(found).size]).toEqual([40, 40]);
  });
}

function watching(fresh: Fresh): void {
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

function durability(fresh: Fresh, again: Fresh): void {
  test("what was committed is there after opening again, and known ids are still known", async () => {
    const store = await fresh();
    const once = change({ writes: [put("agents", agent("coder")), { do: "turn" }], entries: [draftOf()] });
    const first = await store.commit(once);
    const head = await store.read({ ask: "head", workspace: W });
    const second = await again();
    expect(await readRow(second, "agents", "coder")).toEqual({ row: agent("coder"), version: 1 });
    expect(await second.read({ ask: "head", workspace: W })).toEqual(head);
    expect(await second.commit(once)).toEqual(first);
    expect((await second.read({ ask: "standing", workspace: W }))?.epoch).toBe(2);
    await second.commit(change({ entries: [draftOf()] }));
    expectChained(await entries(second));
  });
}

/** A Change that must succeed. */
async function done(store: Store, ...writes: Write[]): Promise<Committed> {
  const committed = await store.commit(change({ writes }));
  expect(committed.ok).toBe(true);
  return committed;
}

function readRow<T extends Table>(
  store: Store,
  table: T,
  id: string,
): Promise<{ row: Rows[T]; version: number } | undefined> {
  return store.read({ ask: "row", workspace: W, table, id }) as Promise<{ row: Rows[T]; version: number } | undefined>;
}

async function idsOf(store: Store, table: "calls" | "approvals" | "executions", where: RowFilter): Promise<string[]> {
  const found = await store.read({ ask: "rows", workspace: W, table, where, limit: 100, order: "oldest" });
  return found.map(({ row }) => row.id).sort();
}

async function entries(
  store: Store,
  where: Extract<Parameters<Store["read"]>[0], { ask: "entries" }>["where"] = {},
  order: "newest" | "oldest" = "oldest",
  limit = 1000,
): Promise<readonly Entry[]> {
  return store.read({ ask: "entries", workspace: W, where, limit, order });
}

/** Index, parent, time, body hash and hash, each worked out again. */
export function expectChained(found: readonly Entry[]): void {
  let previous: Entry | undefined;
  for (const entry of found) {
    const { hash, body, ...bare } = entry;
    expect(entry.index).toBe((previous?.index ?? 0) + 1);
    expect(entry.previous).toBe(previous?.hash ?? null);
    expect(entry.atMs).toBeGreaterThanOrEqual(previous?.atMs ?? 0);
    if (body !== undefined) expect(entry.bodyHash).toBe(bodyHashOf(body.salt, body.json));
    expect(hash).toBe(entryHashOf(bare));
    previous = entry;
  }
}

function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}
