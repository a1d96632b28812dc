import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { agent, approval, change, draftOf, execution, ready, sealer, W } from "../../../../test/fixtures/rows.ts";
import { put } from "../../../core/change.ts";
import { linkOf } from "../../../core/ledger.ts";
import type { Store } from "../../../ports.ts";
import { openDatabase } from "../file/driver.ts";
import { sqliteStore } from "../index.ts";

// What verifying asks the store: rows that somebody moved, and entries page by page.

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

/** Reads in one turn share a snapshot: later edits are visible in the next turn. */
async function displaced(): Promise<readonly string[]> {
  await new Promise((resolve) => setImmediate(resolve));
  const found = await Promise.all(
    TABLES.map((table) => store.read({ ask: "displaced", workspace: W, table, limit: 10 })),
  );
  return found.flat();
}

/** Edits the file as somebody with access to it could. */
function edit(sql: string): void {
  const db = openDatabase(path);
  db.exec(sql);
  db.close();
}

const ODD = ["plain", "umläut", "a\0b", "\u0001", "\u0001\u0002", "\u001f\u001e", 'quo"te\\', "\u{1f512}"];

test("no row that the store wrote is reported as displaced, whatever characters are in its names", async () => {
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

test("a column or a row that was changed by hand is reported as displaced", async () => {
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

test("a second state in the same row, plain or written with escapes, is found", async () => {
  await store.commit(change({ writes: [ready(execution("1", { state: "void", atMs: 1, why: "" } as object))] }));
  for (const name of ['"state":', '"state" :', '"st\\u0061te":']) {
    edit("create table kept as select row as was from executions");
    edit(`update executions set row = substr(row, 1, length(row) - 1) || ',${name}"ready","readyMs":1}'`);
    expect(await displaced()).toHaveLength(1);
    edit("update executions set row = (select was from kept); drop table kept");
    expect(await displaced()).toEqual([]);
  }
});

test("entries are read in pages exactly as they were hashed, with any characters, and erased ones without a body", async () => {
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

test("an entry with a separator character in a column still counts as one entry, and an invalid salt means no body", async () => {
  await store.commit(change({ entries: [draftOf(), draftOf(), draftOf()] }));
  edit("update entries set kind = kind || char(30) || kind where place % 1099511627776 = 2");
  edit("update entries set salt = upper('abcdef0123456789abcdef0123456789') where place % 1099511627776 = 1");
  const links = await store.read({ ask: "links", workspace: W, afterIndex: 0, limit: 10 });
  expect(links).toHaveLength(3);
  expect(links[0]?.body).toHaveLength(0);
  expect(links[1]?.hash).toBeUndefined();
});
