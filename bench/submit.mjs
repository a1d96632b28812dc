// Deciding durably: submissions a second beside the bare driver, in turns within one run. One caller beside one bare row
// per transaction; many callers beside the very rows that a submission writes, in batches of the same size; three
// processes on one file beside one. `cpuRatio` is the same comparison in CPU time, for when others use the machine too.
// node --expose-gc bench/submit.mjs [--json]
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gateOn, keepBusy, load, median, print, spread, submitOne } from "./store-kit.mjs";

const { openDatabase } = await load("store/sqlite/driver.js");
const { migrate } = await load("store/sqlite/migrations.js");

const ROUNDS = 5;
const MS = 1_000;
const PROCESSES = 3;
const folder = mkdtempSync(join(process.env.LEEWAY_BENCH_DATA ?? tmpdir(), "leeway-bench-submit-"));
let files = 0;
const fresh = () => join(folder, `${files++}.db`);

if (process.argv.includes("--child")) {
  const [path, callers] = process.argv.slice(process.argv.indexOf("--child") + 1);
  const deps = gateOn(path);
  // Every agent is known before it counts.
  for (let i = 0; i < 20; i++) await submitOne(deps);
  process.stdout.write("ready\n");
  await new Promise((resolve) => process.stdin.once("data", resolve));
  const { perSecond } = await keepBusy(Number(callers), MS, () => submitOne(deps));
  process.stdout.write(`${perSecond}\n`);
  await deps.store.close();
  rmSync(folder, { recursive: true });
  process.exit(0);
}

function bare(path) {
  const db = openDatabase(path);
  db.exec("pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -16384");
  return db;
}

/** One row of about 500 bytes per transaction: nothing durable in SQLite is faster. */
async function bareOne() {
  const db = bare(fresh());
  db.exec("create table events (seq integer primary key, body text not null)");
  const insert = db.prepare("insert into events (body) values (?)");
  const body = "x".repeat(500);
  const { perSecond, cpuUs } = await keepBusy(1, MS, async () => insert.run(body));
  db.close();
  return { limit: perSecond, limitCpuUs: cpuUs };
}

/** What submissions write, as they wrote it: every insert of so many of them. */
async function recordedRows(count) {
  const rows = [];
  let recording = false;
  const open = (path, mode) => {
    const db = openDatabase(path, mode);
    const prepare = (sql) => {
      const statement = db.prepare(sql);
      if (!sql.startsWith("insert into") || sql.includes("heads")) return statement;
      const run = (...values) => {
        if (recording) rows.push([sql, values]);
        return statement.run(...values);
      };
      return { ...statement, run };
    };
    return {
      exec: db.exec,
      prepare,
      close: db.close,
      get inTransaction() {
        return db.inTransaction;
      },
    };
  };
  const deps = gateOn(fresh(), { open });
  for (let i = 0; i < 20; i++) await submitOne(deps);
  recording = true;
  for (let i = 0; i < count; i++) await submitOne(deps);
  await deps.store.close();
  return rows;
}

/** The same rows through the bare driver, so many submissions to a transaction. */
function bareRows(rows, perSubmission, batch) {
  const db = bare(fresh());
  migrate(db);
  const [begin, commit] = [db.prepare("begin immediate"), db.prepare("commit")];
  const statements = rows.map(([sql, values]) => [db.prepare(sql), values]);
  const cpu = process.cpuUsage();
  const start = performance.now();
  let submissions = 0;
  for (let i = 0; i + batch * perSubmission <= statements.length && performance.now() - start < MS; ) {
    begin.run();
    for (const end = i + batch * perSubmission; i < end; i++) statements[i][0].run(...statements[i][1]);
    commit.run();
    submissions += batch;
  }
  const limit = submissions / ((performance.now() - start) / 1000);
  const used = process.cpuUsage(cpu);
  db.close();
  return { limit, limitCpuUs: (used.user + used.system) / submissions };
}

async function leeway(callers) {
  const deps = gateOn(fresh());
  for (let i = 0; i < 20; i++) await submitOne(deps);
  const result = await keepBusy(callers, MS, () => submitOne(deps));
  await deps.store.close();
  return result;
}

async function processes(count, callers) {
  const path = fresh();
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, [fileURLToPath(import.meta.url), "--child", path, String(callers)], {
      stdio: ["pipe", "pipe", "inherit"],
    }),
  );
  const ended = children.map((child) => new Promise((resolve) => child.once("exit", resolve)));
  const next = (child) => new Promise((resolve) => child.stdout.once("data", (text) => resolve(String(text))));
  await Promise.all(children.map(next));
  const answers = children.map(next);
  for (const child of children) child.stdin.write("go\n");
  const rates = (await Promise.all(answers)).map(Number);
  await Promise.all(ended);
  return rates.reduce((sum, rate) => sum + rate, 0);
}

const RECORDED = 6_000;
const rows = await recordedRows(RECORDED);
const perSubmission = rows.length / RECORDED;
await leeway(64);
const seen = { 1: [], 8: [], 64: [], processes: [] };
for (let round = 0; round < ROUNDS; round++) {
  process.stderr.write(`round ${round + 1} of ${ROUNDS}\n`);
  seen[1].push({ ...(await bareOne()), ...(await leeway(1)) });
  for (const callers of [8, 64])
    seen[callers].push({ ...bareRows(rows, perSubmission, callers), ...(await leeway(callers)) });
  seen.processes.push({ limit: await processes(1, 64), perSecond: await processes(PROCESSES, 64) });
}
rmSync(folder, { recursive: true });

const of = (list, key) => list.map((one) => one[key]);
const rowOf = (test, goal, list) => ({
  test,
  perSecond: median(of(list, "perSecond")),
  limitPerSecond: median(of(list, "limit")),
  ratio: median(list.map((one) => one.perSecond / one.limit)),
  ratioSpread: spread(list.map((one) => one.perSecond / one.limit)),
  goal,
  ...(list[0].p99Ms === undefined
    ? {}
    : {
        p50Ms: median(of(list, "p50Ms")),
        p99Ms: median(of(list, "p99Ms")),
        cpuUs: median(of(list, "cpuUs")),
        limitCpuUs: median(of(list, "limitCpuUs")),
        cpuRatio: median(list.map((one) => one.limitCpuUs / one.cpuUs)),
      }),
  rssMb: process.memoryUsage().rss / 2 ** 20,
});
print([
  rowOf("1 caller, beside one bare row per transaction", "≥ 0.7", seen[1]),
  rowOf("8 callers, beside the same rows, 8 to a transaction", "≥ 0.4", seen[8]),
  rowOf("64 callers, beside the same rows, 64 to a transaction", "≥ 0.4, p99 < 10 ms", seen[64]),
  rowOf(`${PROCESSES} processes with 64 callers each in sum, beside one`, "≥ 0.7", seen.processes),
]);
process.exit(0);
