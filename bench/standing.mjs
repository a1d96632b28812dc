// Ended rows cost nothing: adding and revoking one grant with 100,000 ended grants in the database and with none, and
// starting a server (open, listen, decide one call, look up one track record) on a ledger of a million entries and on one of a
// thousand, in turns within one run. Each start is a separate process.
// node --expose-gc bench/standing.mjs [--json]        LEEWAY_BENCH_DEAD and LEEWAY_BENCH_ENTRIES for other sizes:
// LEEWAY_BENCH_ENTRIES=10000000 npm run bench -- standing        fills 10 million entries first (about 5 GB in LEEWAY_BENCH_DATA)
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { load, median, print, spread } from "./store-kit.mjs";

const DEAD = Number(process.env.LEEWAY_BENCH_DEAD ?? 100_000);
const SMALL = 1_000;
const LARGE = Number(process.env.LEEWAY_BENCH_ENTRIES ?? 1_000_000);
const ROUNDS = 7;
const PAIRS = 20;
const PER_CHANGE = 250;
const workspace = "default";
const here = fileURLToPath(import.meta.url);
const BY = { by: "ana", assurance: "tty" };

const POLICY =
  "version: 1\ntools: { lookup: { class: db.read } }\ntiers: { db.read: auto }\napprovals: { assurance: any }\n";

/** The options with which the gate of this folder is opened. */
function openingIn(folder) {
  const project = join(folder, "project");
  mkdirSync(project, { recursive: true });
  const policy = join(project, "leeway.yaml");
  writeFileSync(policy, POLICY);
  const env = { HOME: folder, XDG_STATE_HOME: join(folder, "state"), XDG_CONFIG_HOME: join(folder, "config") };
  return { env, cwd: project, policy };
}

function lookup(deps, callId) {
  return {
    workspace,
    agent: "agent-1",
    tool: "lookup",
    args: {},
    callId,
    traceId: deps.mint.next("trace"),
    chain: [],
    claims: {},
  };
}

if (process.argv.includes("--start")) {
  const folder = process.argv[process.argv.indexOf("--start") + 1];
  const { serve } = await load("serve.js");
  const { DEFAULT_CALLER } = await load("gate/calls/judging.js");
  const { submit } = await load("gate/calls/submit.js");
  const { trackOf } = await load("gate/record/trust.js");
  const startedMs = performance.now();
  const cpu = process.cpuUsage();
  const options = { host: "127.0.0.1", port: 0, log: () => undefined, warn: (error) => console.error(error) };
  const { deps, url } = await serve(openingIn(folder), options);
  const health = await fetch(`${url}/healthz`);
  const receipt = await submit(deps, lookup(deps, `start-${process.pid}`), DEFAULT_CALLER);
  const track = await trackOf(deps, "agent-1", "db.read");
  const { user, system } = process.cpuUsage(cpu);
  const wallMs = performance.now() - startedMs;
  if (!health.ok || receipt.outcome !== "run" || track === undefined)
    throw new Error(`${health.status} ${receipt.reason}`);
  process.stdout.write(JSON.stringify({ wallMs, cpuMs: (user + system) / 1000 }));
  process.exit(0);
}

const { openDeps } = await load("compose.js");
const { addPerson } = await load("gate/people/people.js");
const { addGrant, revokeGrant } = await load("gate/standing/grants.js");
const { sealLedger } = await load("gate/record/sealing.js");
const { DEFAULT_CALLER } = await load("gate/calls/judging.js");
const { submit } = await load("gate/calls/submit.js");
const { changeOf, put } = await load("core/change.js");
const { withText } = await load("core/ledger.js");
const { sqliteStore } = await load("store/sqlite/index.js");

const base = mkdtempSync(join(process.env.LEEWAY_BENCH_DATA ?? tmpdir(), "leeway-bench-standing-"));
const GRANT = {
  subject: { agent: "agent-1" },
  covers: { class: "db.write", targets: [], level: "write" },
  because: "bench",
  ...BY,
};

async function gateIn(name) {
  const folder = join(base, name);
  mkdirSync(folder);
  const deps = await openDeps(openingIn(folder));
  await addPerson(deps, { name: "ana", admin: true, ...BY });
  await submit(deps, lookup(deps, "first"), DEFAULT_CALLER);
  return { folder, deps };
}

/** Written without the verbs, many at once, because the gate signs a checkpoint after each act of a person. */
async function written({ folder, deps }, count, piece) {
  const store = sqliteStore(join(folder, "state", "leeway", "leeway.db"), { busyMs: 60_000 });
  for (let i = 0; i < count; ) {
    const batch = [];
    for (let changes = 0; changes < 16 && i < count; changes++) {
      const pieces = [];
      for (let n = 0; n < PER_CHANGE && i < count; n++, i++) pieces.push(piece(deps, i));
      batch.push(store.commit(changeOf(deps.mint, { workspace, nowMs: Date.now() }, pieces)));
    }
    await Promise.all(batch);
  }
  await store.close();
}

const deadGrant = (deps, i) => {
  const { by: _, assurance: _sure, ...grant } = GRANT;
  const over = { state: "revoked", atMs: i, by: "ana" };
  const row = {
    id: deps.mint.next("grt"),
    workspace,
    ...grant,
    tier: "auto",
    grantedBy: { person: "ana" },
    createdMs: i,
    ...over,
  };
  return { writes: [put("grants", row)] };
};

const pastCall = (deps, i) => {
  const [agent, call] = [`agent-${i % 10}`, deps.mint.next("call")];
  const subject = { agent, tool: "lookup", class: "db.read", call, tier: "auto", outcome: "run" };
  const body = { callId: `${i}`, effect: { parts: [], notes: [] }, note: "as the customer asked" };
  return {
    entries: [withText({ kind: "call.decided", actor: `agent:${agent}`, subject, body, salt: deps.mint.salt() })],
  };
};

async function grantPairs({ deps }) {
  const cpu = process.cpuUsage();
  for (let i = 0; i < PAIRS; i++) {
    const added = await addGrant(deps, GRANT);
    if (!added.ok) throw new Error(added.reason.say);
    const revoked = await revokeGrant(deps, added.value.id, { by: "ana" });
    if (!revoked.ok) throw new Error(revoked.reason.say);
  }
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / 1000 / PAIRS;
}

function start({ folder }) {
  const { stdout, status } = spawnSync(process.execPath, [here, "--start", folder], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error("the server did not start");
  return JSON.parse(stdout);
}

/** Measures both in turns, so that other work of the machine affects both in the same way. */
async function inTurns(one) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push([await one("small"), await one("large")]);
  return rounds;
}

process.stderr.write(`filling ${DEAD} grants that are over\n`);
const grants = { small: await gateIn("none"), large: await gateIn("dead") };
await written(grants.large, DEAD, deadGrant);
for (const one of Object.values(grants)) await grantPairs(one);
const pairs = await inTurns((which) => grantPairs(grants[which]));
for (const { deps } of Object.values(grants)) await deps.close();

process.stderr.write(`filling ${LARGE} entries\n`);
const ledgers = { small: await gateIn("short"), large: await gateIn("long") };
for (const [which, count] of [
  ["small", SMALL],
  ["large", LARGE],
]) {
  await written(ledgers[which], count, pastCall);
  await sealLedger(ledgers[which].deps);
  await ledgers[which].deps.close();
}
for (const one of Object.values(ledgers)) start(one);
const starts = await inTurns((which) => start(ledgers[which]));
rmSync(base, { recursive: true });

const row = (test, goal, rounds) => ({
  test,
  smallMs: median(rounds.map(([small]) => small)),
  largeMs: median(rounds.map(([, large]) => large)),
  ratio: median(rounds.map(([small, large]) => large / small)),
  ratioSpread: spread(rounds.map(([small, large]) => large / small)),
  goal,
});
const of = (key) => starts.map((round) => round.map((one) => one[key]));
print([
  row(`add and revoke one grant, ${DEAD} over, CPU`, "≤ 1.2", pairs),
  row(`start a server, ${LARGE} entries`, "under 2,000 ms", of("wallMs")),
  row(`start a server, ${LARGE} entries, CPU`, "≤ 1.2", of("cpuMs")),
]);
process.exit(0);
