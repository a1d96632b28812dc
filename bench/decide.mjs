// Deciding in process: Leeway beside the hand-written limit, interleaved, five rounds, CPU time.
// node --expose-gc bench/decide.mjs [--json]
import { cpus } from "node:os";
import { compileLimit } from "./decide-limit.mjs";
import { makeCalls, makeWorkload, patternOf, TIERS } from "./decide-workload.mjs";

const dist = process.env.LEEWAY_DIST ?? new URL("../dist/", import.meta.url).href;
const { compilePolicy } = await import(new URL("core/compile.js", dist).href);
const { decide } = await import(new URL("core/decide.js", dist).href);

const SIZES = [10, 100, 1_000, 10_000];
const CALLS = 100_000;
const ROUNDS = 5;
const json = process.argv.includes("--json");

function toPolicy(workload) {
  const at = { file: "leeway.yaml", line: 1, column: 1 };
  const agents = new Set([
    ...workload.agentTiers.keys(),
    ...[...workload.agentClassTiers.keys()].map((key) => key.split(" ")[0]),
  ]);
  return {
    source: "leeway.yaml",
    version: `sha256:${"0".repeat(64)}`,
    tier: { tier: workload.tier, at },
    tiers: [...workload.classTiers].map(([name, tier]) => ({ for: "class", name, tier, at })),
    tools: [],
    agents: [...agents].map((name) => ({
      name,
      ...(workload.agentTiers.has(name) ? { tier: { tier: workload.agentTiers.get(name), at } } : {}),
      tiers: [...workload.agentClassTiers]
        .filter(([key]) => key.startsWith(`${name} `))
        .map(([key, tier]) => ({ for: "class", name: key.split(" ")[1], tier, at })),
      reviewers: [],
      at,
    })),
    human: { all: false, tools: [], classes: [], agents: [], not: [] },
    reviewers: [],
    rules: workload.rules.map((rule, i) => ({
      name: rule.name,
      match: {
        ...(rule.agent === undefined ? {} : { agent: [rule.agent] }),
        class: [rule.class],
        ...(rule.kind === "path" ? { path: [patternOf(rule)] } : { command: [patternOf(rule)] }),
      },
      tier: rule.tier,
      because: "measured",
      examples: NO_EXAMPLES,
      human: false,
      firm: false,
      reviewers: [],
      at: { file: "leeway.yaml", line: i, column: 1 },
    })),
    approvals: {},
    limits: [],
    root: "/",
  };
}
// Shared, as a caller in a loop would have them: what is measured is deciding, not fetching empty objects from memory.
const NOTHING = [];
const NONE = {};
const NO_EXAMPLES = { match: [], miss: [] };

/** A call with its effect, as `submit` would hand it over after classifying. */
function prepare(call) {
  const targets =
    call.path !== undefined
      ? [{ kind: "path", path: call.path, level: "write", recursive: false }]
      : call.words !== undefined
        ? [{ kind: "command", words: call.words, env: NOTHING, level: "execute" }]
        : NOTHING;
  const part = {
    class: call.class,
    capability: call.class,
    level: "write",
    targets,
    reversible: true,
    reach: "project",
  };
  return {
    call: {
      workspace: "default",
      agent: call.agent,
      tool: call.tool,
      args: NONE,
      callId: "c",
      traceId: "t",
      chain: NOTHING,
      claims: NONE,
    },
    effect: { parts: [part], understood: "fully", notes: NOTHING },
  };
}

function standingOf(policy) {
  return {
    layers: [compilePolicy(policy)],
    scopes: [],
    policyVersion: policy.version,
    pauses: [],
    pausesFresh: true,
    promotions: [],
    grants: [],
    used: () => 0,
    canAsk: true,
    quarantined: false,
  };
}

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
  const passes = Math.max(3, Math.round(600_000 / CALLS));
  const runLimit = () => {
    for (let pass = 0; pass < passes; pass++) for (let i = 0; i < CALLS; i++) sink += limit(calls[i]);
  };
  const runLeeway = () => {
    for (let pass = 0; pass < passes; pass++) {
      for (let i = 0; i < CALLS; i++) sink += decide(prepared[i].call, prepared[i].effect, standing, 0).causes.length;
    }
  };
  runLimit();
  runLeeway();
  const rounds = Array.from({ length: ROUNDS }, () => {
    collect();
    const limitNs = cpuNs(runLimit) / (passes * CALLS);
    const leewayNs = cpuNs(runLeeway) / (passes * CALLS);
    return { limitNs, leewayNs, ratio: leewayNs / limitNs };
  });
  const ratios = rounds.map((round) => round.ratio);
  return {
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
}

const rows = SIZES.map(measure);
const growth = rows.at(-1).leewayNs / rows[0].leewayNs;
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
