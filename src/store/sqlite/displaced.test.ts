import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { agent, approval, change, draftOf, execution, ready, sealer, W } from "../../../test/fixtures/rows.ts";
import { put } from "../../core/change.ts";
import { linkOf } from "../../core/ledger.ts";
import type { Store } from "../../ports.ts";
import { openDatabase } from "./driver.ts";
import { sqliteStore } from "./index.ts";

// What verifying asks of the store: rows that somebody moved, and entries a page at a time.

let folder = "";
let path = "";
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "leeway-displaced-"));
  path = join(folder, "leeway.db");
  store = sqliteStore(path, { sealer });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const TABLES = ["agents", "approvals", "executions"] as const;

/** Reads of one turn share what they see: what was edited since shows in the next. */
async function displaced(): Promise<readonly string[]> {
  await new Promise((resolve) => setImmediate(resolve));
  const found = await Promise.all(
    TABLES.map((table) => store.read({ ask: "displaced", workspace: W, table, limit: 10 })),
  );
  return found.flat();
}

/** As somebody with the file in hand would. */
function edit(sql: string): void {
  const db = openDatabase(path);
  db.exec(sql);
  db.close();
}

const ODD = ["plain", "umläut", "a\0b", "\u0001", "\u0001\u0002", "\u001f\u001e", 'quo"te\\', "\u{1f512}"];

test("no row that the store put is displaced, whatever letters its names are made of", async () => {
  for (const [at, name] of ODD.entries()) {
    const id = `${at}`;
    const writes = [
      put("agents", agent(name)),
      put("approvals", approval(id, { agent: name })),
      ready(execution(id, { agent: name })),
    ];
    await store.commit(change({ writes }));
  }
  expect(await displaced()).toEqual([]);
});

test("a column or a row that was changed by hand displaces it", async () => {
  const writes = [put("agents", agent("coder")), put("approvals", approval("1")), ready(execution("1"))];
  await store.commit(change({ writes }));
  for (const [table, column] of [
    ["agents", "agent"],
    ["approvals", "state"],
    ["executions", "call"],
  ] as const) {
    edit(`create table kept as select ${column} as was from ${table}`);
    edit(`update ${table} set ${column} = 'moved'`);
    expect(await displaced()).toHaveLength(1);
    edit(`update ${table} set ${column} = (select was from kept); drop table kept`);
    expect(await displaced()).toEqual([]);
  }
  for (const row of ["no json", "5", "null", "{}", "[]"]) {
    edit(`update executions set row = '${row}'`);
    expect(await displaced()).toHaveLength(1);
  }
});

test("a second state in the same row, plain or spelt in escapes, does not hide behind the first", async () => {
  await store.commit(change({ writes: [ready(execution("1", { state: "void", atMs: 1, why: "" } as object))] }));
  for (const name of ['"state":', '"state" :', '"st\\u0061te":']) {
    edit("create table kept as select row as was from executions");
    edit(`update executions set row = substr(row, 1, length(row) - 1) || ',${name}"ready","readyMs":1}'`);
    expect(await displaced()).toHaveLength(1);
    edit("update executions set row = (select was from kept); drop table kept");
    expect(await displaced()).toEqual([]);
  }
});

test("entries come in pages as their hashes cover them, whatever letters are in them, erased ones without a body", async () => {
  for (const name of ODD) {
    const text = { [name]: name };
    await store.commit(
      change({ entries: [draftOf({ actor: `agent:${name}`, subject: { agent: name }, body: text })] }),
    );
  }
  await store.commit(change({ writes: [{ do: "erase", index: 3 }], entries: [draftOf()] }));
  const entries = await store.read({ ask: "entries", workspace: W, where: {}, limit: 100, order: "oldest" });
  expect(entries).toHaveLength(ODD.length + 1);
  const pages = [0, 4, 8].map((afterIndex) => store.read({ ask: "links", workspace: W, afterIndex, limit: 4 }));
  expect((await Promise.all(pages)).flat()).toEqual(entries.map(linkOf));
});

test("an entry that was made two by a letter between rows counts as one, and a salt that is none has no body", async () => {
  await store.commit(change({ entries: [draftOf(), draftOf(), draftOf()] }));
  edit("update entries set kind = kind || char(30) || kind where place % 1099511627776 = 2");
  edit("update entries set salt = upper('abcdef0123456789abcdef0123456789') where place % 1099511627776 = 1");
  const links = await store.read({ ask: "links", workspace: W, afterIndex: 0, limit: 10 });
  expect(links).toHaveLength(3);
  expect(links[0]?.body).toHaveLength(0);
  expect(links[1]?.hash).toBeUndefined();
});
