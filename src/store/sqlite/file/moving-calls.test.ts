import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CALLS_OF_VERSION_8 } from "../../../../test/fixtures/databases.ts";
import { call, change, draftOf, sealer, started, W } from "../../../../test/fixtures/rows.ts";
import type { CallRow } from "../../../core/rows/rows.ts";
import { secretOf } from "../../../core/secret.ts";
import { sqliteStore } from "../index.ts";
import { openDatabase } from "./driver.ts";
import { moveCalls } from "./moving-calls.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "leeway-moving-"));
  path = join(folder, "leeway.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

/** How older databases stored calls: in version 7 every row with all its content, in version 8 the rest beside its entry. */
async function databaseOfBefore(rows: readonly CallRow[], version: 7 | 8 = 7): Promise<void> {
  const store = sqliteStore(path, { sealer });
  await Promise.all(rows.map((row) => store.commit(change(started(row)))));
  await store.close();
  const old = openDatabase(path);
  old.exec(`pragma secure_delete = on; begin; ${CALLS_OF_VERSION_8}`);
  const put = old.prepare(
    "insert into calls (space, id, version, key, sort_ms, row, decided) values (1, ?, 3, ?, ?, ?, (select place from entries where call = ?))",
  );
  for (const row of rows) {
    const { effect: _effect, decision: _decision, cwd: _cwd, ...kept } = row;
    const args = sealer.seal(row.args.open(), row.digest);
    put.run(row.id, row.key, row.atMs, JSON.stringify({ ...(version === 7 ? row : kept), args }), row.id);
  }
  if (version === 7)
    old.exec("update calls set decided = null; drop table thinning; alter table calls drop column decided");
  old.exec(`commit; pragma user_version = ${version}; pragma wal_checkpoint(truncate)`);
  old.close();
}

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    call(String(i), {
      cwd: `/project/told-${i}/`,
      args: secretOf(`{"n":${i}}`),
      claims: i % 2 === 0 ? {} : { why: "x" },
      session: "s1",
    }),
  );
/** The files of the database that contain a text. */
const filesWith = (text: string) =>
  readdirSync(folder).filter((name) => readFileSync(join(folder, name), "latin1").includes(text));

test.each([7, 8] as const)(
  "in a database of version %i every call keeps its content, stored once, and progress is reported",
  async (version) => {
    const rows = rowsOf(2_500);
    await databaseOfBefore(rows, version);
    const told: number[][] = [];
    const store = sqliteStore(path, { sealer, onProgress: (done, of) => told.push([done, of]) });
    for (const row of [rows[0], rows[1_235], rows[2_499]]) {
      const found = await store.read({ ask: "row", workspace: W, table: "calls", id: row?.id ?? "" });
      expect(found).toEqual({ row, version: 3 });
      expect(found?.row.args.open()).toBe(row?.args.open());
    }
    await store.close();
    expect(told).toEqual([
      [1_000, 2_500],
      [2_000, 2_500],
      [2_500, 2_500],
    ]);
    const kept = openDatabase(path);
    expect(kept.prepare("select count(*) as n from calls where row like '%told-%'").get()).toEqual({ n: 0 });
    expect(kept.prepare("select count(*) as n from calls").get()).toEqual({ n: 2_500 });
    expect(kept.prepare("select 1 from sqlite_schema where name = 'calls_before'").get()).toBeUndefined();
    kept.close();
  },
);

test("an interrupted migration continues where it stopped", async () => {
  const rows = rowsOf(2_500);
  await databaseOfBefore(rows);
  const stopped = () => {
    throw new Error("interrupted");
  };
  const broken = sqliteStore(path, { sealer, onProgress: stopped });
  await expect(broken.read({ ask: "head", workspace: W })).rejects.toThrow("interrupted");
  await broken.close();
  const half = openDatabase(path);
  expect(half.prepare("select count(*) as n from calls_before").get()).toEqual({ n: 1_500 });
  const told: number[][] = [];
  moveCalls(half, (done, of) => told.push([done, of]));
  expect(told).toEqual([
    [1_000, 1_500],
    [1_500, 1_500],
  ]);
  half.close();
  const store = sqliteStore(path, { sealer });
  for (const row of [rows[0], rows[2_499]]) {
    const found = await store.read({ ask: "row", workspace: W, table: "calls", id: row?.id ?? "" });
    expect(found).toEqual({ row, version: 3 });
  }
  await store.close();
});

test("a call without its entry, or with the same key as another call, is kept", async () => {
  const [first, second, third] = rowsOf(3) as [CallRow, CallRow, CallRow];
  await databaseOfBefore([first, second, third]);
  const old = openDatabase(path);
  old.exec(`delete from entries where call = '${first.id}'`);
  old.exec(`update calls set key = '${second.key}' where id = '${third.id}'`);
  old.close();
  const store = sqliteStore(path, { sealer });
  const found = async ({ id }: CallRow) => (await store.read({ ask: "row", workspace: W, table: "calls", id }))?.row;
  expect([await found(first), await found(second)]).toEqual([first, second]);
  expect(await found(third)).toEqual({ ...third, key: `${second.key}\n${third.id}` });
  await store.close();
});

test("the content of an entry that was erased before the migration is in no row and no file of the database", async () => {
  const [row] = rowsOf(1);
  await databaseOfBefore(row === undefined ? [] : [row]);
  const old = openDatabase(path);
  old.exec("pragma secure_delete = on; update entries set salt = null, body = null");
  old.close();
  expect(filesWith("told-0")).not.toEqual([]);
  const store = sqliteStore(path, { sealer });
  const found = await store.read({ ask: "row", workspace: W, table: "calls", id: row?.id ?? "" });
  expect(found?.row.decision.causes).toEqual([{ by: "erased" }]);
  await store.close();
  expect(filesWith("told-0")).toEqual([]);
});

test("after erasing, no byte of an entry's content is in the database or its journal, while the gate keeps running", async () => {
  const [row] = rowsOf(1);
  const store = sqliteStore(path, { sealer });
  const other = sqliteStore(path, { sealer });
  await store.commit(change(row === undefined ? {} : started(row)));
  await other.read({ ask: "head", workspace: W });
  expect(filesWith("told-0")).not.toEqual([]);
  await store.commit(change({ writes: [{ do: "erase", index: 1 }], entries: [draftOf({ kind: "body.erased" })] }));
  expect(filesWith("told-0")).toEqual([]);
  await other.close();
  await store.close();
});

test("content erased while somebody read the journal is gone from it with the next commit after the reader stopped", async () => {
  const [row] = rowsOf(1);
  const store = sqliteStore(path, { sealer, busyMs: 50 });
  await store.commit(change(row === undefined ? {} : started(row)));
  const reader = openDatabase(path, { readOnly: true });
  reader.exec("begin");
  reader.prepare("select count(*) from entries").get();
  const erased = change({ writes: [{ do: "erase", index: 1 }], entries: [draftOf({ kind: "body.erased" })] });
  await expect(store.commit(erased)).rejects.toThrow(/its bytes stay in the write-ahead log/);
  await store.commit(change({ entries: [draftOf()] }));
  expect(filesWith("told-0")).not.toEqual([]);
  reader.exec("rollback");
  reader.close();
  await store.commit(change({ entries: [draftOf()] }));
  expect(filesWith("told-0")).toEqual([]);
  await store.close();
});
