import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CALLS_OF_VERSION_8 } from "../../../test/fixtures/databases.ts";
import { agent, approval, change, draftOf, notice, sealer, W } from "../../../test/fixtures/rows.ts";
import { put } from "../../core/change.ts";
import { StoreUnavailable } from "../../ports.ts";
import { expectChained } from "../conformance/reading.ts";
import { readyPut, type SqlValue } from "../sql/columns.ts";
import { textFrom } from "../sql/text.ts";
import { PUTS } from "./changes/puts.ts";
import { openDatabase } from "./file/driver.ts";
import { APPLICATION_ID, MIGRATIONS, migrate } from "./file/migrations.ts";
import { backupDatabase, checkDatabase, restoreDatabase, sqliteStore } from "./index.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "leeway-sqlite-"));
  path = join(folder, "state", "leeway.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

const head = { ask: "head", workspace: "default" } as const;
const newest = { ask: "rows", workspace: W, limit: 9, order: "newest" } as const;
const entry = () => change({ entries: [draftOf()] });

test("only the owner can read the state: the folder has mode 0700, the database and its side files 0600", async () => {
  const store = sqliteStore(path, { sealer });
  await store.commit(entry());
  const modes = ["", "/leeway.db", "/leeway.db-wal", "/leeway.db-shm"].map(
    (name) => statSync(join(folder, "state") + name).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o600, 0o600, 0o600]);
  await store.close();
});

test("a database that others could read is closed to others when it is opened", async () => {
  path = join(folder, "leeway.db");
  writeFileSync(path, "", { mode: 0o644 });
  const store = sqliteStore(path, { sealer });
  await store.read(head);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await store.close();
});

test("commits use the write-ahead log with full sync", async () => {
  const modes: SqlValue[] = [];
  const store = sqliteStore(path, {
    sealer,
    open: (at) => {
      const db = openDatabase(at);
      return {
        ...db,
        get inTransaction() {
          return db.inTransaction;
        },
        prepare: (sql) => {
          if (sql === "begin immediate") {
            modes.push(db.prepare("pragma journal_mode").get()?.["journal_mode"] ?? null);
            modes.push(db.prepare("pragma synchronous").get()?.["synchronous"] ?? null);
          }
          return db.prepare(sql);
        },
      };
    },
  });
  await store.commit(entry());
  expect(modes.slice(-2)).toEqual(["wal", 2]);
  await store.close();
});

test("values that a driver would bind wrongly or change silently are refused", () => {
  const db = openDatabase(":memory:");
  const statement = db.prepare("select ? as value");
  for (const value of [undefined, true, new Date(0), {}, [], () => 1, Symbol("x"), "half \ud800"]) {
    expect(() => statement.get(value as SqlValue)).toThrow(TypeError);
  }
  for (const value of [null, 1.5, "text 🦊", new Uint8Array([1, 2])]) {
    expect(statement.get(value)?.["value"]).toEqual(value);
  }
  expect(statement.get(5n)?.["value"]).toBe(5);
  const same = db.prepare("select ? = ? as same");
  expect(same.get("a\u0000b", "a")?.["same"]).toBe(0);
  expect(same.get("a\u0000b", "a\u0001\u0001b")?.["same"]).toBe(0);
  for (const text of ["a\u0000b", "\u0001\u0000", "\u0000\u0001\u0002", "\u0001"]) {
    expect(textFrom(statement.get(text)?.["value"])).toBe(text);
  }
  db.close();
});

test("several stores that open a new file at the same time all find the newest schema", async () => {
  const stores = Array.from({ length: 6 }, () => sqliteStore(path, { sealer }));
  const answers = await Promise.all(stores.map((store) => store.commit(entry())));
  expect(answers.map((answer) => answer.ok && answer.firstIndex).sort()).toEqual([1, 2, 3, 4, 5, 6]);
  await Promise.all(stores.map((store) => store.close()));
  expect(checkDatabase(path)).toEqual([]);
});

test("a database of a newer version or of another program is refused and not changed", async () => {
  path = join(folder, "leeway.db");
  const db = openDatabase(path);
  db.exec("create table theirs (x)");
  db.close();
  const before = readFileSync(path);
  const foreign = sqliteStore(path, { sealer });
  await expect(foreign.commit(entry())).rejects.toThrow(/another program/);
  await foreign.close();
  expect(readFileSync(path).equals(before)).toBe(true);
  rmSync(path);
  const newer = openDatabase(path);
  migrate(newer);
  newer.exec(`pragma user_version = ${MIGRATIONS.length + 1}`);
  newer.close();
  const old = sqliteStore(path, { sealer });
  await expect(old.read(head)).rejects.toThrow(/newer version/);
  await old.close();
});

test("in a database of an earlier version, rows are counted when it is first opened, and messages to people are found", async () => {
  path = join(folder, "leeway.db");
  const old = openDatabase(path);
  for (const sql of MIGRATIONS.slice(0, 3)) old.exec(sql);
  old.exec(`pragma application_id = ${APPLICATION_ID}; pragma user_version = 3`);
  old.exec("insert into heads (workspace, epoch, entry, at_ms, edge) values ('default', 1, 0, 0, '[]')");
  const rows = [
    put("approvals", approval("1")),
    put("approvals", approval("2")),
    put("notices", notice("news")),
    put("notices", notice("read", { readMs: 1 })),
    put("notices", notice("asked", { kind: "pending" })),
  ];
  for (const { table, values } of rows.map((row) => readyPut(row))) old.prepare(PUTS[table]).run(1, ...values);
  old.exec("update notices set collect = null");
  old.close();
  const store = sqliteStore(path, { sealer });
  const counted = (state: string) => store.read({ ask: "count", workspace: W, table: "approvals", where: { state } });
  const told = async (collect: string) => {
    const found = await store.read({ ...newest, table: "notices", where: { collect } });
    return found.map(({ row }) => row.id);
  };
  expect([await counted("pending"), await counted("denied")]).toEqual([2, 0]);
  expect([await told("news"), await told("told")]).toEqual([["ntc_news"], ["ntc_read"]]);
  await store.close();
});

test("in a database of an earlier version, an agent's history is found, whatever characters are in its name", async () => {
  const names = ["coder", 'co"der\n', "编码\0"];
  const drafts = names.map((name) => ({ ...draftOf(), subject: { agent: name } }));
  const made = sqliteStore(path, { sealer });
  await made.commit(change({ entries: drafts }));
  await made.close();
  const old = openDatabase(path);
  old.exec(CALLS_OF_VERSION_8);
  old.exec("alter table chains drop column mark; alter table chains rename to heads");
  old.exec("drop index entries_agent; alter table entries drop column agent; pragma user_version = 4");
  old.exec("drop table declarations; drop table thinning; alter table calls drop column decided");
  old.exec("create index entries_agent on entries (subject -> '$.agent')");
  old.close();
  const store = sqliteStore(path, { sealer });
  const of = (name: string) =>
    store.read({ ask: "entries", workspace: W, where: { subject: { agent: name } }, limit: 9, order: "oldest" });
  const found = await Promise.all(names.map(of));
  expect(found.map((entries) => entries.map(({ subject }) => subject.agent))).toEqual(names.map((name) => [name]));
  await store.close();
});

test("after an upgrade, a process of the old version can append and take nothing, and says why", async () => {
  const left = sqliteStore(path, { sealer });
  await left.commit(change({ writes: [put("approvals", approval("1"))], entries: [draftOf()] }));
  const newer = openDatabase(path);
  newer.exec(`pragma user_version = ${MIGRATIONS.length + 1}`);
  await expect(left.commit(entry())).rejects.toThrow(/newer version/);
  const taking = { workspace: W, max: 1, leaseMs: 1, owner: "o", nowMs: Number.MAX_SAFE_INTEGER };
  await expect(left.take("timers", taking)).rejects.toThrow(/newer version/);
  await left.close();
  newer.exec(`pragma user_version = ${MIGRATIONS.length}`);
  newer.close();
  const store = sqliteStore(path, { sealer });
  expect((await store.read(head)).index).toBe(1);
  await store.close();
});

test("a process of an earlier version finds no table to which it could append", async () => {
  path = join(folder, "leeway.db");
  const left = openDatabase(path);
  for (const sql of MIGRATIONS.slice(0, 5)) left.exec(sql);
  left.exec(`pragma application_id = ${APPLICATION_ID}; pragma user_version = 5; pragma journal_mode = wal`);
  left.exec("insert into heads (workspace, epoch, entry, at_ms, edge) values ('default', 1, 0, 0, '[]')");
  const reads = left.prepare("select * from heads where workspace = ?");
  const moves = left.prepare("update heads set entry = 7 where space = ?");
  expect(reads.get(W)?.["entry"]).toBe(0);
  const store = sqliteStore(path, { sealer });
  await store.commit(entry());
  expect(() => reads.get(W)).toThrow(/no such table/);
  expect(() => moves.run(1)).toThrow(/no such table/);
  left.close();
  expect((await store.read(head)).index).toBe(1);
  await store.close();
});

test("a process does not continue with a database that lacks its own entries, whether older or forked", async () => {
  path = join(folder, "leeway.db");
  const store = sqliteStore(path, { sealer });
  await store.commit(entry());
  backupDatabase(path, join(folder, "older.db"));
  await store.commit(entry());
  renameSync(join(folder, "older.db"), path);
  for (const side of ["-wal", "-shm"]) rmSync(`${path}${side}`, { force: true });
  await expect(store.commit(entry())).rejects.toThrow(/went back/);
  const other = sqliteStore(path, { sealer });
  const others = { ...draftOf(), actor: "person:somebody" as const };
  await other.commit(change({ entries: [others, others] }));
  await other.close();
  await expect(store.commit(entry())).rejects.toThrow(/went back/);
  await store.close();
});

test("two processes that commit alternately each continue after the other's entries", async () => {
  const [here, there] = [sqliteStore(path, { sealer }), sqliteStore(path, { sealer })];
  const turned = change({ writes: [{ do: "turn" }], entries: [draftOf()] });
  const epochs = (epoch: number) => change({ needs: [{ is: "epoch", epoch }], entries: [draftOf()] });
  const answers = [];
  for (const store of [here, there, there, here, here]) answers.push(await store.commit(entry()));
  answers.push(await there.commit(turned), await here.commit(epochs(2)), await there.commit(epochs(1)));
  expect(answers.map((answer) => answer.ok && answer.firstIndex)).toEqual([1, 2, 3, 4, 5, 6, 7, false]);
  expectChained(await here.read({ ask: "entries", workspace: "default", where: {}, limit: 10, order: "oldest" }));
  await Promise.all([here.close(), there.close()]);
});

test("a watcher is told about changes that another process wrote", async () => {
  const [here, there] = [sqliteStore(path, { sealer }), sqliteStore(path, { sealer })];
  await here.commit(entry());
  const heard = new Promise<void>((resolve) => {
    here.watch("default", () => resolve());
  });
  await there.commit(entry());
  await heard;
  expect((await here.read(head)).index).toBe(2);
  await Promise.all([here.close(), there.close()]);
});

test("an erased body is not left in any file", async () => {
  const store = sqliteStore(path, { sealer });
  const secret = "a-body-that-must-go-".repeat(500);
  await store.commit(change({ entries: [draftOf({ body: { secret } })] }));
  await store.commit(change({ writes: [{ do: "erase", index: 1 }] }));
  await store.close();
  const left = readdirSync(join(folder, "state")).filter((name) =>
    readFileSync(join(folder, "state", name)).includes("a-body-that-must-go"),
  );
  expect(left).toEqual([]);
});

test("a backup made under load is complete, verified and private, and restores exactly the same data", async () => {
  const store = sqliteStore(path, { sealer });
  await store.commit(change({ writes: [put("agents", agent("coder"))], entries: [draftOf()] }));
  const kept = await store.read(head);
  const copy = join(folder, "copy.db");
  backupDatabase(path, copy);
  expect([checkDatabase(copy), statSync(copy).mode & 0o777]).toEqual([[], 0o600]);
  expect(() => backupDatabase(path, copy)).toThrow();
  await store.commit(entry());
  expect(() => restoreDatabase(copy, path)).toThrow(/locked by another process/);
  await store.close();
  const elsewhere = join(folder, "elsewhere.db");
  restoreDatabase(copy, elsewhere);
  const again = sqliteStore(elsewhere, { sealer });
  expect(await again.read(head)).toEqual(kept);
  expect((await again.commit(entry())).ok).toBe(true);
  await again.close();
});

test("a damaged backup is not restored, and a damaged database can be replaced by a backup", async () => {
  const store = sqliteStore(path, { sealer });
  for (let i = 0; i < 50; i++)
    await store.commit(change({ entries: [draftOf({ body: { i, text: "x".repeat(500) } })] }));
  await store.close();
  const [good, bad] = [join(folder, "good.db"), join(folder, "bad.db")];
  backupDatabase(path, good);
  copyFileSync(good, bad);
  const bytes = readFileSync(bad);
  bytes.fill(0xff, 4096 * 3, 4096 * 5);
  writeFileSync(bad, bytes);
  expect(() => restoreDatabase(bad, path)).toThrow(StoreUnavailable);
  writeFileSync(path, "this is not a database, it is a sentence, and a rather long one at that, to fill a header");
  const broken = sqliteStore(path, { sealer });
  await expect(broken.read(head)).rejects.toThrow(/not a database/);
  await broken.close();
  restoreDatabase(good, path);
  const again = sqliteStore(path, { sealer });
  expect((await again.read(head)).index).toBe(50);
  await again.close();
});

test("a read for a submission that finds nothing holds no snapshot open", async () => {
  const store = sqliteStore(path, { sealer });
  await store.commit(entry());
  const other = openDatabase(path);
  const reading = store.read({
    ask: "submission",
    workspace: "default",
    callKey: "new",
    agent: "coder",
    digest: "sha256:new",
    counters: [],
    nowMs: 0,
  });
  expect(other.prepare("pragma wal_checkpoint(truncate)").get()?.["busy"]).toBe(0);
  expect(await reading).toMatchObject({ permits: [], approvedOfAgent: [] });
  other.close();
  await store.close();
});

test.each(["ready", "unknown"])("searching for executions that are %s skips all that have ended", async (state) => {
  const plans: string[] = [];
  const store = sqliteStore(path, {
    sealer,
    open: (at) => {
      const db = openDatabase(at);
      return {
        ...db,
        get inTransaction() {
          return db.inTransaction;
        },
        prepare: (sql) => {
          if (sql.includes("from executions where")) {
            plans.push(
              ...db
                .prepare(`explain query plan ${sql}`)
                .all()
                .map((step) => String(step["detail"])),
            );
          }
          return db.prepare(sql);
        },
      };
    },
  });
  const query = { workspace: "default", table: "executions", where: { state } } as const;
  await store.read({ ask: "rows", ...query, limit: 10, order: "oldest" });
  await store.read({ ask: "count", ...query });
  const searches = plans.filter((plan) => /^(SEARCH|SCAN)/.test(plan));
  expect(searches).toHaveLength(2);
  for (const search of searches) expect(search).toMatch(/INDEX executions_(state|wake) /);
  await store.close();
});

test("searching for due rows, for the most urgent questions, and for those put aside, never scans all rows", async () => {
  const asked = new Set<string>();
  const open = (at: string) => {
    const db = openDatabase(at);
    const prepare = (sql: string) => {
      asked.add(sql);
      return db.prepare(sql);
    };
    return {
      ...db,
      prepare,
      get inTransaction() {
        return db.inTransaction;
      },
    };
  };
  const store = sqliteStore(path, { sealer, open });
  await store.commit(change({ writes: [put("approvals", approval("1"))], entries: [draftOf()] }));
  asked.clear();
  await store.take("timers", { workspace: W, owner: "w", max: 5, nowMs: 0, leaseMs: 1 });
  for (const where of [{ state: "pending" }, { state: "pending", agent: "coder" }])
    await store.read({ ask: "rows", workspace: W, table: "approvals", where, limit: 5, order: "soonest" });
  const aside = { state: "pending", collect: "snoozed" };
  await store.read({ ask: "rows", workspace: W, table: "approvals", where: aside, limit: 5, order: "oldest" });
  await store.close();
  const db = openDatabase(path);
  const plans = [...asked].filter((sql) => / from (approvals|calls) /.test(sql)).flatMap((sql) => planOf(db, sql));
  db.close();
  expect(plans.filter((plan) => / (approvals|c) /.test(plan))).toEqual([
    "SEARCH approvals USING INDEX approvals_wake (queue=? AND wake_ms<?)",
    "SEARCH c USING INDEX calls_wake (wake_ms<?)",
    "SEARCH approvals USING INDEX approvals_due (space=?)",
    "SEARCH approvals USING INDEX approvals_agent (space=? AND agent=? AND state=?)",
    "SEARCH approvals USING INDEX approvals_collect (space=? AND collect=?)",
  ]);
});

function planOf(db: ReturnType<typeof openDatabase>, sql: string): readonly string[] {
  // Without values it is the plan for all values; a known limit of one row would change it.
  const plan = db.prepare(`explain query plan ${sql}`).all();
  return plan.map((row) => String(row["detail"]));
}
