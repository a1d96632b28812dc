// Deciding in one process: Leeway compared with the hand-written limit, in turns, nine rounds, CPU time.
// node --expose-gc bench/decide.mjs [--json]
import { cpus } from "node:os";
import { decide, prepare, standingOf, toPolicy } from "./decide-leeway.mjs";
import { compileLimit } from "./decide-limit.mjs";
import { makeCalls, makeWorkload, TIERS } from "./decide-workload.mjs";

const SIZES = [10, 100, 1_000, 10_000];
const CALLS = 100_000;
const ROUNDS = 9;
const PASSES = 6;
const json = process.argv.includes("--json");

function cpuNs(run) {
  const before = process.cpuUsage();
  run();
  const spent = process.cpuUsage(before);
  return (spent.user + spent.system) * 1000;
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const collect = () => globalThis.gc?.();
let sink = 0;

function measure(size) {
  const workload = makeWorkload(size);
  const calls = makeCalls(workload, CALLS);
  const prepared = calls.map(prepare);
  const limit = compileLimit(workload);
  const policy = toPolicy(workload);
  collect();
  const heapBefore = process.memoryUsage().heapUsed;
  let standing;
  const loadMs =
    cpuNs(() => {
      standing = standingOf(policy);
    }) / 1e6;
  collect();
  const bytesPerRule = (process.memoryUsage().heapUsed - heapBefore) / size;
  const differing = calls.filter(
    (call, i) => decide(prepared[i].call, prepared[i].effect, standing, 0).tier !== TIERS[limit(call)],
  );
  if (differing.length > 0)
    throw new Error(`${differing.length} answers differ, the first on ${JSON.stringify(differing[0])}`);
  const runLimit = () => {
    for (let pass = 0; pass < PASSES; pass++) for (let i = 0; i < CALLS; i++) sink += limit(calls[i]);
  };
  const runLeeway = () => {
    for (let pass = 0; pass < PASSES; pass++) {
      for (let i = 0; i < CALLS; i++) sink += decide(prepared[i].call, prepared[i].effect, standing, 0).causes.length;
    }
  };
  runLimit();
  runLeeway();
  const rounds = Array.from({ length: ROUNDS }, () => {
    collect();
    const limitNs = cpuNs(runLimit) / (PASSES * CALLS);
    const leewayNs = cpuNs(runLeeway) / (PASSES * CALLS);
    return { limitNs, leewayNs, ratio: leewayNs / limitNs };
  });
  const ratios = rounds.map((round) => round.ratio);
  const row = {
    bench: "decide",
    rules: size,
    limitNs: median(rounds.map((round) => round.limitNs)),
    leewayNs: median(rounds.map((round) => round.leewayNs)),
    ratio: median(ratios),
    ratioMin: Math.min(...ratios),
    ratioMax: Math.max(...ratios),
    loadMs,
    bytesPerRule,
  };
  return { row, runLeeway };
}

/** The smallest and the largest policy in turns, because on a busy machine measurements minutes apart cannot be compared. */
function growthOf(fewest, most) {
  return median(
    Array.from({ length: ROUNDS }, () => {
      const fewestNs = cpuNs(fewest.runLeeway);
      return cpuNs(most.runLeeway) / fewestNs;
    }),
  );
}

const measured = SIZES.map(measure);
const rows = measured.map(({ row }) => row);
const growth = growthOf(measured[0], measured.at(-1));
if (json)
  for (const row of rows)
    console.log(
      JSON.stringify({ ...row, growth, node: process.version, cores: cpus().length, date: new Date().toISOString() }),
    );
else {
  console.log(
    `decide, ${CALLS.toLocaleString("en")} calls, ${ROUNDS} rounds, Node ${process.version}, ${cpus().length} cores (goal: ratio at most 2.5, growth at most 3)`,
  );
  for (const row of rows) {
    console.log(
      `${String(row.rules).padStart(6)} rules: limit ${row.limitNs.toFixed(0)} ns, leeway ${row.leewayNs.toFixed(0)} ns, ` +
        `ratio ${row.ratio.toFixed(2)} [${row.ratioMin.toFixed(2)}..${row.ratioMax.toFixed(2)}], load ${row.loadMs.toFixed(1)} ms, ${row.bytesPerRule.toFixed(0)} B per rule`,
    );
  }
  console.log(`growth from ${SIZES[0]} to ${SIZES.at(-1)} rules: ${growth.toFixed(2)}`);
}
if (sink === 0) throw new Error("nothing was decided");
