import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Receipt } from "../../src/core/receipt.ts";
import { submit } from "../../src/gate/calls/submit.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { type Store, StoreUnavailable } from "../../src/ports.ts";
import { type Database, type OpenDatabase, openDatabase } from "../../src/store/sqlite/file/driver.ts";
import { sqliteStore } from "../../src/store/sqlite/index.ts";
import { systemMint } from "../../src/system.ts";
import { testDeps } from "../../src/testing.ts";
import { change, draftOf, sealer } from "../fixtures/rows.ts";
import { policy } from "./processes.ts";

let folder = "";
let path = "";
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "leeway-faults-"));
  path = join(folder, "leeway.db");
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const AS_SAID = "do what the message says, then try again";

const KINDS = [
  {
    errcode: 13,
    errstr: "database or disk is full",
    says: /the disk is full, so the database \S*leeway\.db cannot grow \(database or disk is full\)/,
    hint: "free disk space, then try again",
  },
  { errcode: 10, errstr: "disk I/O error", says: /input\/output/, hint: AS_SAID },
  { errcode: 8, errstr: "attempt to write a readonly database", says: /read-only/, hint: AS_SAID },
  { errcode: 266, errstr: "disk I/O error", says: /input\/output/, hint: AS_SAID },
  { errcode: 11, errstr: "database disk image is malformed", says: /damaged/, hint: AS_SAID },
];

test.each(KINDS)(
  "at any use of the database, $errstr ($errcode) denies the call with a hint that fits and records nothing, and calls run again after the fault",
  async (kind) => {
    const faults = faulty();
    store = sqliteStore(path, { sealer, open: faults.open });
    const deps = depsOn(store);
    // The first call also registers its agent, the second reads the standing again, the third finds that nothing waits.
    for (let i = 0; i < 3; i++) await call(deps);
    await turn();
    faults.count = 0;
    await call(deps);
    const uses = faults.count;
    expect(uses).toBeGreaterThan(5);
    for (let use = 1; use <= uses; use++) {
      const before = await store.read({ ask: "head", workspace: "default" });
      await turn();
      faults.failAt(use, kind);
      const denied = await call(deps);
      faults.mend();
      expect([use, denied.outcome, denied.code]).toEqual([use, "denied", "LEEWAY_AUDIT_UNAVAILABLE"]);
      expect(denied.reason).toMatch(kind.says);
      expect(denied.reason?.endsWith(`; ${kind.hint}`)).toBe(true);
      expect(denied.executionId).toBeUndefined();
      expect(await store.read({ ask: "head", workspace: "default" })).toEqual(before);
      expect((await call(deps)).outcome).toBe("run");
    }
  },
);

test("a COMMIT that reports an error although it succeeded is applied once, however often it is sent again", async () => {
  const faults = faulty();
  store = sqliteStore(path, { sealer, open: faults.open });
  await store.commit(change({ entries: [draftOf()] }));
  const once = change({ entries: [draftOf()] });
  faults.failAfter = "commit";
  await expect(store.commit(once)).rejects.toThrow(StoreUnavailable);
  expect(await store.commit(once)).toEqual({ ok: true, firstIndex: 2 });
  expect(await store.commit(once)).toEqual({ ok: true, firstIndex: 2 });
  expect((await store.read({ ask: "head", workspace: "default" })).index).toBe(2);
});

test("a decision that was recorded although the gate got an error never runs twice", async () => {
  const faults = faulty();
  store = sqliteStore(path, { sealer, open: faults.open });
  const deps = depsOn(store);
  await call(deps);
  faults.failAfter = "commit";
  faults.thenFail = true;
  const denied = await call(deps);
  faults.mend();
  expect([denied.outcome, denied.code, denied.attempt]).toEqual(["denied", "LEEWAY_AUDIT_UNAVAILABLE", undefined]);
  const again = async (gate: typeof deps) => {
    calls -= 1;
    const { outcome, code, attempt } = await call(gate);
    return [outcome, code, attempt];
  };
  // Another process cannot know that nobody started it. The one that refused its caller takes the start back, once.
  const running = ["pending", "LEEWAY_CALL_RUNNING", undefined];
  expect(await again(depsOn(store))).toEqual(running);
  expect(await again(deps)).toEqual(["run", undefined, expect.stringMatching(/^att_/)]);
  expect(await again(deps)).toEqual(running);
  expect(await again(depsOn(store))).toEqual(running);
});

test("if one of many Changes that share a commit meets a full disk, all calls are denied and none is recorded", async () => {
  const faults = faulty();
  store = sqliteStore(path, { sealer, open: faults.open });
  const deps = depsOn(store);
  await call(deps);
  const before = await store.read({ ask: "head", workspace: "default" });
  faults.onOpen = "pragma max_page_count = 1";
  faults.live?.exec(faults.onOpen);
  const denied = await Promise.all(Array.from({ length: 40 }, () => call(deps, "x".repeat(5_000))));
  expect(new Set(denied.map((receipt) => receipt.code))).toEqual(new Set(["LEEWAY_AUDIT_UNAVAILABLE"]));
  expect(denied[0]?.reason).toMatch(/disk is full/);
  faults.onOpen = "";
  expect(await store.read({ ask: "head", workspace: "default" })).toEqual(before);
  expect((await call(deps)).outcome).toBe("run");
});

test("a database that became read-only denies calls until it is writable again", async () => {
  const faults = faulty();
  store = sqliteStore(path, { sealer, open: faults.open });
  const deps = depsOn(store);
  await call(deps);
  faults.onOpen = "pragma query_only = on";
  faults.live?.exec(faults.onOpen);
  for (let i = 0; i < 3; i++) {
    const denied = await call(deps);
    expect([denied.code, denied.reason]).toEqual(["LEEWAY_AUDIT_UNAVAILABLE", expect.stringMatching(/read-only/)]);
  }
  faults.onOpen = "";
  expect((await call(deps)).outcome).toBe("run");
});

test("a call that finds the database locked waits, and is denied if it stays locked", async () => {
  store = sqliteStore(path, { sealer, busyMs: 60_000 });
  const hasty = sqliteStore(path, { sealer, busyMs: 100 });
  const deps = depsOn(store);
  await call(deps);
  const other = openDatabase(path);
  other.exec("begin immediate");
  const denied = await call(depsOn(hasty));
  expect([denied.code, denied.reason]).toEqual(["LEEWAY_AUDIT_UNAVAILABLE", expect.stringMatching(/locked/)]);
  const waiting = call(deps);
  setTimeout(() => other.exec("commit"), 20);
  expect((await waiting).outcome).toBe("run");
  other.close();
  await hasty.close();
});

test("a database that was moved away is never created again, and is used again when it is back", async () => {
  store = sqliteStore(path, { sealer });
  const deps = depsOn(store);
  await call(deps);
  const head = await store.read({ ask: "head", workspace: "default" });
  renameSync(path, `${path}.away`);
  const denied = await call(deps);
  expect([denied.code, denied.reason]).toEqual(["LEEWAY_AUDIT_UNAVAILABLE", expect.stringMatching(/moved or deleted/)]);
  renameSync(`${path}.away`, path);
  const receipt = await call(deps);
  expect([receipt.outcome, (receipt.ledgerIndex ?? 0) > head.index]).toEqual(["run", true]);
});

test("a file that is not a database, or a folder that is a file, denies calls with a clear message", async () => {
  writeFileSync(
    path,
    "a shopping list, long enough to be taken for the header of a database by whoever is careless ".repeat(9),
  );
  store = sqliteStore(path, { sealer });
  expect((await call(depsOn(store))).reason).toMatch(/not a database/);
  const below = sqliteStore(join(path, "leeway.db"), { sealer });
  expect((await call(depsOn(below))).reason).toMatch(/cannot be opened/);
  await below.close();
});

function depsOn(on: Store): Deps {
  return testDeps({ policy, store: on, mint: systemMint() });
}

/** Lets the turn of the event loop end, and with it the snapshot that its reads share. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

let calls = 0;

/** Submits a call that would run immediately. */
function call(deps: Deps, note = ""): Promise<Receipt> {
  calls += 1;
  const args = { calls, note };
  const made = { workspace: "default", agent: "coder", tool: "lookup", args, callId: `c${calls}` };
  return submit(deps, { ...made, traceId: "trace_1", chain: [], claims: {} });
}

type Faults = {
  open: OpenDatabase;
  /** The number of uses of the database: every statement counts. */
  count: number;
  /** From this use on everything fails, until it is repaired. */
  failAt(use: number, kind: { errcode: number; errstr: string }): void;
  mend(): void;
  /** The statement that is executed and then reported as failed, once. */
  failAfter: string;
  /** After that, everything fails until it is repaired. */
  thenFail: boolean;
  onOpen: string;
  live: Database | undefined;
};

/** The real database, whose every use can be made to fail. */
function faulty(): Faults {
  let armed: { use: number; kind: { errcode: number; errstr: string } } | undefined;
  const use = <T>(sql: string, act: () => T): T => {
    faults.count += 1;
    if (armed !== undefined && faults.count >= armed.use) throw sqliteError(armed.kind);
    const result = act();
    if (faults.failAfter !== sql) return result;
    faults.failAfter = "";
    const kind = { errcode: 10, errstr: "disk I/O error" };
    if (faults.thenFail) faults.failAt(1, kind);
    throw sqliteError(kind);
  };
  const faults: Faults = {
    count: 0,
    failAfter: "",
    thenFail: false,
    mend: () => {
      armed = undefined;
      faults.thenFail = false;
    },
    onOpen: "",
    live: undefined,
    failAt: (at, kind) => {
      faults.count = 0;
      armed = { use: at, kind };
    },
    open: (at, mode) => {
      const db = openDatabase(at, mode);
      faults.live = db;
      if (faults.onOpen !== "") db.exec(faults.onOpen);
      return watched(db, use);
    },
  };
  return faults;
}

function watched(db: Database, use: <T>(sql: string, act: () => T) => T): Database {
  return {
    get inTransaction() {
      return db.inTransaction;
    },
    exec: (sql) => use(sql, () => db.exec(sql)),
    prepare: (sql) => {
      const statement = db.prepare(sql);
      return {
        run: (...values) => use(sql, () => statement.run(...values)),
        get: (...values) => use(sql, () => statement.get(...values)),
        all: (...values) => use(sql, () => statement.all(...values)),
      };
    },
    close: () => db.close(),
  };
}

function sqliteError(kind: { errcode: number; errstr: string }): Error {
  return Object.assign(new Error(kind.errstr), { code: "ERR_SQLITE_ERROR", ...kind });
}
