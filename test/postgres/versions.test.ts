import { afterEach, beforeEach, expect, test } from "vitest";
import { put } from "../../src/core/change.ts";
import { say } from "../../src/core/messages/message.ts";
import { submit } from "../../src/gate/calls/submit.ts";
import { type Store, StoreUnavailable } from "../../src/ports.ts";
import { entries, expectChained, readRow } from "../../src/store/conformance/reading.ts";
import { fromSnapshot } from "../../src/store/moving/index.ts";
import { postgresStore } from "../../src/store/postgres/index.ts";
import { MIGRATING_LOCK, VERSION_NOW } from "../../src/store/postgres/server/migrations.ts";
import { patiently } from "../../src/store/postgres/server/patience.ts";
import { type Server, serverAt } from "../../src/store/postgres/server/server.ts";
import { systemClock, systemMint } from "../../src/system.ts";
import { testDeps } from "../../src/testing.ts";
import { agent, change, draftOf, notice, sealer, T0, W } from "../fixtures/rows.ts";
import { policy } from "../store/processes.ts";
import { newDatabase } from "./database.ts";

// This program as the older of two versions: a newer one has changed the database in the way that it does.

let url: string;
let store: Store;
let server: Server;
beforeEach(async () => {
  url = await newDatabase();
  [store, server] = [postgresStore(url, { sealer }), serverAt(url)];
});
afterEach(async () => {
  await store.close();
  await server.close();
});

/**
 * What a newer version does when it starts: columns, a table and an index of its own, in one transaction. PostgreSQL may roll it
 * back because of somebody who writes meanwhile; then it is done again.
 */
const upgrade = (oldest: number) =>
  patiently(
    () =>
      server.use((session) =>
        session.exec(
          "begin; alter table calls add column later text; alter table entries add column later text; " +
            "alter table notices add column later bigint; create table laters (id text primary key); " +
            "create index notices_later on notices (later); " +
            `update versions set version = ${VERSION_NOW + 1}, oldest = ${oldest}; update chains set stamp = stamp + 1; commit`,
        ),
      ),
    60_000,
  );

const STOPPED = new StoreUnavailable(
  "another version of leeway changed the database while it was in use; stop this process and start it again",
  { hint: say("hint.do_as_said") },
);
const UPDATE = "the database was made by a newer version of leeway; update leeway";
const TOO_OLD = new StoreUnavailable(UPDATE, { hint: say("hint.do_as_said") });

test("processes of two versions work beside each other, before, while and after the newer one changes the schema", async () => {
  const gate = (from: Store) => testDeps({ policy, store: from, clock: systemClock, mint: systemMint() });
  const other = postgresStore(url, { sealer });
  const gates = [gate(store), gate(other)];
  let [isOver, calls] = [false, 0];
  const caller = async (deps: (typeof gates)[number], name: string) => {
    for (let i = 0; !isOver; i++) {
      const call = { workspace: W, agent: name, tool: "lookup", args: { i }, callId: `${name}-${i}` };
      expect((await submit(deps, { ...call, traceId: "trace_1", chain: [], claims: {} })).outcome).toBe("run");
      calls += 1;
    }
  };
  const callers = gates.flatMap((deps, g) => [1, 2, 3].map((n) => caller(deps, `agent-${g}-${n}`)));
  const until = async (count: number) => expect.poll(() => calls).toBeGreaterThan(count);
  await until(10);
  await upgrade(VERSION_NOW);
  const before = calls;
  await until(before + 20);
  isOver = true;
  await Promise.all(callers);
  const started = postgresStore(url, { sealer });
  await started.commit(change({ writes: [put("agents", agent("late")), put("notices", notice("1"))] }));
  expect((await readRow(store, "agents", "late"))?.version).toBe(1);
  const taken = await store.take("notices", { workspace: W, max: 5, leaseMs: 1_000, owner: "me", nowMs: T0 + 1e12 });
  expect(taken.map(({ row }) => row)).toMatchObject([{ id: "ntc_1" }]);
  const kept = await entries(store);
  expect(kept.filter(({ kind }) => kind === "call.decided")).toHaveLength(calls);
  expectChained(kept);
  await Promise.all([other.close(), started.close()]);
});

test("if the newer version says that older ones cannot go on, they write and take nothing, and do not start", async () => {
  await store.commit(change({ writes: [put("notices", notice("1"))], entries: [draftOf()] }));
  await upgrade(VERSION_NOW + 1);
  await expect(store.commit(change({ entries: [draftOf()] }))).rejects.toThrow(STOPPED);
  const taking = { workspace: W, max: 5, leaseMs: 1_000, owner: "me", nowMs: T0 + 1e12 };
  expect(await store.take("notices", taking)).toEqual([]);
  const started = postgresStore(url, { sealer });
  await expect(started.commit(change({ entries: [draftOf()] }))).rejects.toThrow(TOO_OLD);
  await expect(started.read({ ask: "head", workspace: W })).rejects.toThrow(TOO_OLD);
  await started.close();
  expect(await entries(store)).toHaveLength(1);
});

test("a backup by an older version would lack what is new, so it is refused", async () => {
  await store.commit(change({ entries: [draftOf()] }));
  await upgrade(VERSION_NOW);
  await expect(fromSnapshot(url, (source) => source.total())).rejects.toThrow(new StoreUnavailable(UPDATE));
});

test("the tables of an empty database are made once by processes that start at the same time", async () => {
  const empty = await newDatabase();
  const { default: pg } = await import("pg");
  const holder = new pg.Client({ connectionString: empty });
  await holder.connect();
  // All of them have seen that there are no tables, and wait.
  await holder.query(`select pg_advisory_lock(${MIGRATING_LOCK})`);
  const stores = Array.from({ length: 4 }, () => postgresStore(empty, { sealer }));
  const heads = Promise.all(stores.map((one) => one.read({ ask: "head", workspace: W })));
  const waiting = "select count(*)::int as count from pg_locks where locktype = 'advisory' and not granted";
  await expect.poll(async () => (await holder.query(waiting)).rows).toEqual([{ count: stores.length }]);
  await holder.end();
  expect((await heads).map(({ index }) => index)).toEqual(stores.map(() => 0));
  await Promise.all(stores.map((one) => one.close()));
});

test("a database of the first version is changed once by many processes that start at the same time", async () => {
  await store.commit(change({ entries: [draftOf()] }));
  await server.use((session) =>
    session.exec("alter table versions drop column oldest; update versions set version = 1"),
  );
  const starting = Array.from({ length: 6 }, () => postgresStore(url, { sealer }));
  const answers = await Promise.all(starting.map((one) => one.commit(change({ entries: [draftOf()] }))));
  expect(answers.map(({ ok }) => ok)).toEqual(answers.map(() => true));
  const [kept] = await server.use((session) => session.run("select version, oldest from versions", []));
  expect(kept).toEqual({ version: VERSION_NOW, oldest: 2 });
  expectChained(await entries(starting[0] as Store));
  await Promise.all(starting.map((one) => one.close()));
});
