import { expect, test } from "vitest";
import {
  agent,
  approval,
  call,
  change,
  digest,
  draftOf,
  execution,
  notice,
  ready,
  started,
  T0,
  W,
} from "../../../test/fixtures/rows.ts";
import { put } from "../../core/change.ts";
import { EMPTY_HEAD } from "../../core/ledger.ts";
import { liveKey, type Rows } from "../../core/rows/rows.ts";
import type { RowFilter } from "../../ports.ts";
import { done, type Fresh, idsOf, readRow } from "./reading.ts";

export function rowsKept(fresh: Fresh): void {
  test("a row is read back unchanged, with a version that counts its changes", async () => {
    const store = await fresh();
    expect(await readRow(store, "agents", "coder")).toBeUndefined();
    await done(store, put("agents", agent("coder")));
    expect(await readRow(store, "agents", "coder")).toEqual({ row: agent("coder"), version: 1 });
    await done(store, put("agents", agent("coder", { owner: "ana" })), put("agents", agent("coder", { owner: "ben" })));
    expect(await readRow(store, "agents", "coder")).toEqual({ row: agent("coder", { owner: "ben" }), version: 3 });
  });

  test("a stored row cannot be changed from outside", async () => {
    const store = await fresh();
    const claims = { note: "before" };
    await store.commit(change(started(call("1", { claims }))));
    claims.note = "after";
    expect((await readRow(store, "calls", "call_1"))?.row.claims).toEqual({ note: "before" });
  });

  test("unusual text is kept in every field: emoji, NUL, quotes, line ends, names of the object prototype", async () => {
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
      const right = execution(`${i}`, { agent: `a${text}`, digest: `sha256:${text}`, runBy: "leeway" });
      await store.commit(change(started(row)));
      await done(store, ready(right), put("agents", agent(`a${text}`)));
      expect(await readRow(store, "calls", `call_${i}`)).toEqual({ row, version: 1 });
      expect(await idsOf(store, "calls", { key: `k${text}` })).toEqual([`call_${i}`]);
      expect(await idsOf(store, "executions", { digest: `sha256:${text}`, agent: `a${text}` })).toEqual([`exe_${i}`]);
      expect((await readRow(store, "agents", `a${text}`))?.row.name).toBe(`a${text}`);
    }
    expect(await store.read({ ask: "count", workspace: W, table: "agents", where: {} })).toBe(odd.length);
  });

  test("big rows and whole numbers up to 2^53 - 1 are kept exactly", async () => {
    const store = await fresh();
    const max = Number.MAX_SAFE_INTEGER;
    const row = call("big", { atMs: max, claims: { text: "x".repeat(3_000_000), least: -max, third: 1 / 3 } });
    await store.commit(change(started(row)));
    expect(await readRow(store, "calls", "call_big")).toEqual({ row, version: 1 });
    const late = approval("late", { openedMs: max });
    await done(store, put("approvals", late));
    const found = await store.read({
      ask: "rows",
      workspace: W,
      table: "approvals",
      where: {},
      limit: 5,
      order: "newest",
      after: { sortMs: max, id: "apr_zzz" },
    });
    expect(found).toEqual([{ row: late, version: 1 }]);
  });

  test("rows are found by each fact, and by several facts together", async () => {
    const store = await fresh();
    await done(
      store,
      ready(execution("1", { agent: "a", digest: "sha256:1" })),
      ready(execution("2", { agent: "a", digest: "sha256:2", runBy: "leeway" })),
      ready(execution("3", { agent: "b", digest: "sha256:1", state: "void", atMs: T0, why: "" })),
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

  test("the questions of an agent in one state are listed in order, page by page", async () => {
    const store = await fresh();
    const denied = { state: "denied", atMs: T0, by: "ana", note: "" } as unknown as Partial<Rows["approvals"]>;
    const rows = Array.from({ length: 12 }, (_, i) =>
      approval(`${i}`, { agent: `a${i % 2}`, openedMs: T0 + i, ...(i % 3 === 0 ? denied : {}) }),
    );
    await done(store, ...rows.map((row) => put("approvals", row)));
    const page = async (state: string, after?: { sortMs: number; id: string }) => {
      const where = { agent: "a1", state };
      const asked = { ask: "rows", workspace: W, table: "approvals", where, limit: 3, order: "newest" } as const;
      const found = await store.read(after === undefined ? asked : { ...asked, after });
      return found.map(({ row }) => row.id);
    };
    expect(await page("pending")).toEqual(["apr_11", "apr_7", "apr_5"]);
    expect(await page("pending", { sortMs: T0 + 5, id: "apr_5" })).toEqual(["apr_1"]);
    expect(await page("denied")).toEqual(["apr_9", "apr_3"]);
  });

  test("open questions are listed by their due time, page by page, whatever their reminders; closed ones are not listed", async () => {
    const store = await fresh();
    const denied = { state: "denied", atMs: T0, by: "ana", note: "" } as unknown as Partial<Rows["approvals"]>;
    const remind = { atMs: T0 + 5, done: false };
    const rows = [50, 20, 90, 20, 70].map((ms, i) =>
      approval(`${i}`, { openedMs: T0 + i, answerByMs: T0 + ms, ...(i === 2 ? { remind } : {}) }),
    );
    await done(store, ...rows.map((row) => put("approvals", row)));
    await done(store, put("approvals", approval("over", { answerByMs: T0 + 10, ...denied })));
    const page = async (after?: { sortMs: number; id: string }) => {
      const asked = { ask: "rows", workspace: W, table: "approvals", where: {}, limit: 3, order: "soonest" } as const;
      const found = await store.read(after === undefined ? asked : { ...asked, after });
      return found.map(({ row }) => row.id);
    };
    expect(await page()).toEqual(["apr_1", "apr_3", "apr_0"]);
    expect(await page({ sortMs: T0 + 50, id: "apr_0" })).toEqual(["apr_4", "apr_2"]);
  });

  test("a changed row is found by its new facts, not by its old ones", async () => {
    const store = await fresh();
    await done(store, put("approvals", approval("1")));
    expect(await idsOf(store, "approvals", { key: liveKey("coder", digest) })).toEqual(["apr_1"]);
    await done(store, put("approvals", approval("1", { state: "expired", atMs: T0 } as Partial<Rows["approvals"]>)));
    expect(await idsOf(store, "approvals", { key: liveKey("coder", digest) })).toEqual([]);
    expect(await idsOf(store, "approvals", { state: "pending" })).toEqual([]);
    expect(await idsOf(store, "approvals", { state: "expired" })).toEqual(["apr_1"]);
  });

  test("the count of rows in a state is correct after every kind of change of state", async () => {
    const store = await fresh();
    const counted = (table: "approvals" | "notices", state: string, workspace = W) =>
      store.read({ ask: "count", workspace, table, where: { state } });
    const [open, expired] = [
      approval("1"),
      approval("1", { state: "expired", atMs: T0 } as Partial<Rows["approvals"]>),
    ];
    expect([await counted("approvals", "pending"), await counted("notices", "dead")]).toEqual([0, 0]);
    await done(store, put("approvals", open), put("approvals", approval("2")), put("approvals", open));
    expect(await counted("approvals", "pending")).toBe(2);
    const stale = { is: "version", ref: { table: "approvals", id: "apr_2" }, version: 7 } as const;
    await store.commit(change({ needs: [stale], writes: [put("approvals", approval("3"))] }));
    await store.commit(
      change({ workspace: "other", writes: [put("approvals", approval("1", { workspace: "other" }))] }),
    );
    expect([await counted("approvals", "pending"), await counted("approvals", "pending", "other")]).toEqual([2, 1]);
    await done(store, put("approvals", expired), put("approvals", expired));
    expect([await counted("approvals", "pending"), await counted("approvals", "expired")]).toEqual([1, 1]);
    await done(store, put("approvals", open));
    expect([await counted("approvals", "pending"), await counted("approvals", "expired")]).toEqual([2, 0]);
    const dead = notice("1", { state: "dead", atMs: T0, why: "gone" } as Partial<Rows["notices"]>);
    await done(store, { do: "notice", notice: notice("1") }, { do: "notice", notice: notice("2") });
    await done(store, put("notices", dead));
    expect([await counted("notices", "waiting"), await counted("notices", "dead")]).toEqual([1, 1]);
  });

  test("messages to people are found among the notices of questions, unread and read separately", async () => {
    const store = await fresh();
    const notices = [
      notice("ran"),
      notice("read", { kind: "void", readMs: T0 }),
      notice("asked", { kind: "pending" }),
      notice("resolved", { kind: "resolved", readMs: T0 }),
      notice("mail", { channel: "mail" }),
    ];
    await done(store, ...notices.map((one) => put("notices", one)));
    const found = async (collect: string) => {
      const where = { collect };
      const rows = await store.read({ ask: "rows", workspace: W, table: "notices", where, limit: 9, order: "newest" });
      return rows.map(({ row }) => row.id);
    };
    expect([await found("news"), await found("told")]).toEqual([["ntc_ran"], ["ntc_read"]]);
    await done(store, put("notices", notice("ran", { readMs: T0 + 1 })));
    expect([await found("news"), await found("told")]).toEqual([[], ["ntc_read", "ntc_ran"]]);
  });

  test("questions that somebody has put aside are found among the open ones, and not once they are closed", async () => {
    const store = await fresh();
    const snoozed = [{ by: "ana", untilMs: T0 + 5 }];
    const rows = ["1", "2"].map((id) => approval(id, { digest: `sha256:${id}`, snoozed }));
    await done(store, ...[...rows, approval("3", { digest: "sha256:3" })].map((row) => put("approvals", row)));
    const found = async () => {
      const where = { state: "pending", collect: "snoozed" };
      const rows = await store.read({
        ask: "rows",
        workspace: W,
        table: "approvals",
        where,
        limit: 9,
        order: "oldest",
      });
      return rows.map(({ row }) => row.id);
    };
    expect(await found()).toEqual(["apr_1", "apr_2"]);
    const closed = { state: "expired", atMs: T0 } as Partial<Rows["approvals"]>;
    await done(store, put("approvals", approval("1", { digest: "sha256:1", snoozed, ...closed })));
    expect(await found()).toEqual(["apr_2"]);
  });

  test.each(["newest", "oldest"] as const)("pages, %s first, give every row once, ties by id", async (order) => {
    const store = await fresh();
    const all = Array.from({ length: 25 }, (_, i) =>
      approval(`${i}`.padStart(2, "0"), { openedMs: T0 + Math.floor(i / 4), digest: `sha256:${i}` }),
    );
    for (const row of [...all].reverse()) await done(store, put("approvals", row));
    const seen: string[] = [];
    let after: { sortMs: number; id: string } | undefined;
    for (let page = 0; page < 10; page++) {
      const found = await store.read({
        ask: "rows",
        workspace: W,
        table: "approvals",
        where: { agent: "coder" },
        limit: 7,
        order,
        ...(after === undefined ? {} : { after }),
      });
      seen.push(...found.map(({ row }) => row.id));
      const last = found.at(-1)?.row;
      if (last === undefined) break;
      after = { sortMs: last.openedMs, id: last.id };
    }
    const expected = all.map((row) => row.id);
    expect(seen).toEqual(order === "oldest" ? expected : expected.reverse());
  });

  test("a workspace cannot see the data of another", async () => {
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
    expect(await store.read({ ask: "head", workspace: "third" })).toEqual({ ...EMPTY_HEAD, epoch: 1 });
  });
}
