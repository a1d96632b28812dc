// The cost of a durable call: submitting, and submitting with settling, by 64 callers and by one, as CPU time of the whole
// process, and the size of a settled call in the file. With LEEWAY_BEFORE=DIST (a folder with another build of Leeway) both
// builds are measured in turns, each in a separate process, and `ratio` is this build divided by the other.
// node --expose-gc bench/path.mjs [--json]
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROUNDS = 5;
const SLICE_MS = 1_000;
const here = fileURLToPath(import.meta.url);
const dist = new URL("../dist/", import.meta.url).href;

if (process.argv.includes("--child")) {
  process.stdout.write(JSON.stringify(await measured()));
  process.exit(0);
}

/** One process with its own database: every step in turns, and the size of another database that has only settled calls. */
async function measured() {
  const { gateOn, keepBusy, load, submitOne } = await import("./store-kit.mjs");
  const { settle } = await load("gate/calls/claim.js");
  const folder = mkdtempSync(join(process.env.LEEWAY_BENCH_DATA ?? tmpdir(), "leeway-bench-path-"));
  const deps = gateOn(join(folder, "path.db"));
  const settled = async (on) => {
    const { executionId, attempt } = await submitOne(on);
    const ending = { ok: true, result: { found: true } };
    const done = await settle(on, executionId, { attempt, by: "caller", ending });
    if (!done.ok) throw new Error(done.reason.say);
  };
  // Warm-up: the code is compiled, the agents are known, and the log has its final size.
  for (let i = 0; i < 20; i++) await submitOne(deps);
  for (let i = 0; i < 2; i++) await keepBusy(64, SLICE_MS, () => settled(deps));
  const steps = {
    "submit, 64 callers": await keepBusy(64, SLICE_MS, () => submitOne(deps)),
    "submit and settle, 64 callers": await keepBusy(64, SLICE_MS, () => settled(deps)),
    "submit, one caller": await keepBusy(1, SLICE_MS, () => submitOne(deps)),
    "submit and settle, one caller": await keepBusy(1, SLICE_MS, () => settled(deps)),
  };
  await deps.store.close();
  const sized = gateOn(join(folder, "sized.db"));
  const calls = 64 * 60;
  for (let i = 0; i < 60; i++) await Promise.all(Array.from({ length: 64 }, () => settled(sized)));
  await sized.store.close();
  const bytes = statSync(join(folder, "sized.db")).size / calls;
  rmSync(folder, { recursive: true });
  return { steps, bytes };
}

function childOf(build) {
  const env = { ...process.env, LEEWAY_DIST: build };
  const { stdout, status } = spawnSync(process.execPath, ["--expose-gc", here, "--child"], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`the build at ${build} could not be measured`);
  return JSON.parse(stdout);
}

const { median, print, spread } = await import("./store-kit.mjs");
const before = process.env.LEEWAY_BEFORE && pathToFileURL(`${resolve(process.env.LEEWAY_BEFORE)}/`).href;
const rounds = [];
for (let round = 0; round < ROUNDS; round++) {
  process.stderr.write(`round ${round + 1} of ${ROUNDS}\n`);
  rounds.push({ now: childOf(dist), ...(before === undefined ? {} : { before: childOf(before) }) });
}
const rowOf = (test, of) => {
  const now = rounds.map((one) => of(one.now));
  const row = { test, now: median(now), nowSpread: spread(now) };
  if (before === undefined) return row;
  const then = rounds.map((one) => of(one.before));
  const ratios = now.map((value, i) => value / then[i]);
  return { ...row, before: median(then), ratio: median(ratios), ratioSpread: spread(ratios) };
};
const names = Object.keys(rounds[0].now.steps);
print([
  ...names.map((name) => rowOf(`${name}: µs of CPU per call`, ({ steps }) => steps[name].cpuUs)),
  rowOf("submit, 64 callers: p99 in ms", ({ steps }) => steps["submit, 64 callers"].p99Ms),
  rowOf("bytes of file per settled call", ({ bytes }) => bytes),
]);
process.exit(0);
