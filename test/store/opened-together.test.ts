import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type OpenDatabase, openDatabase } from "../../src/store/sqlite/file/driver.ts";
import { sqliteStore } from "../../src/store/sqlite/index.ts";
import { sealer, W } from "../fixtures/rows.ts";

/** Opens the new database as another process would, to its end; while the first one holds the lock it cannot. */
async function openToo(path: string): Promise<void> {
  const other = sqliteStore(path, { sealer, busyMs: 0 });
  await other.read({ ask: "head", workspace: W }).catch(() => undefined);
  await other.close();
}

/** The head of a new database, while another process opens it between statement `at` and the one before. */
async function opened(at: number): Promise<{ head: unknown; isReached: boolean }> {
  const folder = mkdtempSync(join(tmpdir(), "leeway-together-"));
  const path = join(folder, "leeway.db");
  let uses = 0;
  let other: Promise<void> | undefined;
  const use = <T>(act: () => T): T => {
    uses += 1;
    // SQLite is used synchronously up to the end of the first question, so the other one is complete here.
    if (uses === at) other = openToo(path);
    return act();
  };
  const open: OpenDatabase = (file, mode) => {
    const db = openDatabase(file, mode);
    return {
      ...db,
      get inTransaction() {
        return db.inTransaction;
      },
      exec: (sql) => use(() => db.exec(sql)),
      prepare: (sql) => {
        const statement = use(() => db.prepare(sql));
        const { run, get, all } = statement;
        return {
          run: (...values) => use(() => run(...values)),
          get: (...values) => use(() => get(...values)),
          all: (...values) => use(() => all(...values)),
        };
      },
    };
  };
  const store = sqliteStore(path, { sealer, open, busyMs: 5_000 });
  const head = await store.read({ ask: "head", workspace: W });
  await other;
  await store.close();
  rmSync(folder, { recursive: true });
  return { head, isReached: uses >= at };
}

test("between any two statements that open a new database, another process may open it too", async () => {
  const heads: unknown[] = [];
  for (let at = 1; ; at++) {
    const { head, isReached } = await opened(at);
    if (!isReached) break;
    heads.push(head);
  }
  expect(heads.length).toBeGreaterThan(20);
  expect(heads).toEqual(heads.map(() => ({ atMs: 0, epoch: 1, hash: null, index: 0 })));
});
