// Deciding compared with policy engines from npm: the workload of `decide`, one process, in turns, CPU time. The answers of
// every engine are first compared with the plain implementation.
// node --expose-gc bench/peers.mjs [--json]
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { decide, prepare, standingOf, toPolicy } from "./decide-leeway.mjs";
import { compileLimit } from "./decide-limit.mjs";
import { plainAnswers } from "./decide-plain.mjs";
import { makeCalls, makeWorkload, TIERS } from "./decide-workload.mjs";

const SIZES = [10, 100, 1_000, 10_000];
const CALLS = 100_000;
const ROUNDS = 5;
/** The CPU time that an engine may use in one round, for checking its answers, and for measuring its speed. */
const BUDGET_MS = { round: 100, check: 1_000, pace: 50 };
const FEWEST = 4;
const json = process.argv.includes("--json");
const here = fileURLToPath(new URL(".", import.meta.url));

// Node 20 can abort while it optimises calls into WebAssembly.
if (process.versions.node.startsWith("20.")) setFlagsFromString("--no-turbo-inline-js-wasm-calls");
if (!existsSync(new URL("node_modules", import.meta.url))) install();
const { PEERS } = await import("./peer-engines.mjs");

function install() {
  process.stderr.write("peers: bench/node_modules is missing, running npm ci in bench\n");
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: here, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error("npm ci failed in bench; without the peers there is nothing to compare with");
}

const versionOf = (name) =>
  JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), "utf8")).version;
const ownVersion = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;

const OURS = [
  {
    engine: "limit",
    version: "by hand",
    build: (workload) => ({ prepare: (call) => call, decide: compileLimit(workload) }),
  },
  {
    engine: "Leeway",
    version: ownVersion,
    build: (workload) => {
      const standing = standingOf(toPolicy(workload));
      return { prepare, decide: ({ call, effect }) => TIERS.indexOf(decide(call, effect, standing, 0).tier) };
    },
  },
];

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
let sink = 0;

/** CPU nanoseconds for each of `count` decisions about the calls in turn. */
async function pass({ decide: ask, given, waits }, count) {
  const before = cpuMs();
  for (let i = 0; i < count; i++) sink += waits ? await ask(given[i % given.length]) : ask(given[i % given.length]);
  return ((cpuMs() - before) * 1e6) / count;
}

/** The number of decisions that fit into the budget, found by doubling, because engines differ by five orders of magnitude. */
async function pace(built) {
  for (let count = FEWEST; ; count *= 2) {
    const ns = await pass(built, count);
    if ((ns * count) / 1e6 > BUDGET_MS.pace || count >= 4e6)
      return Math.max(FEWEST, Math.round((BUDGET_MS.round * 1e6) / ns));
  }
}

/** A slow engine is checked with fewer calls, evenly spread. An engine with a wrong answer is not measured. */
async function checkAnswers(name, built, calls, plain) {
  let wrong = 0;
  let checked = 0;
  const until = cpuMs() + BUDGET_MS.check;
  for (let i = 0; i < calls.length && (cpuMs() < until || checked < FEWEST); i += 97, checked++) {
    if ((await built.decide(built.given[i])) !== plain(calls[i])) wrong++;
  }
  if (wrong > 0) throw new Error(`${name}: ${wrong} of ${checked} answers are wrong`);
  return checked;
}

async function made(entry, workload, calls) {
  const before = cpuMs();
  const engine = await entry.build(workload);
  const loadMs = cpuMs() - before;
  const given = calls.map(engine.prepare);
  const waits = engine.decide(given[0]) instanceof Promise;
  return { entry, loadMs, built: { decide: engine.decide, given, waits } };
}

async function measure(size) {
  const workload = makeWorkload(size);
  const calls = makeCalls(workload, CALLS);
  const plain = plainAnswers(workload);
  const engines = [];
  for (const entry of [...OURS, ...PEERS]) {
    const one = await made(entry, workload, calls);
    engines.push({
      ...one,
      checked: await checkAnswers(entry.engine, one.built, calls, plain),
      count: await pace(one.built),
      ns: [],
    });
  }
  for (let round = 0; round < ROUNDS; round++) {
    globalThis.gc?.();
    for (const { built, count, ns } of engines) ns.push(await pass(built, count));
  }
  const [limit, leeway] = engines;
  return engines.map(({ entry, loadMs, checked, count, ns }) => {
    const toLimit = ns.map((value, i) => value / limit.ns[i]);
    return {
      bench: "peers",
      engine: entry.engine,
      version: entry.version ?? versionOf(entry.package),
      rules: size,
      us: median(ns) / 1000,
      ofLimit: median(toLimit),
      ofLimitMin: Math.min(...toLimit),
      ofLimitMax: Math.max(...toLimit),
      ofLeeway: median(ns.map((value, i) => value / leeway.ns[i])),
      loadMs,
      checked,
      decisions: count * ROUNDS,
      rssMb: process.memoryUsage().rss / 1024 / 1024,
    };
  });
}

function print(row) {
  const spread = `[${row.ofLimitMin.toFixed(2)}..${row.ofLimitMax.toFixed(2)}]`;
  console.log(
    `${String(row.rules).padStart(6)} rules  ${`${row.engine} ${row.version}`.padEnd(26)} ${row.us.toFixed(2).padStart(10)} µs  ` +
      `${row.ofLimit.toFixed(2).padStart(10)} x limit ${spread.padEnd(24)} ${row.ofLeeway.toFixed(2).padStart(10)} x leeway  load ${row.loadMs.toFixed(1)} ms`,
  );
}

if (!json)
  console.log(
    `peers, ${CALLS.toLocaleString("en")} calls, ${ROUNDS} rounds, CPU time per decision, Node ${process.version}, ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}`,
  );
for (const size of SIZES) {
  for (const row of await measure(size)) {
    if (json)
      console.log(
        JSON.stringify({ ...row, node: process.version, cores: cpus().length, date: new Date().toISOString() }),
      );
    else print(row);
  }
}
if (sink === 0) throw new Error("nothing was decided");
