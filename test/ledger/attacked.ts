import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { openDeps } from "../../src/compose.ts";
import type { Message } from "../../src/core/messages/message.ts";
import type { Receipt } from "../../src/core/receipt.ts";
import { DEFAULT_CALLER } from "../../src/gate/calls/judging.ts";
import { submit } from "../../src/gate/calls/submit.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { addPerson } from "../../src/gate/people/people.ts";
import { verifyLedger } from "../../src/gate/record/ledger.ts";
import type { PolicyLayer } from "../../src/library/layer.ts";
import type { SqlValue } from "../../src/store/sql/columns.ts";
import { openDatabase } from "../../src/store/sqlite/file/driver.ts";

type Opened = Awaited<ReturnType<typeof openDeps>>;
type Kept = { id: string; row: string; version: number };

/** A separate machine for each test, and what somebody can do there who can write the database but has no key. */
export type Attacked = {
  readonly home: string;
  withDeps<T>(act: (deps: Opened) => Promise<T>, policy?: PolicyLayer): Promise<T>;
  /** SQL on the file, also while a gate has it open. */
  edit(sql: string, ...values: readonly SqlValue[]): void;
  rowsOf(table: string): readonly Kept[];
  /** ana is an admin, ben a reviewer; everything is set up by the gate itself. */
  setUp(): Promise<void>;
  ask(deps: Deps, tool: string): Promise<Receipt>;
  /** Nothing is decided, nobody can prove anything, and `verify` says so. */
  expectTampered(): Promise<void>;
};

const POLICY: PolicyLayer = { tiers: { "fs.read": "auto" }, approvals: { assurance: "any" } };

export function attacked(): Attacked {
  let home = "";
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "leeway-marks-"));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));
  const database = () => openDatabase(join(home, "state", "leeway", "leeway.db"));
  const withDeps: Attacked["withDeps"] = async (act, policy = POLICY) => {
    const deps = await openDeps({ env: { HOME: home, XDG_STATE_HOME: join(home, "state") }, cwd: home, policy });
    try {
      return await act(deps);
    } finally {
      await deps.close();
    }
  };
  const ask: Attacked["ask"] = (deps, tool) => {
    const call = { workspace: "default", agent: "coder", tool, args: { path: "a.ts" }, callId: deps.mint.next("call") };
    return submit(deps, { ...call, traceId: "trace_1", cwd: home, chain: [], claims: {} }, DEFAULT_CALLER);
  };
  return {
    get home() {
      return home;
    },
    withDeps,
    ask,
    edit: (sql, ...values) => {
      const db = database();
      if (values.length === 0) db.exec(sql);
      else db.prepare(sql).run(...values);
      db.close();
    },
    rowsOf: (table) => {
      const db = database();
      const id = table === "calls" ? "(select call from entries where entries.place = calls.place) as id" : "id";
      const found = db.prepare(`select ${id}, row, version from ${table}`).all();
      db.close();
      return found.map(({ id, row, version }) => ({ id: String(id), row: String(row), version: Number(version) }));
    },
    setUp: () =>
      withDeps(async (deps) => {
        ok(await addPerson(deps, { name: "ana", passphrase: "correct horse", by: "ana", assurance: "tty" }));
        ok(await addPerson(deps, { name: "ben", passphrase: "battery staple", by: "ana", assurance: "tty" }));
        expect((await ask(deps, "read_file")).outcome).toBe("run");
      }),
    expectTampered: () =>
      withDeps(async (deps) => {
        expect(await ask(deps, "read_file")).toMatchObject({ outcome: "denied", code: "LEEWAY_TAMPERED" });
        const added = addPerson(deps, { name: "eve", by: "ana", assurance: "tty" });
        await expect(added).rejects.toMatchObject({ refused: { code: "LEEWAY_TAMPERED" } });
        expect(await verifyLedger(deps)).toMatchObject({ ok: false });
      }),
  };
}

export function ok<T>(done: { ok: true; value: T } | { ok: false; reason: Message }): T {
  if (!done.ok) throw new Error(done.reason.say);
  return done.value;
}
