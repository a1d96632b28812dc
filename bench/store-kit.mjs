// Shared by the benchmarks of the store: a gate with a database, callers that keep it busy, and the output.
import { existsSync } from "node:fs";
import { cpus } from "node:os";

const dist = process.env.LEEWAY_DIST ?? new URL("../dist/", import.meta.url).href;
/** The paths of files in earlier builds, which can be measured too (LEEWAY_BEFORE). */
const LAY = { "gate/calls/submit.js": "gate/submit.js", "gate/calls/claim.js": "gate/claim.js" };

export function load(path) {
  const at = new URL(path, dist);
  return import(existsSync(at) ? at.href : new URL(LAY[path] ?? path, dist).href);
}

const { sqliteStore } = await load("store/sqlite/index.js");
const { submit } = await load("gate/calls/submit.js");
const { aesSealer, systemClock, systemMint } = await load("system.js");
const { testDeps, testPolicy } = await load("testing.js");
const { memoryStore } = await load("store/memory.js");

const at = { file: "leeway.yaml", line: 1, column: 1 };
const policy = testPolicy({
  tiers: [
    { for: "class", name: "db.read", tier: "auto", at },
    { for: "class", name: "payments.move", tier: "ask", at },
  ],
  tools: [
    { name: "lookup", class: "db.read", at },
    { name: "refund", class: "payments.move", at },
  ],
});

export function gateOn(path, options = {}) {
  return gateOver(sqliteStore(path, { busyMs: 60_000, sealer: aesSealer(new Uint8Array(32)), ...options }));
}

export function gateOver(store) {
  return testDeps({ policy, store, clock: systemClock, mint: systemMint(), owner: `bench ${process.pid}` });
}

/** A gate with a store that knows the agents, finds nothing and stores nothing, so that only deciding is measured. */
export async function gateAlone() {
  const known = memoryStore();
  const deps = testDeps({
    policy,
    store: known,
    clock: systemClock,
    mint: systemMint(),
    owner: `bench ${process.pid}`,
  });
  for (let i = 0; i < 20; i++) await submitOne(deps);
  const { epoch } = await known.read({ ask: "standing", workspace: "default" });
  const found = { epoch, permits: [], approvedOfAgent: [], counters: [] };
  const agent = (name) => ({ name, workspace: "default", registeredMs: 0 });
  const store = {
    ...known,
    read: async (query) => (query.ask === "submission" ? { ...found, agent: agent(query.agent) } : known.read(query)),
    commit: async () => ({ ok: true, firstIndex: 1 }),
  };
  return { ...deps, store };
}

let calls = 0;

/** One call that may run at once; when this resolves, the decision is on disk. */
export async function submitOne(deps) {
  const i = calls++;
  const receipt = await submit(deps, {
    workspace: "default",
    agent: `agent-${i % 10}`,
    tool: "lookup",
    args: { order: i, path: `/home/ana/project/src/file-${i % 1000}.ts`, note: "as the customer asked" },
    callId: `${process.pid}-${i}`,
    session: "s1",
    traceId: deps.mint.next("trace"),
    chain: [],
    claims: {},
  });
  if (receipt.outcome !== "run") throw new Error(`${receipt.code}: ${receipt.reason}`);
  return receipt;
}

/** Runs this many callers; each makes its next call when the last one is durable. Returns rate, latencies, CPU time per call. */
export async function keepBusy(callers, ms, one) {
  const latencies = [];
  const cpu = process.cpuUsage();
  const start = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() - start < ms) {
        const begun = performance.now();
        await one();
        latencies.push(performance.now() - begun);
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const used = process.cpuUsage(cpu);
  latencies.sort((a, b) => a - b);
  const quantile = (q) => latencies[Math.floor((latencies.length - 1) * q)];
  return {
    perSecond: latencies.length / seconds,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    cpuUs: (used.user + used.system) / latencies.length,
  };
}

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
export const spread = (values) => `${Math.min(...values).toPrecision(3)}–${Math.max(...values).toPrecision(3)}`;

export function print(rows) {
  const machine = { node: process.version, cores: cpus().length, date: new Date().toISOString().slice(0, 10) };
  for (const row of rows) {
    if (process.argv.includes("--json")) process.stdout.write(`${JSON.stringify({ ...row, ...machine })}\n`);
    else
      process.stdout.write(
        `${Object.entries(row)
          .map(([key, value]) => `${key} ${typeof value === "number" ? Number(value.toPrecision(4)) : value}`)
          .join("  ")}\n`,
      );
  }
}
