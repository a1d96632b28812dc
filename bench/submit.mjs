// Durable decisions: submissions per second compared with the bare driver, in turns within one run. One caller is compared with
// one bare row per transaction; many callers with the same rows that a submission writes, in batches of the same size, and with
// plain rows of 500 bytes; three processes on one file with one process. `cpuRatio` is the same comparison in CPU time, which is
// useful if others use the machine too. `ceiling` is the best possible ratio: that of a store which only inserts those rows
// through this driver on the gate's own thread, so that a call costs deciding (`gateUs`) and inserting, and nothing else.
// node --expose-gc bench/submit.mjs [--json]
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gateAlone, gateOn, keepBusy, load, median, print, spread, submitOne } from "./store-kit.mjs";

const { openDatabase } = await load("store/sqlite/file/driver.js");
const { migrate } = await load("store/sqlite/file/migrations.js");

const ROUNDS = 5;
const MS = 1_000;
const PROCESSES = 3;
const WARM_SECONDS = 4;
const CHILD_WARM_MS = 4_000;
const folder = mkdtempSync(join(process.env.LEEWAY_BENCH_DATA ?? tmpdir(), "leeway-bench-submit-"));
let files = 0;
const fresh = () => join(folder, `${files++}.db`);

if (process.argv.includes("--child")) {
  const [path, callers] = process.argv.slice(process.argv.indexOf("--child") + 1);
  const deps = gateOn(path);
  // Warm-up: all agents are known and the code is compiled. Otherwise three starting processes would compete for two cores;
  // bench/start.mjs measures the cost of a start.
  for (let i = 0; i < 20; i++) await submitOne(deps);
  await keepBusy(Number(callers), CHILD_WARM_MS, () => submitOne(deps));
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

const events = bare(fresh());
events.exec("create table events (seq integer primary key, body text not null)");
const insertEvent = events.prepare("insert into events (body) values (?)");
const [beginEvents, commitEvents] = [events.prepare("begin immediate"), events.prepare("commit")];
const body = "x".repeat(500);

/** One row of about 500 bytes per transaction: nothing durable in SQLite is faster. */
async function bareOne() {
  const { perSecond, cpuUs } = await keepBusy(1, MS, async () => insertEvent.run(body));
  return { limit: perSecond, limitCpuUs: cpuUs };
}

/** The same rows, with this many in each transaction. */
async function bareEvents(batch) {
  const { perSecond, cpuUs } = await keepBusy(1, MS, async () => {
    beginEvents.run();
    for (let i = 0; i < batch; i++) insertEvent.run(body);
    commitEvents.run();
  });
  return { limit: perSecond * batch, limitCpuUs: cpuUs / batch };
}

/** Every insert of this many submissions, exactly as they wrote it. */
async function recordedRows(count) {
  const rows = [];
  let recording = false;
  const open = (path, mode) => {
    const db = openDatabase(path, mode);
    const prepare = (sql) => {
      const statement = db.prepare(sql);
      if (!sql.startsWith("insert into") || sql.includes("chains")) return statement;
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

/** The same rows through the bare driver, with this many submissions in each transaction; the first ones are a warm-up. */
function bareRows(rows, perSubmission, batch) {
  const db = bare(fresh());
  migrate(db);
  const [begin, commit] = [db.prepare("begin immediate"), db.prepare("commit")];
  const statements = rows.map(([sql, values]) => [db.prepare(sql), values]);
  let at = 0;
  const insert = (submissions) => {
    begin.run();
    for (const end = at + submissions * perSubmission; at < end; at++) statements[at][0].run(...statements[at][1]);
    commit.run();
  };
  while (at < statements.length / 3) insert(64);
  const cpu = process.cpuUsage();
  const start = performance.now();
  let submissions = 0;
  while (at + batch * perSubmission <= statements.length && performance.now() - start < MS) {
    insert(batch);
    submissions += batch;
  }
  const limit = submissions / ((performance.now() - start) / 1000);
  const used = process.cpuUsage(cpu);
  db.close();
  return { limit, limitCpuUs: (used.user + used.system) / submissions };
}

const deps = gateOn(fresh());
const leeway = (callers) => keepBusy(callers, MS, () => submitOne(deps));

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
const alone = await gateAlone();
// Warm-up: the code is compiled, the agents are known, and the log has its final size.
for (let i = 0; i < 20; i++) await submitOne(deps);
for (let i = 0; i < WARM_SECONDS; i++) await leeway(64);
await keepBusy(1, MS, () => submitOne(alone));
const seen = { 1: [], 8: [], 64: [], events: [], processes: [] };
for (let round = 0; round < ROUNDS; round++) {
  process.stderr.write(`round ${round + 1} of ${ROUNDS}\n`);
  const { cpuUs: gateUs } = await keepBusy(1, MS / 2, () => submitOne(alone));
  const one = await bareOne();
  const rowsUs = 1e6 / bareRows(rows, perSubmission, 1).limit;
  seen[1].push({ ...one, ...(await leeway(1)), gateUs, ceiling: 1e6 / one.limit / (rowsUs + gateUs) });
  for (const callers of [8, 64]) {
    const bareOnes = bareRows(rows, perSubmission, callers);
    const limitUs = 1e6 / bareOnes.limit;
    seen[callers].push({ ...bareOnes, ...(await leeway(callers)), gateUs, ceiling: limitUs / (limitUs + gateUs) });
  }
  const { perSecond, cpuUs, p50Ms, p99Ms, limit: rowsLimit } = seen[64].at(-1);
  const plain = await bareEvents(64);
  const ceiling = 1e6 / plain.limit / (1e6 / rowsLimit + gateUs);
  seen.events.push({ ...plain, perSecond, cpuUs, p50Ms, p99Ms, gateUs, ceiling });
  seen.processes.push({ limit: await processes(1, 64), perSecond: await processes(PROCESSES, 64) });
}
await deps.store.close();
events.close();
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
        gateUs: median(of(list, "gateUs")),
        ceiling: median(of(list, "ceiling")),
      }),
  rssMb: process.memoryUsage().rss / 2 ** 20,
});
print([
  rowOf("1 caller, beside one bare row per transaction", "≥ 0.5", seen[1]),
  rowOf("8 callers, beside the same rows, 8 to a transaction", "≥ 0.4", seen[8]),
  rowOf("64 callers, beside the same rows, 64 to a transaction", "≥ 0.42, p99 < 15 ms", seen[64]),
  rowOf("64 callers, beside rows of 500 bytes, 64 to a transaction", "≥ 0.2", seen.events),
  rowOf(`${PROCESSES} processes with 64 callers each in sum, beside one`, "≥ 0.8", seen.processes),
]);
process.exit(0);
