import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { agent, change, draftOf, sealer, T0, W } from "../../../test/fixtures/rows.ts";
import { newDatabase } from "../../../test/postgres/database.ts";
import { policy } from "../../../test/store/processes.ts";
import { put } from "../../core/change.ts";
import { say } from "../../core/messages/message.ts";
import { submit } from "../../gate/calls/submit.ts";
import { type Store, StoreUnavailable } from "../../ports.ts";
import { systemClock, systemMint } from "../../system.ts";
import { testDeps } from "../../testing.ts";
import { entries, expectChained, readRow } from "../conformance/reading.ts";
import { postgresStore } from "./index.ts";
import { patiently } from "./server/patience.ts";
import { type Server, serverAt } from "./server/server.ts";

let store: Store;
let other: Store;
let server: Server;
beforeEach(async () => {
  const url = await newDatabase();
  [store, other, server] = [postgresStore(url, { sealer }), postgresStore(url, { sealer }), serverAt(url)];
});
afterEach(async () => {
  await Promise.all([store.close(), other.close()]);
  await server.close();
});

const run = (sql: string) => server.use((session) => session.exec(sql));

/** Ends the connections of everybody else, as a restart does. */
const endOthers = () =>
  run(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );

test("two processes that commit in turns see each other's Changes, and build one chain", async () => {
  for (let version = 0; version < 20; version++) {
    const next = change({
      needs: [{ is: "version", ref: { table: "agents", id: "coder" }, version }],
      writes: [put("agents", agent("coder", { owner: `${version}` }))],
      entries: [draftOf({ body: { version } })],
    });
    const [one, two] = version % 2 === 0 ? [store, other] : [other, store];
    expect(await one.commit(next)).toEqual({ ok: true, firstIndex: version + 1 });
    expect(await two.commit({ ...next, id: `${next.id}_again` })).toMatchObject({ ok: false });
  }
  expectChained(await entries(store));
});

test("a limit is never exceeded by many callers of several processes", async () => {
  const spend = (from: Store) =>
    from.commit(
      change({
        needs: [{ is: "room", counters: ["spent"], add: 3, max: 100 }],
        writes: [{ do: "add", counter: "spent", by: 3, untilMs: T0 + 1 }],
        entries: [draftOf()],
      }),
    );
  const answers = await Promise.all(Array.from({ length: 64 }, (_, i) => spend(i % 2 === 0 ? store : other)));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(33);
  expect(await store.read({ ask: "counters", workspace: W, counters: ["spent"], nowMs: T0 })).toEqual([99]);
  expectChained(await entries(store));
});

test("of calls that two processes submit at the same time each is decided once, and the others of their batch too", async () => {
  const gates = [store, other].map((from) => testDeps({ policy, store: from, clock: systemClock, mint: systemMint() }));
  const call = (g: number, i: number) => {
    const isSame = i % 4 === 0;
    const callId = isSame ? `same-${i}` : `own-${g}-${i}`;
    return { workspace: W, agent: `agent-${i % 3}`, tool: "lookup", args: { callId }, callId };
  };
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      gates.map((deps, g) => submit(deps, { ...call(g, i), traceId: "trace_1", chain: [], claims: {} })),
    ).flat(),
  );
  expect(outcomes.filter(({ outcome }) => outcome === "denied")).toEqual([]);
  const decided = (await entries(store)).filter(({ kind }) => kind === "call.decided");
  expect(decided).toHaveLength(10 + 2 * 30);
  expectChained(await entries(store));
});

test("settings of the database that change how values are read do no harm", async () => {
  await run("do $$ begin execute format('alter database %I set array_nulls = off', current_database()); end $$");
  await endOthers();
  const deps = testDeps({ policy, store: other, clock: systemClock, mint: systemMint() });
  const call = { workspace: W, agent: "agent", tool: "lookup", args: {}, callId: "own-1", chain: [], claims: {} };
  const { outcome } = await submit(deps, { ...call, traceId: "trace_1" });
  expect(outcome).toBe("run");
});

test("a watcher hears what another process commits, also after its connection was lost", async () => {
  const heard: boolean[] = [];
  store.watch(W, ({ queued }) => heard.push(queued));
  const commit = () => other.commit(change({ writes: [{ do: "turn" }] }));
  await commit();
  await expect.poll(() => heard.length).toBeGreaterThan(0);
  await endOthers();
  const before = heard.length;
  await commit();
  await expect.poll(() => heard.length).toBeGreaterThan(before);
});

test("after all connections were lost, the next use connects again, and nobody notices", async () => {
  await store.commit(change({ writes: [put("agents", agent("coder"))] }));
  await endOthers();
  expect(await store.commit(change({ entries: [draftOf()] }))).toEqual({ ok: true, firstIndex: 1 });
  await endOthers();
  expect((await readRow(store, "agents", "coder"))?.version).toBe(1);
});

test("a value that the server cannot store fails alone", async () => {
  const named = (name: string) =>
    store.commit(change({ writes: [put("agents", agent(name))], entries: [draftOf({ body: { name } })] }));
  const long = randomBytes(20_000).toString("base64");
  const answers = await Promise.allSettled([named("a"), named(long), named("b")]);
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  const kept = await entries(store);
  expect(kept.map((entry) => entry.body?.json["name"])).toEqual(["a", "b"]);
  expectChained(kept);
});

test("texts that contain what separates values come back unchanged", async () => {
  const names = [
    "\u001f",
    "\u001e",
    "a\u001fb",
    "\u001e\u001f",
    "\u0000\u001f",
    '{"a","b"}',
    "\\",
    "NULL",
    "",
    "é\u{1f600}",
  ];
  for (const many of [names, names.slice(0, 1), names.slice(5), names.slice(-2, -1)]) {
    const before = (await entries(store)).length;
    const all = many.map((text, i) =>
      store.commit(
        change({
          writes: [put("agents", agent(`${before}-${i}`, { owner: text }))],
          entries: [draftOf({ subject: { agent: text, person: text }, body: { text } })],
        }),
      ),
    );
    expect((await Promise.all(all)).map(({ ok }) => ok)).toEqual(many.map(() => true));
    const kept = await entries(store);
    const said = kept.slice(before).map(({ subject, body }) => ({ subject, text: body?.json["text"] }));
    expect(said).toEqual(many.map((text) => ({ subject: { agent: text, person: text }, text })));
    const rows = await Promise.all(many.map((_, i) => readRow(store, "agents", `${before}-${i}`)));
    expect(rows.map((found) => found?.row.owner)).toEqual(many);
    expectChained(kept);
  }
});

test("an empty text is stored as such, also if it is the only value of its column in a larger batch", async () => {
  const both = [draftOf({ body: { n: 1 } }), draftOf({ subject: { person: "ana" }, body: { n: 2 } })];
  await store.commit(change({ writes: [put("agents", agent("coder", { owner: "" })), { do: "turn" }], entries: both }));
  await store.commit(change({ writes: [put("agents", agent("", { owner: "ana" }))], entries: both }));
  expect((await readRow(store, "agents", "coder"))?.row.owner).toBe("");
  expect((await readRow(store, "agents", ""))?.row.owner).toBe("ana");
  expect(await entries(store)).toHaveLength(4);
});

test("hundreds of readers share a few connections, and nobody who commits waits for them", async () => {
  await store.commit(change({ writes: [put("agents", agent("coder"))] }));
  // Each of them takes long on the server, because somebody has locked the table.
  let done = 0;
  const reading = server.use((session) =>
    session.transaction(async () => {
      await session.exec("lock table people in access exclusive mode");
      const readers = Array.from({ length: 300 }, async () => {
        const found = await readRow(store, "people", "nobody");
        done += 1;
        return found;
      });
      expect(await store.commit(change({ entries: [draftOf()] }))).toEqual({ ok: true, firstIndex: 1 });
      expect(done).toBe(0);
      return readers;
    }),
  );
  expect(await Promise.all(await reading)).toEqual(Array.from({ length: 300 }, () => undefined));
  const [used] = await server.use((session) =>
    session.run(
      "select count(*)::bigint as count from pg_stat_activity where application_name = 'leeway' and datname = current_database()",
      [],
    ),
  );
  expect(used?.["count"]).toBeLessThanOrEqual(6);
});

test("after a reader failed, those who read at the same time get their answers, and so does the next one", async () => {
  await store.commit(change({ writes: [put("agents", agent("coder"))] }));
  const names = Array.from({ length: 50 }, (_, i) => (i % 10 === 3 ? "\ud800" : "coder"));
  const found = await Promise.allSettled(names.map((name) => readRow(store, "agents", name)));
  expect(found.map(({ status }) => status)).toEqual(names.map((name) => (name === "coder" ? "fulfilled" : "rejected")));
  expect((await readRow(store, "agents", "coder"))?.version).toBe(1);
});

test("if no connection becomes free, the caller is told so, and nothing about disks", async () => {
  // The words of the pool, when somebody has waited for too long.
  const waited = () => Promise.reject(new Error("timeout exceeded when trying to connect"));
  const deps = testDeps({ store: { ...store, read: () => patiently(waited), commit: () => patiently(waited) } });
  const call = { workspace: W, agent: "coder", tool: "lookup", args: {}, callId: "c1", traceId: "trace_1" as const };
  const { outcome, code, reason } = await submit(deps, { ...call, chain: [], claims: {} });
  expect({ outcome, code, reason }).toEqual({
    outcome: "denied",
    code: "LEEWAY_AUDIT_UNAVAILABLE",
    reason:
      "the decision could not be recorded: all connections of this process to PostgreSQL were in use for 5 seconds " +
      "(timeout exceeded when trying to connect); try again in a moment; if it happens often, see whether PostgreSQL is slow " +
      "(docs/operating.md), or start another server on the same database",
  });
});

test("a database that went back while it was in use is refused", async () => {
  for (let i = 0; i < 3; i++) await store.commit(change({ entries: [draftOf({ body: { i } })] }));
  const [, , last] = await entries(store);
  if (last === undefined) throw new Error("the last entry is missing");
  await run(
    "delete from entries where place = (select max(place) from entries); update chains c set entry = 2, stamp = 99, " +
      "hash = (select hash from entries order by place desc limit 1)",
  );
  await expect(store.commit(change({ entries: [draftOf()] }))).rejects.toThrow(
    new StoreUnavailable(
      "the database went back while it was in use: entry 3 is not the one that was appended; " +
        "stop this process, and see what `leeway doctor` says",
      { hint: say("hint.do_as_said"), lost: { index: 3, hash: last.hash } },
    ),
  );
});

test("an edited column is reported, and hides no entry from verifying", async () => {
  await store.commit(
    change({ writes: [put("agents", agent("coder"))], entries: [draftOf({ subject: { person: "ana" } })] }),
  );
  await run("update agents set state = 'gone'; update entries set person = 'ben'");
  expect(await store.read({ ask: "displaced", workspace: W, table: "agents", limit: 5 })).toEqual(["coder"]);
  const [link] = await store.read({ ask: "links", workspace: W, afterIndex: 0, limit: 5 });
  expect(link?.subject).toBe("");
});
