import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { agent, change, draftOf, sealer, T0, W } from "../../../test/fixtures/rows.ts";
import { newDatabase } from "../../../test/postgres/database.ts";
import { put } from "../../core/change.ts";
import { type Store, StoreUnavailable } from "../../ports.ts";
import { entries, expectChained, readRow } from "../conformance/reading.ts";
import { postgresStore } from "./index.ts";
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

test("a database that went back while it was in use is refused", async () => {
  for (let i = 0; i < 3; i++) await store.commit(change({ entries: [draftOf({ body: { i } })] }));
  await run(
    "delete from entries where place = (select max(place) from entries); update chains c set entry = 2, stamp = 99, " +
      "hash = (select hash from entries order by place desc limit 1)",
  );
  await expect(store.commit(change({ entries: [draftOf()] }))).rejects.toThrow(
    new StoreUnavailable(
      "the database went back while it was in use: entry 3 is not the one that was appended; " +
        "stop this process, and see what `leeway doctor` says",
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
