import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { filesReleased } from "../../src/cli/state-copy.ts";
import { openSeals, sealsFolder } from "../../src/config/signer.ts";
import { changeOf } from "../../src/core/change.ts";
import { draft } from "../../src/core/steps/draft.ts";
import { review } from "../../src/gate/approvals/review.ts";
import { claim, settle } from "../../src/gate/calls/claim.ts";
import { submit } from "../../src/gate/calls/submit.ts";
import { addPerson } from "../../src/gate/people/people.ts";
import { verifyLedger } from "../../src/gate/record/ledger.ts";
import { sealLedger } from "../../src/gate/record/sealing.ts";
import type { Store } from "../../src/ports.ts";
import { MOVED_TABLES, sqliteColumns } from "../../src/store/moving/tables.ts";
import { postgresStore } from "../../src/store/postgres/index.ts";
import { type Server, serverAt } from "../../src/store/postgres/server/server.ts";
import { openDatabase } from "../../src/store/sqlite/file/driver.ts";
import { sqliteStore } from "../../src/store/sqlite/index.ts";
import { systemMint } from "../../src/system.ts";
import { testClock, testDeps } from "../../src/testing.ts";
import { compiled } from "../cli/program.ts";
import { sealer } from "../fixtures/rows.ts";
import { policy } from "../store/processes.ts";
import { newDatabase } from "./database.ts";

const KILLS = process.env["LEEWAY_PROVE"] === undefined ? 3 : 40;
const BULK = process.env["LEEWAY_PROVE"] === undefined ? 2_000 : 100_000;
/** Each part takes a second, but a process is started for each. */
const LONG_MS = process.env["LEEWAY_PROVE"] === undefined ? 180_000 : 3_600_000;
const WORKSPACES = ["default", "shop"];
const here = dirname(fileURLToPath(import.meta.url));

let home: string;
let state: string;
let file: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "leeway-moving-"));
  state = join(home, "leeway");
  file = join(state, "leeway.db");
  mkdirSync(state, { mode: 0o700 });
  // The key of `sealer`.
  writeFileSync(join(state, "leeway.key"), new Uint8Array(32), { mode: 0o600 });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** People, questions, executions with results, erased content, odd names, many entries and signed checkpoints. */
async function fill(store: Store, workspace: string, db: string, bulk: number): Promise<void> {
  const seals = openSeals(state, db);
  const deps = testDeps({ policy, store, workspace, seals, clock: testClock(), mint: systemMint() });
  await addPerson(deps, { name: "ana", admin: true, by: "ana", assurance: "tty" });
  for (let i = 0; i < 30; i++) {
    const tool = i % 3 === 0 ? "lookup" : "refund";
    const call = { workspace, agent: `agent-${i % 4}\0\u0001`, tool, args: { i, of: workspace }, callId: `c${i}` };
    const receipt = await submit(deps, { ...call, traceId: "trace_1", chain: [], claims: {} });
    const { approvalId, executionId, attempt, digest } = receipt;
    const ending = { ok: true, result: { i, note: "a result" } } as const;
    if (executionId !== undefined && attempt !== undefined && i % 2 === 0)
      await settle(deps, executionId, { attempt, by: "caller", ending });
    if (approvalId === undefined || i % 5 === 0) continue;
    await review(deps, approvalId, { by: "ana", verdict: "approve", digest, note: "", assurance: "tty", bulk: false });
    const asked = await store.read({ ask: "row", workspace, table: "approvals", id: approvalId });
    const right = asked?.row.state === "approved" ? await claim(deps, asked.row.executionId, "caller") : undefined;
    if (right?.ok !== true || i % 2 === 0) continue;
    const { execution } = right.value;
    const took = "attempt" in execution ? execution.attempt : "att_none";
    await settle(deps, execution.id, { attempt: took, by: "caller", ending });
  }
  await sealLedger(deps);
  for (let left = bulk; left > 0; left -= 1_000) {
    const ended = () => draft(deps.mint, { kind: "session.ended", actor: "leeway", subject: {}, body: { left } });
    const entries = Array.from({ length: Math.min(left, 1_000) }, ended);
    await store.commit(changeOf(deps.mint, { workspace, nowMs: deps.clock.nowMs() }, [{ entries }]));
  }
  await sealLedger(deps);
}

/** Everything that a gate can read, with the secrets opened. */
async function everythingIn(store: Store, db: string) {
  const found = [];
  for (const workspace of WORKSPACES) {
    const head = await store.read({ ask: "head", workspace });
    const order = "oldest" as const;
    const entries = await store.read({ ask: "entries", workspace, where: {}, limit: 200_000, order });
    const verified = await verifyLedger(testDeps({ store, workspace, seals: openSeals(state, db) }));
    const secrets = [];
    for (const { kind, subject } of entries) {
      if (kind !== "call.decided" || subject.call === undefined) continue;
      const call = await store.read({ ask: "row", workspace, table: "calls", id: subject.call });
      secrets.push([call?.version, call?.row.args.open(), call?.row.digest]);
    }
    for (const { kind, body } of entries) {
      if (kind !== "approval.approved") continue;
      const id = String(body?.json["execution"]);
      const right = await store.read({ ask: "row", workspace, table: "executions", id });
      secrets.push([
        right?.version,
        right?.row.state,
        right?.row.state === "succeeded" ? right.row.result?.open() : "",
      ]);
    }
    const waiting = await store.read({ ask: "count", workspace, table: "approvals", where: { state: "pending" } });
    const soonest = { limit: 50, order: "soonest" } as const;
    const due = await store.read({
      ask: "rows",
      workspace,
      table: "approvals",
      where: { state: "pending" },
      ...soonest,
    });
    const trust = await store.read({ ask: "trust", workspace });
    found.push({ workspace, head, entries, verified, secrets, waiting, due, trust });
  }
  return found;
}

/** Every column of every row, except encrypted ones, which differ. */
async function rowsIn(db: string): Promise<Record<string, readonly unknown[]>> {
  const found: Record<string, readonly unknown[]> = {};
  const server = db.startsWith("postgres://") ? serverAt(db, { isMoving: true }) : undefined;
  const opened = server === undefined ? openDatabase(db, { readOnly: true }) : undefined;
  for (const table of MOVED_TABLES) {
    const names = sqliteColumns(table).filter((name) => name !== "args" && name !== "result");
    const sql = `select ${names.join(", ")} from ${table.name} order by ${table.key.join(", ")}`;
    const rows = (await server?.use((session) => session.run(sql, []))) ?? opened?.prepare(sql).all() ?? [];
    const isSealed = table.name === "executions";
    found[table.name] = rows.map((row) => ({ ...row, ...(isSealed ? { row: unsealed(String(row["row"])) } : {}) }));
  }
  await server?.close();
  opened?.close();
  return found;
}

function unsealed(row: string): unknown {
  const { result, ...bare } = JSON.parse(row);
  return { ...bare, hasResult: result !== undefined };
}

/** Nobody in this process uses the file any more. */
async function mover(from: string, to: string): Promise<ChildProcess> {
  await filesReleased();
  const child = spawn(process.execPath, [join(here, "mover.mjs")], { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin?.end(JSON.stringify({ built: compiled(), state: home, from, to }));
  return child;
}

async function outcomeOf(child: ChildProcess): Promise<{ code: number | null; said: string; failed: string }> {
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [said, failed] = await Promise.all([child.stdout, child.stderr].map((one) => (one ? text(one) : "")));
  return { code: await ended, said: said ?? "", failed: failed ?? "" };
}

/** How many rows have arrived. */
async function arrivedAt(server: Server): Promise<number> {
  const sql = "select coalesce(sum(count), 0) as count from moving";
  const has = "select to_regclass('leeway.moving')::text as ours";
  return server.use(async (session) => {
    const [there] = await session.run(has, []);
    if (there?.["ours"] === null) return 0;
    const [found] = await session.run(sql, []);
    return Number(found?.["count"]);
  });
}

function notesOf(db: string): Record<string, string> {
  const folder = sealsFolder(state, db);
  const names = readdirSync(folder, { recursive: true }).map(String);
  const files = names.filter(
    (name) => !name.includes("@") && !name.endsWith("+time") && statSync(join(folder, name)).isFile(),
  );
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

async function filledFile(bulk: number): Promise<void> {
  const store = sqliteStore(file, { sealer });
  for (const workspace of WORKSPACES) await fill(store, workspace, file, workspace === "shop" ? 0 : bulk);
  await store.close();
}

test(
  "a move that is killed again and again ends with the same chain, rows, secrets and checkpoints, and the file is closed",
  async () => {
    await filledFile(BULK);
    const [before, rows] = [sqliteStore(file, { sealer }), await rowsIn(file)];
    const expected = await everythingIn(before, file);
    await before.close();
    expect(expected.map(({ verified }) => verified)).toMatchObject([{ ok: true, checkpoints: 2 }, { ok: true }]);
    const to = await newDatabase();
    // One connection for all looks: a new one takes so long that the move may end between two of them.
    const looking = serverAt(to, { isMoving: true });
    let arrived = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const child = await mover(file, to);
      const ended = outcomeOf(child);
      const enough = arrived + (kill === 0 ? 1 : (BULK / KILLS) * Math.random() * 0.6);
      await expect.poll(() => arrivedAt(looking), { interval: 5 }).toBeGreaterThanOrEqual(enough);
      child.kill("SIGKILL");
      await ended;
      arrived = await arrivedAt(looking);
      const closed = sqliteStore(file, { sealer });
      await expect(closed.read({ ask: "head", workspace: "default" })).rejects.toThrow(
        "the database is being moved to",
      );
      const unfinished = postgresStore(to, { sealer });
      await expect(unfinished.read({ ask: "head", workspace: "default" })).rejects.toThrow("is being filled from");
      await unfinished.close();
    }
    await looking.close();
    const last = await outcomeOf(await mover(file, to));
    expect([last.code, last.failed]).toEqual([0, ""]);
    const ends = expected.map(({ workspace, head, verified }) => {
      return { workspace, entries: head.index, hash: head.hash, root: verified.ok ? verified.root : "" };
    });
    expect(JSON.parse(last.said)).toEqual(ends);
    const moved = postgresStore(to, { sealer });
    expect(await everythingIn(moved, to)).toEqual(expected);
    expect(await rowsIn(to)).toEqual(rows);
    expect(notesOf(to)).toEqual(notesOf(file));
    const after = sqliteStore(file, { sealer });
    await expect(after.read({ ask: "head", workspace: "default" })).rejects.toThrow("the database was moved to");
    // New rows and entries continue after the moved ones.
    await fillMore(moved, to);
    await moved.close();
    expect(JSON.parse((await outcomeOf(await mover(file, to))).said)).toMatchObject([{ workspace: "default" }, {}]);
  },
  LONG_MS,
);

async function fillMore(store: Store, db: string): Promise<void> {
  const deps = testDeps({ policy, store, seals: openSeals(state, db), clock: testClock(), mint: systemMint() });
  const call = { workspace: "default", agent: "new", tool: "refund", args: {}, callId: "new" };
  const receipt = await submit(deps, { ...call, traceId: "trace_1", chain: [], claims: {} });
  expect(receipt.outcome).toBe("pending");
  expect(await verifyLedger(deps)).toMatchObject({ ok: true });
}

test(
  "a database is moved back into a file, with the same chain, rows, secrets and checkpoints",
  async () => {
    const from = await newDatabase();
    const store = postgresStore(from, { sealer });
    for (const workspace of WORKSPACES) await fill(store, workspace, from, 1_500);
    const expected = await everythingIn(store, from);
    // Whoever waits keeps a connection.
    store.watch("default", () => undefined);
    const used = await outcomeOf(await mover(from, file));
    expect([used.code, used.failed]).toEqual([1, expect.stringContaining("other processes use the database")]);
    await store.close();
    const rows = await rowsIn(from);
    const child = await mover(from, file);
    const killed = outcomeOf(child);
    await expect.poll(() => readdirSync(state), { interval: 2 }).toContain("leeway.db.moving");
    child.kill("SIGKILL");
    await killed;
    const moved = await outcomeOf(await mover(from, file));
    expect([moved.code, moved.failed]).toEqual([0, ""]);
    const back = sqliteStore(file, { sealer });
    expect(await everythingIn(back, file)).toEqual(expected);
    expect(await rowsIn(file)).toEqual(rows);
    expect(notesOf(file)).toEqual(notesOf(from));
    await back.close();
    expect(readdirSync(state).filter((name) => name.includes("moving"))).toEqual([]);
    const closed = postgresStore(from, { sealer });
    await expect(closed.read({ ask: "head", workspace: "default" })).rejects.toThrow("the database was moved to");
    await closed.close();
  },
  LONG_MS,
);

test(
  "a file that somebody uses and a database with content are refused, and nothing is changed",
  async () => {
    await filledFile(0);
    const user = sqliteStore(file, { sealer });
    await user.read({ ask: "head", workspace: "default" });
    const used = await outcomeOf(await mover(file, await newDatabase()));
    expect([used.code, used.failed]).toEqual([1, expect.stringContaining("another process uses")]);
    await user.close();
    const to = await newDatabase();
    const other = postgresStore(to, { sealer });
    await fill(other, "default", to, 0);
    const full = await outcomeOf(await mover(file, to));
    expect([full.code, full.failed]).toEqual([1, expect.stringContaining("the database is not empty")]);
    const again = sqliteStore(file, { sealer });
    expect((await again.read({ ask: "head", workspace: "default" })).index).toBeGreaterThan(50);
    await again.close();
    await other.close();
  },
  LONG_MS,
);
