import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { call, change, draftOf, W } from "../../../test/fixtures/rows.ts";
import { put } from "../../core/change.ts";
import type { CallRow } from "../../core/rows.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { openDatabase } from "./driver.ts";
import { sqliteStore } from "./index.ts";
import { thinCalls } from "./thinning.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "leeway-thinning-"));
  path = join(folder, "leeway.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A call, and the entry that decided it. */
function decided(row: CallRow) {
  const body = { decision: row.decision, effect: row.effect, cwd: row.cwd ?? "" } as unknown as JsonObject;
  const subject = { call: row.id, class: "fs.write", tier: "ask" };
  return { writes: [put("calls", row)], entries: [draftOf({ kind: "call.decided", subject, body })] };
}

/** As databases of before kept calls: every row with all it says, and the entry besides. */
async function databaseOfBefore(rows: readonly CallRow[]): Promise<void> {
  const store = sqliteStore(path);
  await Promise.all(rows.map((row) => store.commit(change(decided(row)))));
  await store.close();
  const old = openDatabase(path);
  old.exec("pragma secure_delete = on; begin");
  for (const row of rows) old.prepare("update calls set row = ? where id = ?").run(JSON.stringify(row), row.id);
  old.exec("commit");
  old.exec("drop table thinning; alter table calls drop column decided; pragma user_version = 7");
  old.close();
}

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => call(String(i), { cwd: `/project/told-${i}/` }));
/** Files of the database in which a text stands. */
const filesWith = (text: string) =>
  readdirSync(folder).filter((name) => readFileSync(join(folder, name), "latin1").includes(text));

test("in a database of before every call keeps what it says, in one place, and progress is told", async () => {
  const rows = rowsOf(2_500);
  await databaseOfBefore(rows);
  const told: number[][] = [];
  const store = sqliteStore(path, { onProgress: (done, of) => told.push([done, of]) });
  for (const row of [rows[0], rows[1_234], rows[2_499]]) {
    expect(await store.read({ ask: "row", workspace: W, table: "calls", id: row?.id ?? "" })).toMatchObject({ row });
  }
  await store.close();
  expect(told).toEqual([
    [1_000, 2_500],
    [2_000, 2_500],
    [2_500, 2_500],
  ]);
  const kept = openDatabase(path);
  expect(kept.prepare("select count(*) as n from calls where row like '%told-%'").get()).toEqual({ n: 0 });
  expect(kept.prepare("select count(*) as n from calls where decided is null").get()).toEqual({ n: 0 });
  kept.close();
});

test("whoever is interrupted goes on where they stopped, and rows of both kinds are read meanwhile", async () => {
  const rows = rowsOf(2_500);
  await databaseOfBefore(rows);
  const stopped = () => {
    throw new Error("interrupted");
  };
  const broken = sqliteStore(path, { onProgress: stopped });
  await expect(broken.read({ ask: "head", workspace: W })).rejects.toThrow("interrupted");
  await broken.close();
  const half = openDatabase(path);
  expect(half.prepare("select count(*) as n from calls where decided is null").get()).toEqual({ n: 1_500 });
  const told: number[] = [];
  thinCalls(half, (done) => told.push(done));
  expect(told).toEqual([2_000, 2_500]);
  half.close();
});

test("of an entry that was erased before, nothing is left in the row either, in no file of the database", async () => {
  const [row] = rowsOf(1);
  await databaseOfBefore(row === undefined ? [] : [row]);
  const old = openDatabase(path);
  old.exec("pragma secure_delete = on; update entries set salt = null, body = null");
  old.close();
  expect(filesWith("told-0")).not.toEqual([]);
  const store = sqliteStore(path);
  const found = await store.read({ ask: "row", workspace: W, table: "calls", id: row?.id ?? "" });
  expect(found?.row.decision.causes).toEqual([{ by: "erased" }]);
  await store.close();
  expect(filesWith("told-0")).toEqual([]);
});

test("after erasing no byte of what an entry said is in the database or its journal, while the gate goes on", async () => {
  const [row] = rowsOf(1);
  const store = sqliteStore(path);
  const other = sqliteStore(path);
  await store.commit(change(row === undefined ? {} : decided(row)));
  await other.read({ ask: "head", workspace: W });
  expect(filesWith("told-0")).not.toEqual([]);
  await store.commit(change({ writes: [{ do: "erase", index: 1 }], entries: [draftOf({ kind: "body.erased" })] }));
  expect(filesWith("told-0")).toEqual([]);
  await other.close();
  await store.close();
});
