import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSeals } from "../../src/config/signer.ts";
import { verifyLedger } from "../../src/gate/record/ledger.ts";
import { sealLedger } from "../../src/gate/record/sealing.ts";
import { openDatabase } from "../../src/store/sqlite/file/driver.ts";
import { sqliteStore } from "../../src/store/sqlite/index.ts";
import { testDeps } from "../../src/testing.ts";
import { change, draftOf, sealer } from "../fixtures/rows.ts";
import { carryOut, policyOf, send, worldOf } from "./world.ts";

// What `verify` reports after somebody changed the database file without having the key.

const folder = mkdtempSync(join(tmpdir(), "leeway-tamper-"));
const path = join(folder, "leeway.db");
const early = join(folder, "early.db");
let sealedSize = 0;

beforeAll(async () => {
  const store = sqliteStore(path, { sealer });
  const { deps } = await worldOf(policyOf({ "fs.write": "auto" }), { store, seals: openSeals(folder) });
  for (let i = 0; i < 5; i++) await carryOut(deps, await send(deps, "write_file", { path: "src/a.ts", text: `${i}` }));
  await store.close();
  copyFileSync(path, early);
  const again = testDeps({
    store: sqliteStore(path, { sealer }),
    seals: openSeals(folder),
    policy: policyOf({ "fs.write": "auto" }),
  });
  for (let i = 5; i < 10; i++)
    await carryOut(again, await send(again, "write_file", { path: "src/a.ts", text: `${i}` }));
  const sealed = await sealLedger(again);
  if (!sealed.ok) throw new Error(sealed.reason.say);
  sealedSize = sealed.value.size;
  await again.store.close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function verdictAfter(sql: string, from = path) {
  const copy = join(folder, "copy.db");
  for (const end of ["", "-wal", "-shm"]) rmSync(copy + end, { force: true });
  copyFileSync(from, copy);
  const db = openDatabase(copy);
  if (sql !== "") db.exec(sql);
  db.close();
  const deps = testDeps({ store: sqliteStore(copy, { sealer }), seals: openSeals(folder) });
  const verified = await verifyLedger(deps);
  await deps.store.close();
  return verified.ok ? verified : { index: verified.fault.index, is: verified.fault.is };
}

/** The rowid of an entry, counted from the first one in the file. */
const nth = (index: number) => `place = (select place from entries order by place limit 1 offset ${index - 1})`;

test("the unchanged file verifies against its checkpoint", async () => {
  expect(await verdictAfter("")).toMatchObject({ ok: true, entries: sealedSize + 1, checkpoints: 1 });
});

test("an edited, deleted or swapped row is reported with its index", async () => {
  expect(await verdictAfter(`update entries set actor = 'person:mallory' where ${nth(7)}`)).toEqual({
    index: 7,
    is: "hash",
  });
  expect(await verdictAfter(`update entries set body = '{}' where ${nth(8)}`)).toEqual({ index: 8, is: "body" });
  expect(await verdictAfter(`update entries set salt = null, body = null where ${nth(6)}`)).toEqual({
    index: 6,
    is: "erased",
  });
  expect(await verdictAfter(`update entries set at_ms = at_ms + 1 where ${nth(9)}`)).toEqual({ index: 9, is: "hash" });
  expect(await verdictAfter(`delete from entries where ${nth(5)}`)).toEqual({ index: 5, is: "index" });
  expect(await verdictAfter(`update entries set subject = '{"agent":"somebody"}' where ${nth(4)}`)).toEqual({
    index: 4,
    is: "hash",
  });
});

test("an entry whose search columns were changed is reported with its index", async () => {
  const hidden = { index: 7, is: "hash" };
  for (const column of ["call", "agent"]) {
    expect(await verdictAfter(`update entries set ${column} = null where ${nth(7)}`)).toEqual(hidden);
    expect(await verdictAfter(`update entries set ${column} = ${column} || '0' where ${nth(7)}`)).toEqual(hidden);
  }
  for (const column of ["approval", "grant_id", "person"])
    expect(await verdictAfter(`update entries set ${column} = 'x' where ${nth(7)}`)).toEqual(hidden);
});

test("an entry about a person or agent with any name verifies", async () => {
  const store = sqliteStore(join(folder, "names.db"), { sealer });
  const named = ["a\0b", "a\u0001b", 'ü"x\n', "a\\u0000b"].map((person) => ({ ...draftOf(), subject: { person } }));
  await store.commit(change({ entries: named }));
  expect(await verifyLedger(testDeps({ store }))).toMatchObject({ ok: true, entries: named.length });
  await store.close();
});

test("rows cut off at the end are reported at the first missing index", async () => {
  const last = "delete from entries where place in (select place from entries order by place desc limit 3)";
  expect(await verdictAfter(last)).toEqual({ index: sealedSize - 1, is: "truncated" });
});

test("an older copy of the whole file does not match the checkpoint", async () => {
  expect(await verdictAfter("", early)).toMatchObject({ is: "truncated" });
});

test("a changed head is detected", async () => {
  expect(await verdictAfter("update chains set at_ms = at_ms + 1")).toEqual({ index: sealedSize + 1, is: "head" });
});
