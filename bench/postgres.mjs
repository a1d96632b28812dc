// The store on PostgreSQL: durable submissions beside the same driver's bare insert, four processes beside one, and what a
// submission and the common reads cost with much history beside little, in turns within one run. The bare limits: one row of
// 500 bytes for each statement; 64 of them in one; and the same rows that submissions write, into the same tables and indexes,
// 64 submissions in one statement. The history is made by the server itself from one real submission: a whole chain, with the
// keys and the sizes of real rows.
// node --expose-gc bench/postgres.mjs [--json]        LEEWAY_BENCH_ENTRIES for another size
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { startPostgres } from "../tools/postgres.mjs";
import { gateOver, keepBusy, load, median, print, spread, submitOne } from "./store-kit.mjs";

const { postgresStore } = await load("store/postgres/index.js");
const { aesSealer } = await load("system.js");
const { verifyLedger } = await load("gate/record/ledger.js");

const ROUNDS = Number(process.env.LEEWAY_BENCH_ROUNDS ?? 5);
const MS = 1_000;
const WARM_MS = 3_000;
const WARM_CALLS = 3_000;
const WARM_STEP = 10;
const PROCESSES = 4;
const CALLERS = 64;
const SMALL = 10_000;
const LARGE = Number(process.env.LEEWAY_BENCH_ENTRIES ?? 1_000_000);
const PENDING = 200;
const workspace = "default";

const gateAt = (url) => gateOver(postgresStore(url, { sealer: aesSealer(new Uint8Array(32)) }));

async function several(count, act) {
  for (let i = 0; i < count; i++) await act();
}

if (process.argv.includes("--child")) {
  const [url, given] = process.argv.slice(process.argv.indexOf("--child") + 1);
  const callers = Number(given);
  const deps = gateAt(url);
  for (let i = 0; i < 20; i++) await submitOne(deps);
  // Each process must have made as many calls, not have run as long: code that was not used much is slower.
  for (let made = 0; made < WARM_CALLS; made += WARM_STEP * callers) {
    await Promise.all(Array.from({ length: callers }, () => several(WARM_STEP, () => submitOne(deps))));
  }
  process.stdout.write("ready\n");
  await new Promise((resolve) => process.stdin.once("data", resolve));
  const { perSecond } = await keepBusy(callers, MS, () => submitOne(deps));
  process.stdout.write(`${perSecond}\n`);
  await deps.store.close();
  process.exit(0);
}

const server = await startPostgres();
let databases = 0;
async function database() {
  databases += 1;
  await server.createDatabase(`bench_${databases}`);
  return server.url(`bench_${databases}`);
}

const bareUrl = await database();
const bare = new pg.Client({ connectionString: bareUrl });
await bare.connect();
await bare.query("create table events (seq bigint generated always as identity primary key, body text not null)");
const body = "x".repeat(500);
const bodies = Array.from({ length: CALLERS }, () => body);

async function bareOne() {
  const one = { name: "one", text: "insert into events (body) values ($1)", values: [body] };
  const { perSecond } = await keepBusy(1, MS, () => bare.query(one));
  return perSecond;
}

async function bareBatch() {
  const many = { name: "many", text: "insert into events (body) select unnest($1::text[])", values: [bodies] };
  const { perSecond } = await keepBusy(1, MS, () => bare.query(many));
  return perSecond * CALLERS;
}

/** The rows of this many submissions, as columns, and the tables with their indexes in another schema. */
async function sameRows(url) {
  const client = new pg.Client({ connectionString: url, types: { getTypeParser: () => (text) => text } });
  await client.connect();
  await client.query(
    "create schema bare; create table bare.entries (like leeway.entries including indexes); create table bare.calls (like leeway.calls including indexes)",
  );
  const columns = async (table) => {
    const { rows } = await client.query(
      `select column_name as name, data_type as type from information_schema.columns where table_schema = 'leeway' and table_name = '${table}' order by ordinal_position`,
    );
    return rows;
  };
  const sample = async (table, where) =>
    (await client.query(`select * from leeway.${table} where ${where} order by place desc limit ${CALLERS}`)).rows;
  const tables = {
    entries: { columns: await columns("entries"), rows: await sample("entries", "kind = 'call.decided'") },
    calls: { columns: await columns("calls"), rows: await sample("calls", "true") },
  };
  let params = 0;
  const part = (table) => {
    const { columns: of } = tables[table];
    const arrays = of.map(({ type }) => `$${++params}::${type}[]`).join(", ");
    return `insert into bare.${table} (${of.map(({ name }) => name).join(", ")}) select * from unnest(${arrays})`;
  };
  const text = `with e as (${part("entries")}) ${part("calls")}`;
  let at = 0;
  return {
    insert: () => {
      const values = Object.values(tables).flatMap(({ columns: of, rows }) =>
        of.map(({ name }) =>
          rows.map((row, i) =>
            name === "place" ? at + i : name === "call" || name === "key" ? `${row[name]}-${at + i}` : row[name],
          ),
        ),
      );
      at += CALLERS;
      return client.query({ name: "same", text, values });
    },
    end: () => client.end(),
  };
}

/** All processes begin to measure at the same moment. */
async function processes(url, count) {
  const self = fileURLToPath(import.meta.url);
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, [self, "--child", url, String(CALLERS / count)], { stdio: ["pipe", "pipe", "inherit"] }),
  );
  const said = children.map((child) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    return () => text;
  });
  const until = async (is) => {
    while (!said.every((text) => is(text()))) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  await until((text) => text.includes("ready\n"));
  for (const child of children) child.stdin.write("go\n");
  await until((text) => text.split("\n").length > 2);
  return said.reduce((sum, text) => sum + Number(text().split("\n")[1]), 0);
}

/** Made from one real submission: as many entries and calls, with keys of their own; some questions wait. */
async function history(url, entries) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("set search_path to leeway; set synchronous_commit to off");
  const {
    rows: [head],
  } = await client.query("select space, entry from chains");
  const first = Number(head.space) * 2 ** 40 + Number(head.entry);
  const names = async (table, changed) => {
    const { rows } = await client.query(
      `select column_name as name from information_schema.columns where table_schema = 'leeway' and table_name = '${table}' order by ordinal_position`,
    );
    return rows.map(({ name }) => changed[name] ?? `s.${name}`).join(", ");
  };
  const unique = (name) => `left(s.${name}, 5) || md5(i::text) || lpad(i::text, 12, '0')`;
  const agent = `'"agent-' || i % 10 || '"'`;
  const subject = `replace(replace(s.subject, s.call, ${unique("call")}), s.agent, ${agent})`;
  const entry = await names("entries", {
    place: `${first}::bigint + i`,
    call: unique("call"),
    agent,
    subject,
    previous: "l.previous",
    hash: "l.hash",
  });
  const call = await names("calls", { place: `${first}::bigint + i`, key: unique("key"), decided: "null" });
  const series = `generate_series(1, ${entries}) as i`;
  // The text that an entry's hash covers, as in core/ledger.ts.
  const text =
    `'{"actor":' || to_json(s.actor) || ',"atMs":' || s.at_ms || ',"bodyHash":"' || s.body_hash || '","index":' || ${head.entry} + n.i || ` +
    `',"kind":"' || s.kind || '","previous":"' || l.hash || '","subject":' || ${subject} || ',"workspace":"${workspace}"}'`;
  await client.query(
    "with recursive s as (select * from entries where kind = 'call.decided' order by place desc limit 1), l(at, previous, hash) as (" +
      "select 0, null::text, hash from chains union all " +
      `select n.i, l.hash, 'sha256:' || encode(sha256(convert_to(${text}, 'UTF8')), 'hex') from l, s, lateral (select l.at + 1 as i) n where l.at < ${entries}) ` +
      `insert into entries select ${entry} from s, (select at as i, previous, hash from l where at > 0) l`,
  );
  await client.query(
    `insert into calls select ${call} from (select * from calls order by place desc limit 1) s, ${series}`,
  );
  await client.query(
    `insert into approvals (space, id, version, key, state, agent, digest, call, sort_ms, due_ms, row) ` +
      `select ${head.space}, 'apr_' || md5(i::text), 1, null, case when i <= ${PENDING} then 'pending' else 'denied' end, 'agent-' || i % 10, 'sha256:' || i, 'call_' || i, i, case when i <= ${PENDING} then 9e15::bigint end, ` +
      `json_build_object('id', 'apr_' || md5(i::text), 'state', 'pending', 'workspace', '${workspace}')::text from generate_series(1, ${Math.max(PENDING, entries / 20)}) as i`,
  );
  await client.query(
    `update chains set entry = entry + ${entries}, stamp = stamp + 1, hash = (select hash from entries where place = ${first + entries})`,
  );
  await client.query("analyze; checkpoint");
  await client.end();
}

async function filled(entries) {
  const url = await database();
  const first = gateAt(url);
  for (let i = 0; i < 40; i++) await submitOne(first);
  await first.store.close();
  await history(url, entries);
  const deps = gateAt(url);
  for (let i = 0; i < 40; i++) await submitOne(deps);
  const verified = entries === SMALL ? await verifyLedger(deps) : undefined;
  // The questions are made up: no entry says anything about them.
  if (verified?.ok === false && verified.fault.is !== "row")
    throw new Error(`the chain that was made is broken: ${JSON.stringify(verified)}`);
  return deps;
}

const newest = { limit: 50, order: "newest" };
const GROWTH = {
  "submit, 1 caller": { callers: 1, one: submitOne },
  "submit, 64 callers": { callers: 64, one: submitOne },
  standing: { callers: 1, one: ({ store }) => store.read({ ask: "standing", workspace }) },
  "what is known about a call": {
    callers: 1,
    one: ({ store }) =>
      store.read({
        ask: "submission",
        workspace,
        agent: "agent-1",
        digest: "sha256:1",
        callKey: "none",
        counters: [],
        nowMs: Date.now(),
      }),
  },
  "pending list, 50 rows": {
    callers: 1,
    one: ({ store }) =>
      store.read({ ask: "rows", workspace, table: "approvals", where: { state: "pending" }, ...newest }),
  },
  "ledger page, 50 entries": {
    callers: 1,
    one: ({ store }) => store.read({ ask: "entries", workspace, where: {}, ...newest }),
  },
  "ledger of an agent, 50 entries": {
    callers: 1,
    one: ({ store }) => store.read({ ask: "entries", workspace, where: { subject: { agent: "agent-1" } }, ...newest }),
  },
  "ledger of an agent without entries": {
    callers: 1,
    one: ({ store }) => store.read({ ask: "entries", workspace, where: { subject: { agent: "nobody" } }, ...newest }),
  },
  "history of one call": {
    callers: 1,
    one: ({ store }) => store.read({ ask: "entries", workspace, where: { subject: { call: "call_none" } }, ...newest }),
  },
};

const seen = { one: [], events: [], rows: [], processes: [] };
const url = await database();
const deps = gateAt(url);
for (let i = 0; i < 200; i++) await submitOne(deps);
await keepBusy(CALLERS, WARM_MS, () => submitOne(deps));
const same = await sameRows(url);
const rounds = async (act) => {
  for (let round = 0; round < ROUNDS; round++) {
    process.stderr.write(`round ${round + 1} of ${ROUNDS}\n`);
    await act();
  }
};
await rounds(async () => {
  const one = { limit: await bareOne(), ...(await keepBusy(1, MS, () => submitOne(deps))) };
  seen.one.push(one);
  const limit = await bareBatch();
  const rows = (await keepBusy(1, MS, same.insert)).perSecond * CALLERS;
  const many = await keepBusy(CALLERS, MS, () => submitOne(deps));
  seen.events.push({ limit, ...many });
  seen.rows.push({ limit: rows, ...many });
});
await same.end();
await rounds(async () => {
  const [alone, four] = [await processes(url, 1), await processes(url, PROCESSES)];
  seen.processes.push({ limit: alone, perSecond: four });
});
await deps.store.close();

process.stderr.write(`making ${LARGE} entries\n`);
const [small, large] = [await filled(SMALL), await filled(LARGE)];
const grown = Object.fromEntries(Object.keys(GROWTH).map((name) => [name, []]));
await rounds(async () => {
  for (const [name, { callers, one }] of Object.entries(GROWTH)) {
    const before = await keepBusy(callers, MS / 2, () => one(small));
    const after = await keepBusy(callers, MS / 2, () => one(large));
    grown[name].push({ small: 1e6 / before.perSecond, large: 1e6 / after.perSecond });
  }
});
for (const { store } of [small, large]) await store.close();
await bare.end();
await server.stop();

const of = (list, key) => median(list.map((one) => one[key]));
const rowOf = (test, goal, list) => ({
  test,
  perSecond: of(list, "perSecond"),
  limitPerSecond: of(list, "limit"),
  ratio: median(list.map((one) => one.perSecond / one.limit)),
  ratioSpread: spread(list.map((one) => one.perSecond / one.limit)),
  goal,
  ...(list[0].p99Ms === undefined ? {} : { p99Ms: of(list, "p99Ms"), cpuUs: of(list, "cpuUs") }),
});
print([
  rowOf("1 caller, beside one bare row of 500 bytes per statement", "≥ 0.6", seen.one),
  rowOf("64 callers, beside rows of 500 bytes, 64 to a statement", "≥ 0.4", seen.events),
  rowOf("64 callers, beside the same rows, 64 submissions to a statement", "≥ 0.4", seen.rows),
  rowOf(`${PROCESSES} processes with ${CALLERS} callers together, beside one with ${CALLERS}`, "≥ 1", seen.processes),
  ...Object.entries(grown).map(([test, list]) => ({
    test: `${test}: ${LARGE} entries beside ${SMALL}`,
    smallUs: of(list, "small"),
    largeUs: of(list, "large"),
    ratio: median(list.map((one) => one.large / one.small)),
    ratioSpread: spread(list.map((one) => one.large / one.small)),
    goal: "≤ 1.5",
  })),
]);
process.exit(0);
