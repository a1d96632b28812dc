// Verifying a whole ledger in SQLite: a million entries with bodies as the gate writes them, compared with two limits that are
// measured in the same round: reading the same rows with the bare driver, and computing the same hashes of texts in memory.
// node --expose-gc bench/verify.mjs [--json]        LEEWAY_BENCH_ENTRIES for another size
import { spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const dist = process.env.LEEWAY_DIST ?? new URL("../dist/", import.meta.url).href;
const load = (path) => import(new URL(path, dist).href);
const { sqliteStore } = await load("store/sqlite/index.js");
const { openDatabase } = await load("store/sqlite/file/driver.js");
const { changeOf } = await load("core/change.js");
const { withText } = await load("core/ledger.js");
const { verifyLedger } = await load("gate/record/ledger.js");
const { systemClock, systemMint } = await load("system.js");

const ENTRIES = Number(process.env.LEEWAY_BENCH_ENTRIES ?? 1_000_000);
const ROUNDS = 5;
const PER_CHANGE = 500;
const json = process.argv.includes("--json");
const workspace = "default";
const mint = systemMint();

/** A decision's entry as `submit` records it, about a kilobyte. */
function entry(i) {
  const at = { file: "leeway.yaml", line: 12, column: 5 };
  return {
    kind: "call.decided",
    actor: "agent:coder",
    subject: {
      agent: "coder",
      tool: "write_file",
      class: "fs.write",
      tier: "auto",
      outcome: "run",
      call: `call_${i}`,
      execution: `exe_${i}`,
      trace: `trace_${i}`,
    },
    body: {
      callId: `c${i}`,
      args: { path: `src/file-${i % 1000}.ts`, text: "export const answer = 42;\n" },
      cwd: "/home/ana/project",
      chain: [],
      digest: `sha256:${"ab".repeat(32)}`,
      effect: {
        parts: [
          {
            class: "fs.write",
            capability: "workspace.write_text",
            level: "write",
            targets: [
              { kind: "path", path: `/home/ana/project/src/file-${i % 1000}.ts`, level: "write", recursive: false },
            ],
            reversible: true,
            reach: "project",
          },
        ],
        understood: "fully",
        notes: [],
      },
      decision: {
        tier: "auto",
        outcome: "run",
        needsHuman: false,
        causes: [
          { by: "rule", name: "src-is-free", tier: "auto", because: "the tests guard it", layer: "leeway.yaml", at },
        ],
        considered: [],
        limits: [],
        asking: {
          quorum: 1,
          expiresMs: 86400000,
          permitMs: 3600000,
          selfReview: false,
          assurance: "person",
          reviewers: [],
        },
        policyVersion: `sha256:${"cd".repeat(32)}`,
      },
      inputs: { nowMs: 1767225600000 + i },
      autonomyClass: "auto",
      requiresHuman: false,
    },
    salt: mint.salt(),
  };
}

async function fill(path, count) {
  const store = sqliteStore(path);
  for (let i = 0; i < count; ) {
    const batch = [];
    for (let changes = 0; changes < 20 && i < count; changes++) {
      const entries = [];
      for (let n = 0; n < PER_CHANGE && i < count; n++, i++) entries.push(withText(entry(i)));
      batch.push(store.commit(changeOf(mint, { workspace, nowMs: 1767225600000 + i }, [{ entries }])));
    }
    await Promise.all(batch);
  }
  await store.close();
}

/** Writing and verifying are separate processes, so that the memory of one is not counted for the other. */
function child(...words) {
  const done = spawnSync(process.execPath, ["--expose-gc", fileURLToPath(import.meta.url), ...words], {
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });
  if (done.status !== 0) throw new Error(`${words.join(" ")} failed`);
  return done.stdout === "" ? undefined : JSON.parse(done.stdout);
}

function filled(path, count) {
  child("--fill", path, String(count));
  return path;
}

const cpuMs = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000;
const residentMb = () => process.memoryUsage().rss / 1024 / 1024;

/** Reads every row of the table with the driver, page by page, and does nothing else. */
function readBare(path) {
  const db = openDatabase(path, { readOnly: true });
  const page = db.prepare("select * from entries where place > ? order by place limit 2000");
  let seen = 0;
  for (let last = 0; ; ) {
    const rows = page.all(last);
    if (rows.length === 0) break;
    seen += rows.length;
    last = Number(rows.at(-1).place);
  }
  db.close();
  return seen;
}

/** The minimum work of a verifier: two hashes of the entry and two of the tree, over texts of the same length. */
function hashBare() {
  const body = Buffer.alloc(1000, 97);
  const text = "a".repeat(450);
  const pair = Buffer.alloc(65, 1);
  const leaf = "a".repeat(72);
  for (let i = 0; i < ENTRIES; i++) {
    hash("sha256", body, "hex");
    hash("sha256", text, "hex");
    hash("sha256", leaf, "hex");
    hash("sha256", pair, "hex");
  }
  return ENTRIES;
}

async function verifyAll(path) {
  const store = sqliteStore(path);
  const peak = { mb: 0 };
  const onProgress = () => {
    peak.mb = Math.max(peak.mb, residentMb());
  };
  const verified = await verifyLedger({ workspace, store, clock: systemClock }, { onProgress });
  await store.close();
  if (!verified.ok) throw new Error(`the ledger does not verify: ${JSON.stringify(verified.fault)}`);
  return { entries: verified.entries, peakMb: peak.mb };
}

async function timed(work) {
  globalThis.gc?.();
  const [startMs, startCpu] = [performance.now(), cpuMs()];
  const result = await work();
  return { result, ms: performance.now() - startMs, cpu: cpuMs() - startCpu };
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

const who = (name, entries, times, limitCpu, more = {}) => {
  const cpu = median(times.map((one) => one.cpu));
  return {
    who: name,
    entries,
    perSecond: entries / (median(times.map((one) => one.ms)) / 1000),
    perCpuSecond: entries / (cpu / 1000),
    ofLimit: cpu / limitCpu,
    slowestMs: Math.max(...times.map((one) => one.ms)),
    ...more,
    node: process.versions.node,
    cpu: cpus()[0]?.model ?? "unknown",
  };
};

async function measure(folder) {
  const path = filled(join(folder, "whole.db"), ENTRIES);
  const tenth = filled(join(folder, "tenth.db"), ENTRIES / 10);
  const small = child("--verify", tenth);
  const [driver, hashes, leeway] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    driver.push(await timed(() => readBare(path)));
    hashes.push(await timed(hashBare));
    leeway.push(child("--verify", path));
  }
  const limitCpu = median(driver.map((one) => one.cpu)) + median(hashes.map((one) => one.cpu));
  const peakMb = Math.max(...leeway.map((one) => one.result.peakMb));
  return [
    who("bare driver", ENTRIES, driver, limitCpu),
    who("bare hashes", ENTRIES, hashes, limitCpu),
    who("leeway", ENTRIES, leeway, limitCpu, {
      peakMb,
      tenthPeakMb: small.result.peakMb,
      fileMb: statSync(path).size / 1024 / 1024,
    }),
  ];
}

const shown = (row) =>
  `${row.who.padEnd(12)} ${Math.round(row.perSecond).toLocaleString("en")}/s  ${Math.round(row.perCpuSecond).toLocaleString("en")}/CPU s  ${row.ofLimit.toFixed(2)} x limit` +
  (row.peakMb === undefined
    ? ""
    : `  peak ${Math.round(row.peakMb)} MB (a tenth: ${Math.round(row.tenthPeakMb)} MB), file ${Math.round(row.fileMb)} MB`);

const [mode, target, count] = process.argv.slice(2);
if (mode === "--fill") await fill(target, Number(count));
else if (mode === "--verify") process.stdout.write(JSON.stringify(await timed(() => verifyAll(target))));
else {
  const folder = mkdtempSync(join(tmpdir(), "leeway-bench-verify-"));
  try {
    for (const row of await measure(folder)) process.stdout.write(`${json ? JSON.stringify(row) : shown(row)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
