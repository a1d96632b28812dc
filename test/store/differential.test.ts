import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { type Change, type Need, put, type Write } from "../../src/core/change.ts";
import { bare } from "../../src/core/execution.ts";
import type { Rows } from "../../src/core/rows/rows.ts";
import { secretOf } from "../../src/core/secret.ts";
import type { Query } from "../../src/ports.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { postgresStore } from "../../src/store/postgres/index.ts";
import { sqliteStore } from "../../src/store/sqlite/index.ts";
import { agent, approval, call, change, decidedEntry, draftOf, execution, notice, sealer } from "../fixtures/rows.ts";
import { newDatabase } from "../postgres/database.ts";

const folder = mkdtempSync(join(tmpdir(), "leeway-differential-"));
const opened = [
  { name: "SQLite", runs: 100, open: async () => sqliteStore(join(folder, "leeway.db"), { sealer }) },
  { name: "PostgreSQL", runs: 30, open: async () => postgresStore(await newDatabase(), { sealer }) },
];
afterAll(() => rmSync(folder, { recursive: true }));

const T0 = Date.UTC(2026, 0, 1);
const timeMs = fc.integer({ min: 0, max: 40 }).map((ms) => T0 + ms);
const name = fc.constantFrom("a", "b", "é", "🦊", "\uffee", "x\u0000y");
const small = fc.integer({ min: 0, max: 4 });
const counter = fc.constantFrom("c", "d");
const digest = fc.constantFrom("sha256:1" as const, "sha256:2" as const);
const key = fc.oneof(
  fc.tuple(name, digest).map(([who, what]) => `${who}\n${what}`),
  small.map((n) => `key ${n}`),
);

const write: fc.Arbitrary<Write> = fc.oneof(
  fc.record({ name, owner: name, registeredMs: timeMs }).map((row) => put("agents", agent(row.name, row))),
  fc
    .tuple(small, name, timeMs, digest, fc.constantFrom("pending", "expired", "approved"))
    .map(([id, who, openedMs, what, state]) =>
      put(
        "approvals",
        approval(`${id}`, { agent: who, openedMs, digest: what, state, executionId: `exe_${id}` } as Partial<
          Rows["approvals"]
        >),
      ),
    ),
  fc
    .tuple(
      small,
      small,
      timeMs,
      fc.constantFrom("ready", "claimed", "handed", "succeeded", "unknown"),
      fc.boolean(),
      fc.boolean(),
    )
    .map(([id, from, atMs, state, byLeeway, delivered]): Write => {
      // An execution that was created with its call is never new; any other has its own id.
      const names = byLeeway ? { id: `exe_own${id}` } : {};
      const right = {
        ...bareRight(id, atMs),
        ...names,
        runUntilMs: atMs + 1,
        ...inState(state, atMs, delivered),
      };
      return { do: "step", right: right as Rows["executions"], from: byLeeway ? from % 4 : 1 + (from % 3) };
    }),
  fc.tuple(small, timeMs).map(([id, dueMs]): Write => ({ do: "notice", notice: notice(`${id}`, { dueMs }) })),
  fc.record({ counter, by: fc.integer({ min: -3, max: 5 }), untilMs: timeMs }).map((w): Write => ({ do: "add", ...w })),
  fc.constant<Write>({ do: "turn" }),
  fc.integer({ min: 1, max: 12 }).map((index): Write => ({ do: "erase", index })),
);

const need: fc.Arbitrary<Need> = fc.oneof(
  fc
    .tuple(fc.constantFrom("calls", "approvals", "executions"), small, fc.integer({ min: 0, max: 2 }))
    .map(([table, id, version]): Need => {
      const prefix = { calls: "call", approvals: "apr", executions: "exe" }[table];
      return { is: "version", ref: { table: table as "calls", id: `${prefix}_${id}` }, version };
    }),
  fc.tuple(fc.constantFrom("calls" as const, "approvals" as const), key).map(([table, k]): Need => {
    return { is: "unique", table, key: k };
  }),
  fc.integer({ min: 1, max: 3 }).map((epoch): Need => ({ is: "epoch", epoch })),
  fc.tuple(name, digest).map(([who, what]): Need => ({ is: "quiet", agent: who, digest: what })),
  fc
    .tuple(fc.array(counter, { maxLength: 2 }), fc.integer({ max: 4, min: 0 }))
    .map(([counters, add]): Need => ({ is: "room", counters, add, max: 9 })),
);

const draft = fc
  .tuple(fc.constantFrom("approval.joined", "pause.set", "grant.used"), name, small, fc.jsonValue({ maxDepth: 2 }))
  .map(([kind, who, id, value]) =>
    draftOf({
      kind: kind as "pause.set",
      actor: `agent:${who}`,
      subject: { agent: who, call: `call_${id}`, ...(id === 1 ? { approval: "apr_1" } : {}) },
      body: { value: JSON.parse(JSON.stringify(value)) },
    }),
  );

/** A call of a separate agent and digest, new or decided again, with or without an execution created with it. */
const starting = fc
  .tuple(small, timeMs, fc.constantFrom(0, 0, 0, 1, 2), fc.constantFrom("claimed", "handed", undefined))
  .map(([id, atMs, from, state]) => {
    const born = from === 0 && state !== undefined ? bornRight(id, atMs, state) : undefined;
    const ids = born === undefined ? { approvalId: `apr_${id}` as const } : { executionId: born.id };
    const row = call(`${id}`, { agent: agentOf(id), digest: digestOf(id), atMs, ...ids });
    const start = { do: "start" as const, call: row, from, ...(born === undefined ? {} : { right: born }) };
    salts += 1;
    return { writes: [start], entries: [{ ...decidedEntry(row), salt: salts.toString(16).padStart(32, "0") }] };
  });
let salts = 0;

function agentOf(id: number): string {
  return ["a", "b", "é", "🦊", "x\u0000y"][id] ?? "a";
}

function digestOf(id: number): `sha256:${string}` {
  return id % 2 === 0 ? "sha256:1" : "sha256:2";
}

function bornRight(id: number, atMs: number, state: string): Rows["executions"] {
  return { ...bareRight(id, atMs), ...inState(state, atMs, true) } as Rows["executions"];
}

/** An execution without the fields of a state. */
function bareRight(id: number, atMs: number): object {
  const { asking } = call("0").decision;
  const right = { agent: agentOf(id), digest: digestOf(id), runUntilMs: atMs + asking.permitMs, attempts: 1 };
  return bare(execution(`${id}`, right as Partial<Rows["executions"]>));
}

/** The fields of a state besides the execution. */
function inState(state: string, atMs: number, delivered: boolean): object {
  const attempt = "att_later";
  if (state === "ready") return { state, readyMs: atMs };
  if (state === "claimed") return { state, attempt, owner: "x", claimedMs: atMs, leaseUntilMs: atMs + 9 };
  if (state === "handed") return { state, attempt, handedMs: atMs };
  if (state === "unknown") return { state, attempt, sinceMs: atMs };
  return { state, attempt, settledMs: atMs, settledBy: "caller", delivered, result: secretOf(`result ${atMs}`) };
}

/** No Change moves the same execution twice. */
function eachRightOnce(writes: readonly Write[]): readonly Write[] {
  const moved = new Set<string>();
  return writes.filter((one) => {
    const id = one.do === "step" ? one.right.id : one.do === "start" ? `exe_${one.call.id.slice(5)}` : undefined;
    if (id === undefined) return true;
    const isFirst = !moved.has(id);
    moved.add(id);
    return isFirst;
  });
}

const oneChange = fc
  .record({
    atMs: timeMs,
    needs: fc.array(need, { maxLength: 1 }),
    writes: fc.array(write, { maxLength: 4 }),
    entries: fc.array(draft, { maxLength: 2 }),
    start: fc.option(starting, { nil: undefined, freq: 2 }),
  })
  .map(({ start, writes, entries, ...rest }) => ({
    ...rest,
    writes: eachRightOnce([...(start?.writes ?? []), ...writes]),
    entries: [...entries.slice(0, 1), ...(start?.entries ?? []), ...entries.slice(1)],
  }));
const step = fc.oneof(
  { weight: 5, arbitrary: fc.array(oneChange, { minLength: 1, maxLength: 4 }).map((commit) => ({ commit })) },
  { weight: 1, arbitrary: fc.nat({ max: 9 }).map((again) => ({ again })) },
  {
    weight: 1,
    arbitrary: fc.record({
      take: fc.constantFrom("notices" as const, "timers" as const, "executions" as const),
      max: fc.integer({ min: 1, max: 5 }),
      nowMs: timeMs,
    }),
  },
);

/** Rows say which workspace they belong to. */
function inside(workspace: string): (write: Write) => Write {
  return (write) => {
    if (write.do === "step") return { ...write, right: { ...write.right, workspace } };
    if (write.do !== "start") return write;
    const right = write.right === undefined ? {} : { right: { ...write.right, workspace } };
    return { ...write, call: { ...write.call, workspace }, ...right };
  };
}

let runs = 0;

test.each(opened)(
  "the same random Changes give the same answers, rows and head in memory and $name",
  async ({ open, runs: numRuns }) => {
    const [memory, other] = [memoryStore(), await open()];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        runs += 1;
        const workspace = `w${runs}`;
        const sent: Change[] = [];
        for (const one of steps) {
          if ("take" in one) {
            const t = { workspace, max: one.max, leaseMs: 7, owner: "x", nowMs: one.nowMs };
            expect(await other.take(one.take, t)).toEqual(await memory.take(one.take, t));
            continue;
          }
          const batch =
            "again" in one
              ? sent.slice(one.again, one.again + 1)
              : one.commit.map((c) => change({ ...c, workspace, writes: c.writes.map(inside(workspace)) }));
          sent.push(...batch);
          const answers = await Promise.allSettled(batch.map((c) => other.commit(c)));
          expect(answers).toEqual(await Promise.allSettled(batch.map((c) => memory.commit(c))));
        }
        for (const query of everyQuery(workspace)) {
          expect([query, await other.read(query)]).toEqual([query, await memory.read(query)]);
        }
      }),
      { numRuns: process.env["LEEWAY_PROVE"] === undefined ? numRuns : 50 * numRuns },
    );
    await other.close();
  },
);

function* everyQuery(workspace: string): Iterable<Query> {
  yield { ask: "head", workspace };
  yield { ask: "standing", workspace };
  yield { ask: "counters", workspace, counters: ["c", "d"], nowMs: T0 + 20 };
  yield { ask: "links", workspace, afterIndex: 1, limit: 100 };
  for (const order of ["newest", "oldest"] as const) {
    for (const where of [
      {},
      { fromMs: T0 + 10, toMs: T0 + 30 },
      { subject: { call: "call_1" } },
      { actor: "agent:🦊" },
    ]) {
      yield { ask: "entries", workspace, where, limit: 5, order };
    }
    for (const state of ["ready", "unknown"]) {
      yield { ask: "rows", workspace, table: "executions", where: { state }, limit: 3, order };
      yield { ask: "count", workspace, table: "executions", where: { state } };
    }
    for (const table of ["approvals", "agents", "notices"] as const) {
      yield { ask: "rows", workspace, table, where: {}, limit: 3, order };
      yield {
        ask: "rows",
        workspace,
        table,
        where: { agent: "a" },
        limit: 9,
        order,
        after: { sortMs: T0 + 20, id: "b" },
      };
    }
  }
  for (const id of [0, 1, 2, 3, 4]) {
    yield { ask: "row", workspace, table: "calls", id: `call_${id}` };
    yield { ask: "row", workspace, table: "executions", id: `exe_${id}` };
    yield { ask: "row", workspace, table: "executions", id: `exe_own${id}` };
    yield { ask: "rows", workspace, table: "calls", where: { key: `key ${id}` }, limit: 2, order: "newest" };
    yield { ask: "rows", workspace, table: "calls", where: { idPrefix: `call_${id}` }, limit: 2, order: "newest" };
    yield { ask: "rows", workspace, table: "executions", where: { idPrefix: `exe_${id}` }, limit: 2, order: "newest" };
  }
  for (const callKey of ["key 0", "key 1", "key 9"]) {
    yield {
      ask: "submission",
      workspace,
      callKey,
      agent: "a",
      digest: "sha256:1",
      counters: ["c"],
      nowMs: T0 + 20,
    };
  }
}
