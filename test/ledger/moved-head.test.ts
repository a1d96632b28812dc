import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { submit } from "../../src/gate/calls/submit.ts";
import { headOf, listEntries, verifyLedger } from "../../src/gate/record/ledger.ts";
import { openDeps } from "../../src/open.ts";
import { serverAt } from "../../src/store/postgres/server/server.ts";
import { openDatabase } from "../../src/store/sqlite/file/driver.ts";
import { type Machine, machine } from "../cli/program.ts";
import { newDatabase } from "../postgres/database.ts";

// The end of the chain is also in a table of its own, so that it is found at once. Who can write to that table must gain
// nothing by it: what counts is the last entry.

const DAY_MS = 86_400_000;

let on: Machine;
beforeEach(() => {
  on = machine();
});
afterEach(() => on.remove());

const policy = {
  tiers: { "fs.read": "auto" },
  // biome-ignore lint/suspicious/noThenProperty: the word of the policy file; a limit is never awaited
  limits: [{ name: "one-a-day", match: { class: "fs.read" }, max: 1, per: "1d", by: "agent", then: "deny" }],
} as const;

/** A process of its own on the database. */
async function withDeps<T>(db: string, act: (deps: Awaited<ReturnType<typeof openDeps>>) => Promise<T>): Promise<T> {
  const deps = await openDeps({ env: { ...on.env, LEEWAY_DB: db }, cwd: on.project, policy });
  try {
    return await act(deps);
  } finally {
    await deps.close();
  }
}

const read = (db: string, callId: string, agent = "coder") =>
  withDeps(db, async (deps) => {
    const { outcome, code } = await submit(deps, {
      ...{ workspace: "default", agent, tool: "read_file", args: { path: "a" }, callId },
      ...{ traceId: "trace_1", chain: [], claims: {} },
    });
    return [outcome, code];
  });

const edits: { [store: string]: (db: string, sql: string) => Promise<void> } = {
  sqlite: async (path, sql) => {
    const db = openDatabase(path);
    db.exec(sql);
    db.close();
  },
  postgres: async (url, sql) => {
    const server = serverAt(url);
    await server.use((session) => session.exec(`${sql}; update chains set stamp = stamp + 1`));
    await server.close();
  },
};

test.each([["sqlite"], ["postgres"]])(
  "a time of the head that somebody moved gives no used limit back and leads no entry astray (%s)",
  async (store) => {
    const db = store === "sqlite" ? join(on.home, "leeway.db") : await newDatabase();
    const edit = edits[store] as (db: string, sql: string) => Promise<void>;
    expect(await read(db, "c1")).toEqual(["run", undefined]);
    expect(await read(db, "c2")).toEqual(["denied", "LEEWAY_LIMIT"]);
    await edit(db, `update chains set at_ms = at_ms + ${3 * DAY_MS}`);
    const found = await withDeps(db, async (deps) => {
      const verified = await verifyLedger(deps);
      return verified.ok ? "whole" : verified.fault.is;
    });
    expect(found).toBe("head");
    expect(await read(db, "c3")).toEqual(["denied", "LEEWAY_LIMIT"]);
    await edit(db, `update chains set at_ms = at_ms - ${3 * DAY_MS}, hash = 'sha256:0'`);
    expect(await read(db, "c4", "another")).toEqual(["run", undefined]);
    await withDeps(db, async (deps) => {
      const [newest] = await listEntries(deps, {}, { limit: 1, order: "newest" });
      expect(Math.abs((newest?.atMs ?? 0) - Date.now())).toBeLessThan(DAY_MS);
      const { index } = await headOf(deps);
      expect(await verifyLedger(deps)).toMatchObject({ ok: true, entries: index });
    });
  },
  60_000,
);
