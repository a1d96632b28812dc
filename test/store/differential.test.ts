import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { type Change, type Need, put, type Write } from "../../src/core/change.ts";
import type { Rows } from "../../src/core/rows.ts";
import type { Query } from "../../src/ports.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { sqliteStore } from "../../src/store/sqlite/index.ts";
import { agent, approval, call, change, draftOf, execution, notice } from "../fixtures/rows.ts";

const folder = mkdtempSync(join(tmpdir(), "leeway-differential-"));
const memory = memoryStore();
const sqlite = sqliteStore(join(folder, "leeway.db"));
afterAll(async () => {
  await sqlite.close();
  rmSync(folder, { recursive: true });
});

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
    .tuple(small, name, timeMs, digest)
    .map(([id, who, atMs, what]) =>
      put("calls", call(`${id}`, { agent: who, atMs, digest: what, approvalId: `apr_${id}` })),
    ),
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
    .tuple(small, name, timeMs, digest, fc.constantFrom("ready", "claimed", "succeeded", "unknown"), fc.boolean())
    .map(([id, who, runUntilMs, what, state, byLeeway]) => {
      const over = { agent: who, runUntilMs, digest: what, state, leaseUntilMs: runUntilMs, delivered: false };
      const from = id % 2 === 0 ? {} : { approval: `apr_${id}` };
      return put(
        "executions",
        execution(`${id}`, { ...over, ...from, runBy: byLeeway ? "leeway" : "caller" } as Partial<Rows["executions"]>),
      );
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
  fc
    .tuple(fc.array(counter, { maxLength: 2 }), fc.integer({ max: 4, min: 0 }))
    .map(([counters, add]): Need => ({ is: "room", counters, add, max: 9 })),
);

const draft = fc
  .tuple(fc.constantFrom("call.decided", "pause.set", "grant.used"), name, small, fc.jsonValue({ maxDepth: 2 }))
  .map(([kind, who, id, value]) =>
    draftOf({
      kind: kind as "pause.set",
      actor: `agent:${who}`,
      subject: { agent: who, call: `call_${id}`, ...(id === 1 ? { approval: "apr_1" } : {}) },
      body: { value: JSON.parse(JSON.stringify(value)) },
    }),
  );

const oneChange = fc.record({
  atMs: timeMs,
  needs: fc.array(need, { maxLength: 1 }),
  writes: fc.array(write, { maxLength: 4 }),
  entries: fc.array(draft, { maxLength: 2 }),
});
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

let runs = 0;

test("the same random Changes give the same answers, the same rows and the same head in every store", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      runs += 1;
      const workspace = `w${runs}`;
      const sent: Change[] = [];
      for (const one of steps) {
        if ("take" in one) {
          const t = { workspace, max: one.max, leaseMs: 7, owner: "x", nowMs: one.nowMs };
          expect(await sqlite.take(one.take, t)).toEqual(await memory.take(one.take, t));
          continue;
        }
        const batch =
          "again" in one ? sent.slice(one.again, one.again + 1) : one.commit.map((c) => change({ ...c, workspace }));
        sent.push(...batch);
        const answers = await Promise.all(batch.map((c) => sqlite.commit(c)));
        expect(answers).toEqual(await Promise.all(batch.map((c) => memory.commit(c))));
      }
      for (const query of everyQuery(workspace)) {
        expect([query, await sqlite.read(query)]).toEqual([query, await memory.read(query)]);
      }
    }),
    { numRuns: process.env["LEEWAY_PROVE"] === undefined ? 100 : 5_000 },
  );
});

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
    for (const table of ["calls", "approvals", "executions", "agents", "notices"] as const) {
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
