import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AttemptId } from "../../src/core/ids.ts";
import type { Message } from "../../src/core/messages/message.ts";
import { inEnglish, textOf } from "../../src/core/messages/text.ts";
import type { Receipt } from "../../src/core/receipt.ts";
import { cancel } from "../../src/gate/approvals/cancel.ts";
import { claim, release } from "../../src/gate/calls/claim.ts";
import { DEFAULT_CALLER } from "../../src/gate/calls/judging.ts";
import { submit } from "../../src/gate/calls/submit.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { addPerson, removePerson, setPassphrase } from "../../src/gate/people/people.ts";
import { eraseBody, listEntries, verifyLedger } from "../../src/gate/record/ledger.ts";
import { promote, setOwner } from "../../src/gate/standing/agents.ts";
import { addDeclaration } from "../../src/gate/standing/declarations.ts";
import { addGrant, revokeGrant } from "../../src/gate/standing/grants.ts";
import { liftPause, setPause } from "../../src/gate/standing/pause.ts";
import { acceptPolicy } from "../../src/gate/standing/policy.ts";
import { openDatabase } from "../../src/store/sqlite/file/driver.ts";
import { sqliteStore } from "../../src/store/sqlite/index.ts";
import { systemMint } from "../../src/system.ts";
import { testDeps } from "../../src/testing.ts";
import { sealer } from "../fixtures/rows.ts";
import { answer, carryOut, policyOf, send, worldOf } from "./world.ts";

// Somebody edits rows in the database but not the chain. Rows decide, so `verify` must name each of them.

const folder = mkdtempSync(join(tmpdir(), "leeway-rows-"));
const path = join(folder, "leeway.db");
const policy = policyOf({ "fs.write": "auto", "db.read": "ask" });
const yes = { by: "ana", assurance: "tty" } as const;
const ids: Record<string, string> = {};

beforeAll(async () => {
  const store = sqliteStore(path, { sealer });
  const { deps } = await worldOf(policy, { store });
  await stageAll(deps);
  await store.close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One row of every kind, in the states that somebody might want to change. */
async function stageAll(deps: Deps): Promise<void> {
  await carryOut(deps, await send(deps, "write_file", { path: "src/a.ts", text: "1" }));
  done(await setOwner(deps, { agent: "coder", owner: "ana", ...yes }));
  done(await addPerson(deps, { name: "cleo", ...yes }));
  done(await setPassphrase(deps, "cleo", { ...yes, passphrase: "open the door" }));
  done(await removePerson(deps, "cleo", yes));
  const because = "it is a test";
  const covers = { class: "db.read", targets: [], level: "read" } as const;
  const grant = { subject: { agent: "coder" }, covers, because, usesMax: 3, ...yes };
  ids["revoked"] = done(await addGrant(deps, grant)).id;
  done(await revokeGrant(deps, ids["revoked"] ?? "", { by: "ana" }));
  ids["grant"] = done(await addGrant(deps, { ...grant, subject: { agent: "release-bot" } })).id;
  ids["pause"] = done(await setPause(deps, { scope: { of: "tool", name: "refund" }, because, by: "ana" })).id;
  const lifted = done(await setPause(deps, { scope: { of: "tool", name: "mail" }, because, by: "ana" }));
  done(await liftPause(deps, lifted.id, yes));
  ids["promotion"] = done(
    await promote(deps, { agent: "coder", class: "fs.write", tier: "notify", because, ...yes }),
  ).id;
  ids["declaration"] = done(
    await addDeclaration(deps, { about: { of: "tool", tool: "get_weather" }, class: "network.read", because, ...yes }),
  ).id;
  done(await acceptPolicy(deps, policy.source, { ...yes, version: policy.version }));
  await stageCalls(deps);
}

async function stageCalls(deps: Deps): Promise<void> {
  ids["pending"] = (await send(deps, "lookup", { id: 1 })).approvalId ?? "";
  const denied = await send(deps, "lookup", { id: 2 });
  await answer(deps, denied, "deny");
  ids["denied"] = denied.approvalId ?? "";
  const approved = await send(deps, "lookup", { id: 3 });
  await answer(deps, approved, "approve");
  ids["approved"] = approved.approvalId ?? "";
  const used = await send(deps, "lookup", { id: 4 });
  await answer(deps, used, "approve");
  await carryOut(deps, used);
  ids["used"] = used.approvalId ?? "";
  done(await cancel(deps, (await send(deps, "lookup", { id: 5 })).approvalId ?? "", yes));
  await claimAndRelease(deps, await send(deps, "lookup", { id: 6 }));
  const claimed = await send(deps, "lookup", { id: 7 });
  await answer(deps, claimed, "approve");
  ids["claimed"] = await executionOf(deps, claimed.approvalId ?? "");
  done(await claim(deps, ids["claimed"], "caller"));
  ids["running"] = (await send(deps, "write_file", { path: "src/b.ts", text: "2" })).executionId ?? "";
}

/** An execution that was claimed and given back waits again, as another version of the row. */
async function claimAndRelease(deps: Deps, receipt: Receipt): Promise<void> {
  await answer(deps, receipt, "approve");
  const id = await executionOf(deps, receipt.approvalId ?? "");
  const { execution } = done(await claim(deps, id, "caller"));
  if (execution.state !== "claimed") throw new Error("it was not claimed");
  done(await release(deps, id, { attempt: execution.attempt, why: "the host went away" }));
  ids["released"] = receipt.approvalId ?? "";
}

async function executionOf(deps: Deps, id: string): Promise<string> {
  const held = await deps.store.read({ ask: "row", workspace: "default", table: "approvals", id });
  return held?.row.state === "approved" ? held.row.executionId : "";
}

function done<T>(result: { ok: true; value: T } | { ok: false; reason: Message }): T {
  if (!result.ok) throw new Error(result.reason.say);
  return result.value;
}

type Row = { [name: string]: unknown };

/** A copy of the database in which somebody changed rows. */
async function tampered<T>(edit: (db: ReturnType<typeof openDatabase>) => void, look: (deps: Deps) => Promise<T>) {
  const copy = join(folder, "copy.db");
  for (const end of ["", "-wal", "-shm"]) rmSync(copy + end, { force: true });
  copyFileSync(path, copy);
  const db = openDatabase(copy);
  edit(db);
  db.close();
  const deps = testDeps({ store: sqliteStore(copy, { sealer }), policy, mint: systemMint() });
  try {
    return await look(deps);
  } finally {
    await deps.store.close();
  }
}

/** Edits the JSON of a row, and its columns as the gate would have written them. */
function rewrite(table: string, id: string, change: (row: Row) => Row, columns: Row = {}) {
  // A call is stored at the index of its first entry.
  const where = table === "calls" ? "place = (select min(place) from entries where call = ?)" : "id = ?";
  return (db: ReturnType<typeof openDatabase>) => {
    const found = db.prepare(`select row from ${table} where ${where}`).get(id);
    const row = change(JSON.parse(String(found?.["row"])));
    db.prepare(`update ${table} set row = ? where ${where}`).run(JSON.stringify(row), id);
    for (const [name, value] of Object.entries(columns)) {
      db.prepare(`update ${table} set ${name} = ? where ${where}`).run(value as string, id);
    }
  };
}

const faultsOf = async (edit: Parameters<typeof tampered>[0]) => {
  const verified = await tampered(edit, (deps) => verifyLedger(deps));
  if (verified.ok) return [];
  expect(verified.fault.is).toBe("row");
  return (verified.rows ?? []).map(({ table, id, why }) => [
    table,
    id,
    textOf(why, "en").replace(/entry \d+/, "entry N"),
  ]);
};

const CHANGED = "it is not the row that entry N recorded";
const STRANGE = "no entry recorded it";
const GONE = "entry N recorded it, and it is missing";
const APART = "its search columns do not match the row";

test("an unchanged database is valid, with all its rows", async () => {
  const verified = await tampered(
    () => undefined,
    (deps) => verifyLedger(deps),
  );
  expect(verified).toMatchObject({ ok: true, rows: { unproved: 0 } });
  expect(verified.ok && verified.rows?.compared).toBeGreaterThan(20);
});

describe("an edited row is named", () => {
  const cases: [what: string, table: string, id: () => string, change: (row: Row) => Row, columns?: Row][] = [
    ["a person who was made an admin", "people", () => "ben", (row) => ({ ...row, admin: true })],
    ["a replaced passphrase", "people", () => "ana", (row) => ({ ...row, passphrase: "scrypt:1:a:b" })],
    [
      "a removed person who was restored",
      "people",
      () => "cleo",
      (row) => ({ ...row, state: "active" }),
      { state: "active" },
    ],
    [
      "a grant that was made wider",
      "grants",
      () => id("grant"),
      (row) => ({ ...row, covers: { targets: [], level: "write" } }),
    ],
    ["a grant whose end was removed", "grants", () => id("grant"), ({ usesMax: _, ...row }) => row],
    [
      "a revoked grant that was restored",
      "grants",
      () => id("revoked"),
      ({ atMs: _, by: __, ...row }) => ({ ...row, state: "live" }),
      { state: "live" },
    ],
    [
      "a pause that was ended",
      "pauses",
      () => id("pause"),
      (row) => ({ ...row, state: "lifted", atMs: 1 }),
      { state: "lifted" },
    ],
    ["a promotion to a looser tier", "promotions", () => id("promotion"), (row) => ({ ...row, tier: "auto" })],
    [
      "a declaration that was made milder",
      "declarations",
      () => id("declaration"),
      (row) => ({ ...row, class: "none" }),
    ],
    ["the hash of an accepted policy", "policies", () => policy.source, (row) => ({ ...row, version: "sha256:00" })],
    ["the text of an accepted policy", "policies", () => policy.source, (row) => ({ ...row, text: "preset: open" })],
    ["the owner of an agent", "agents", () => "coder", (row) => ({ ...row, owner: "ben" })],
    ["the quorum of a question", "approvals", () => id("pending"), (row) => ({ ...row, quorum: 0 })],
    [
      "a denial that was changed to cancelled",
      "approvals",
      () => id("denied"),
      (row) => ({ ...row, state: "cancelled", by: "ana" }),
      { state: "cancelled" },
    ],
  ];
  test.each(cases)("%s", async (_, table, of, change, columns) => {
    expect(await faultsOf(rewrite(table, of(), change, columns))).toEqual([[table, of(), CHANGED]]);
  });
});

test("an approval that was set to approved by hand is named, and so is its execution", async () => {
  const execution = await tampered(
    () => undefined,
    (deps) => executionOf(deps, id("approved")),
  );
  const approve = rewrite(
    "approvals",
    id("pending"),
    (row) => ({ ...row, state: "approved", atMs: 1, executionId: execution }),
    { state: "approved", key: null },
  );
  expect(await faultsOf(approve)).toEqual([
    ["approvals", id("pending"), CHANGED],
    ["executions", execution, STRANGE],
  ]);
});

test("a used execution that was made ready again by hand is named, with or without its columns", async () => {
  const used = await tampered(
    () => undefined,
    (deps) => executionOf(deps, id("used")),
  );
  const again = (row: Row) => ({ ...row, state: "ready", readyMs: 1, runUntilMs: 9e15 });
  const columns = { state: "ready", collect: "permit", sort_ms: 9e15 };
  expect(await faultsOf(rewrite("executions", used, again, columns))).toEqual([["executions", used, CHANGED]]);
  expect(await faultsOf(rewrite("executions", used, again))).toEqual([["executions", used, APART]]);
});

test("a waiting execution is named if its expiry, digest or approvers were changed", async () => {
  for (const name of ["approved", "released"]) {
    const waiting = await tampered(
      () => undefined,
      (deps) => executionOf(deps, id(name)),
    );
    const edits: [Row, Row][] = [
      [{ runUntilMs: 9e15 }, { sort_ms: 9e15 }],
      [{ digest: "sha256:00" }, { digest: "sha256:00" }],
      [{ approvers: ["ben"] }, {}],
    ];
    for (const [over, columns] of edits) {
      const faults = await faultsOf(rewrite("executions", waiting, (row) => ({ ...row, ...over }), columns));
      expect(faults).toEqual([["executions", waiting, CHANGED]]);
    }
  }
});

test("a running execution given to another agent, and a call that differs from its decision, are named", async () => {
  const other = { agent: "release-bot" };
  expect(await faultsOf(rewrite("executions", id("claimed"), (row) => ({ ...row, ...other }), other))).toEqual([
    ["executions", id("claimed"), CHANGED],
  ]);
  const call = await tampered(
    () => undefined,
    async (deps) =>
      (await deps.store.read({ ask: "row", workspace: "default", table: "approvals", id: id("pending") }))?.row.call,
  );
  const effect = { parts: [], understood: "fully", notes: [] };
  // The content of the entry applies, whatever is written into the row; so an attacker makes the row name no entry, or another.
  expect(await faultsOf(rewrite("calls", call ?? "", (row) => ({ ...row, effect })))).toEqual([]);
  for (const decided of [0, 1]) {
    const edited = rewrite("calls", call ?? "", (row) => ({ ...row, effect }), { decided });
    expect(await faultsOf(edited)).toEqual([["calls", call, CHANGED]]);
  }
});

test("a call whose execution was deleted by hand is refused when it is sent again, and does not run twice", async () => {
  const call = `call_${id("running").slice("exe_".length)}`;
  const gone = { execution: null, execution_version: null };
  const again = await tampered(
    rewrite("calls", call, (row) => row, gone),
    async (deps) => {
      const held = await deps.store.read({ ask: "row", workspace: "default", table: "calls", id: call });
      const { callId = "" } = held?.row ?? {};
      return send(deps, "write_file", { path: "src/b.ts", text: "2" }, { callId });
    },
  );
  expect([again.outcome, again.code]).toEqual(["denied", "LEEWAY_TAMPERED"]);
});

test("an execution stored with its call cannot be used after somebody edited it", async () => {
  const call = `call_${id("running").slice("exe_".length)}`;
  for (const forged of [
    { state: "ready", readyMs: 0 },
    { state: "unknown" },
    { state: "void" },
    {},
    { lapsed: "att_1" },
  ]) {
    const execution = JSON.stringify({ owner: "mallory", runBy: "leeway", attempts: 0, runUntilMs: 9e15, ...forged });
    const claimed = await tampered(
      rewrite("calls", call, (row) => row, { execution }),
      (deps) => claim(deps, id("running"), "caller"),
    );
    expect([forged, claimed.ok]).toEqual([forged, false]);
  }
});

test("an added row is named", async () => {
  const planted = (db: ReturnType<typeof openDatabase>) => {
    const found = db.prepare("select * from people where id = 'ana'").get();
    const row = JSON.stringify({ ...JSON.parse(String(found?.["row"])), name: "mallory" });
    db.prepare(
      "insert into people (space, id, version, state, sort_ms, row) values (?, 'mallory', 1, 'active', ?, ?)",
    ).run(found?.["space"] ?? 0, found?.["sort_ms"] ?? 0, row);
  };
  expect(await faultsOf(planted)).toEqual([["people", "mallory", STRANGE]]);
});

test("a deleted row is named: a pause, a person, a denial", async () => {
  const deleted = (table: string, which: string) =>
    faultsOf((db) => void db.prepare(`delete from ${table} where id = ?`).run(which));
  expect(await deleted("pauses", id("pause"))).toEqual([["pauses", id("pause"), GONE]]);
  expect(await deleted("people", "ben")).toEqual([["people", "ben", GONE]]);
  expect(await deleted("approvals", id("denied"))).toEqual([["approvals", id("denied"), GONE]]);
});

test("columns that differ from their row are named, and so is a row that is not JSON", async () => {
  const set = (sql: string) => faultsOf((db) => db.exec(sql));
  expect(await set(`update approvals set state = 'denied' where id = '${id("pending")}'`)).toEqual([
    ["approvals", id("pending"), APART],
  ]);
  expect(await set("update people set state = 'removed' where id = 'ben'")).toEqual([["people", "ben", APART]]);
  expect(await set("update people set row = '{' where id = 'ben'")).toEqual([["people", "ben", APART]]);
});

test("every row that does not match is reported, not only the first", async () => {
  const both = (db: ReturnType<typeof openDatabase>) => {
    rewrite("people", "ben", (row) => ({ ...row, admin: true }))(db);
    rewrite("grants", id("grant"), (row) => ({ ...row, tier: "notify" }))(db);
  };
  const verified = await tampered(both, (deps) => verifyLedger(deps));
  expect(inEnglish(verified)).toMatchObject({
    ok: false,
    fault: { is: "row" },
    rows: [
      { table: "grants", id: id("grant") },
      { table: "people", id: "ben", hint: "restore a backup from before that; later changes may depend on it" },
    ],
  });
});

test("an edited row is found even after the gate used it: the next entry did not start from the recorded row", async () => {
  const edit = rewrite("people", "ben", (row) => ({ ...row, admin: true }));
  const verified = await tampered(edit, async (deps) => {
    done(await setPassphrase(deps, "ben", { by: "ben", assurance: "tty", passphrase: "open the door" }));
    return verifyLedger(deps);
  });
  expect(verified).toMatchObject({ ok: false, rows: [{ table: "people", id: "ben" }] });
  const waiting = rewrite("approvals", id("pending"), (row) => ({ ...row, selfReview: true }));
  const asked = await tampered(waiting, async (deps) => {
    done(await cancel(deps, id("pending"), yes));
    return verifyLedger(deps);
  });
  expect(asked).toMatchObject({ ok: false, rows: [{ table: "approvals", id: id("pending") }] });
});

test("a row whose entry was erased counts as unproved; entries about what is in force cannot be erased", async () => {
  const verified = await tampered(
    () => undefined,
    async (deps) => {
      const page = { limit: 100, order: "oldest" as const };
      const erase = async (kinds: Parameters<typeof listEntries>[1]) => {
        const [entry] = await listEntries(deps, kinds, page);
        return eraseBody(deps, entry?.index ?? 0, { by: "ana", assurance: "tty", because: "it named a customer" });
      };
      done(await erase({ kinds: ["grant.created"], subject: { grant: id("grant") } }));
      done(await erase({ kinds: ["approval.opened"], subject: { approval: id("pending") } }));
      expect(await erase({ kinds: ["pause.set"] })).toMatchObject({ ok: false, code: "LEEWAY_BAD_INPUT" });
      return verifyLedger(deps);
    },
  );
  expect(verified).toMatchObject({ ok: true, rows: { unproved: 2 } });
});

test("verifying while others write raises no false alarm", async () => {
  const verified = await tampered(
    () => undefined,
    async (deps) => {
      const working = (async () => {
        for (let i = 0; i < 30; i++) {
          const receipt = await submit(
            deps,
            {
              workspace: "default",
              agent: "coder",
              tool: "lookup",
              args: { busy: i },
              callId: `busy${i}`,
              traceId: `trace_busy${i}`,
              chain: [],
              claims: {},
            },
            DEFAULT_CALLER,
          );
          await answer(deps, receipt, i % 2 === 0 ? "approve" : "deny");
        }
      })();
      const seen = await Promise.all(Array.from({ length: 5 }, () => verifyLedger(deps)));
      await working;
      return [...seen, await verifyLedger(deps)];
    },
  );
  expect(verified.filter((one) => !one.ok)).toEqual([]);
});

function id(name: string): string {
  return ids[name] ?? "";
}

test("uses of a grant that somebody gave back are named, until the grant is revoked", async () => {
  const emptied = await tampered(
    () => undefined,
    async (deps) => {
      const covers = { class: "db.read", targets: [], level: "read" } as const;
      const given = { subject: { agent: "helper" }, covers, because: "it is a test", usesMax: 2, ...yes };
      const grant = done(await addGrant(deps, { ...given, tier: "auto" })).id;
      const ask = (at: number) => send(deps, "lookup", { id: `helper ${at}` }, { agent: "helper" });
      const started = [await ask(1), await ask(2), await ask(3)];
      expect(started.map(({ outcome }) => outcome)).toEqual(["run", "run", "pending"]);
      // A call that did not start gives its use back.
      const { executionId = "", attempt = "" } = started[0] ?? {};
      done(await release(deps, executionId, { attempt: attempt as AttemptId, why: "the host went away" }));
      expect((await ask(4)).outcome).toBe("run");
      expect(await verifyLedger(deps)).toMatchObject({ ok: true });
      return grant;
    },
  );
  const copy = join(folder, "copy.db");
  const db = openDatabase(copy);
  db.prepare("update counters set sum = 0 where counter = ?").run(`grant:${emptied}`);
  db.close();
  const deps = testDeps({ store: sqliteStore(copy, { sealer }), policy, mint: systemMint() });
  const verified = await verifyLedger(deps);
  const rows = verified.ok ? [] : (verified.rows ?? []);
  expect(rows.map(({ table, id, why, hint }) => [table, id, textOf(why, "en"), textOf(hint, "en")])).toEqual([
    [
      "grants",
      emptied,
      "its counter has fewer uses (0) than its entries (2)",
      `revoke it, \`leeway grants revoke ${emptied}\`, and give a new one if it is still needed`,
    ],
  ]);
  done(await revokeGrant(deps, emptied, { by: "ana" }));
  expect(await verifyLedger(deps)).toMatchObject({ ok: true });
  await deps.store.close();
});
