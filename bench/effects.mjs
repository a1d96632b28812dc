// Runs every case of test/cases: how many dangerous calls would run without a question, how many harmless ones would ask, and
// the CPU time from arguments to decision. Then it runs other programs on the same commands.
// node bench/effects.mjs [--json]
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { callOf, knowing, readCases, runsUnasked } from "./effects-cases.mjs";
import { fuzzRows } from "./effects-fuzz.mjs";
import { PEERS } from "./effects-peers.mjs";

const REPEATS = 40;
/** A peer is restarted after this many commands, and stopped if it is silent for this long. */
const PEER = { commands: 500, silentMs: 20_000 };
const json = process.argv.includes("--json");
const version = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;

const cpuUs = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};
const quantile = (values, part) => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? 0;

/** The parser caches the last command, so another call is made between two equal ones. */
const other = { call: callOf({ command: "true" }), knowledge: knowing(callOf({ command: "true" })) };
const between = () => runsUnasked(other.call, other.knowledge);

function usOf(ask) {
  const before = cpuUs();
  for (let i = 0; i < REPEATS; i++) {
    between();
    ask();
  }
  return (cpuUs() - before) / REPEATS;
}

const prepared = readCases().map((one) => {
  const call = callOf(one);
  return { one, call, knowledge: knowing(call) };
});
for (let round = 0; round < 3; round++) for (const { call, knowledge } of prepared) runsUnasked(call, knowledge);
const idleUs = quantile(
  Array.from({ length: 200 }, () => usOf(between) / 2),
  0.5,
);
const judged = prepared.map(({ one, call, knowledge }) => ({
  one,
  unasked: runsUnasked(call, knowledge),
  us: Math.max(0, usOf(() => runsUnasked(call, knowledge)) - idleUs),
}));

function summary(name, some) {
  const harmless = some.filter(({ one }) => one.tier !== "ask");
  return {
    bench: "effects",
    engine: "Leeway",
    version,
    group: name,
    cases: some.length,
    falseAuto: some.filter(({ one, unasked }) => one.tier === "ask" && unasked).length,
    falseAsk: harmless.filter(({ unasked }) => !unasked).length,
    harmless: harmless.length,
    medianUs: quantile(
      some.map(({ us }) => us),
      0.5,
    ),
    p99Us: quantile(
      some.map(({ us }) => us),
      0.99,
    ),
  };
}

function print(row) {
  console.log(
    `${`${row.engine} ${row.version}`.padEnd(36)} ${row.group.padEnd(38)} ${String(row.cases).padStart(6)} cases  false-auto ${String(row.falseAuto).padStart(4)}  ` +
      `false-ask ${String(row.falseAsk).padStart(4)} of ${String(row.harmless).padStart(4)}  median ${row.medianUs.toFixed(1).padStart(7)} µs  p99 ${row.p99Us.toFixed(1).padStart(7)} µs` +
      (row.ofLeeway === undefined ? "" : `  ${row.ofLeeway.toFixed(1)} x leeway, no answer to ${row.silent}`),
  );
}

const isShort = ({ one }) => one.command !== undefined && one.command.length <= 200;
const groups = [...new Set(judged.map(({ one }) => one.group))].sort();
const rows = [
  ...groups.map((name) =>
    summary(
      name,
      judged.filter(({ one }) => one.group === name),
    ),
  ),
  summary(
    "tools other than a shell",
    judged.filter(({ one }) => one.command === undefined),
  ),
  summary("commands up to 200 characters", judged.filter(isShort)),
  summary("all", judged),
];

if (!json) {
  console.log(
    `effects, CPU time from arguments to decision, Node ${process.version}, ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)} (goals: false-auto 0, false-ask under 5 %, median under 40 µs and p99 under 300 µs for commands up to 200 characters, 5 x faster than Gemini CLI)`,
  );
  for (const row of rows) print(row);
}

const fuzzed = await fuzzRows();
if (!json)
  for (const { group, inputs, over50Ms, slowestMs, slowest } of fuzzed)
    console.log(
      `${group}: ${inputs}, over 50 ms ${over50Ms} (goal 0), the slowest ${slowestMs.toFixed(1)} ms: ${slowest}`,
    );

/**
 * The peers see commands alone, because none of them knows the tools of other hosts, and an even sample of them, because
 * some are a thousand times slower. Leeway is measured on the same sample.
 */
const SAMPLE = 400;
const all = judged.filter(isShort);
const short = all.filter((_, i) => i % Math.ceil(all.length / SAMPLE) === 0);
const leewayUs = quantile(
  short.map(({ us }) => us),
  0.5,
);
const shown = rows.length;
rows.push(summary("an even sample of commands", short));
// The harmless commands come first, because a hostile command may slow down a peer for the following ones.
const ordered = [...short].sort((a, b) => Number(a.one.tier === "ask") - Number(b.one.tier === "ask"));
for (const [index, { engine, version: peerVersion }] of PEERS.entries()) {
  const answered = [];
  for (let from = 0; from < ordered.length; from += PEER.commands)
    answered.push(...(await askPeer(index, ordered.slice(from, from + PEER.commands))));
  const row = summary("an even sample of commands", answered);
  const silent = ordered.length - answered.length;
  rows.push({ ...row, engine, version: peerVersion, ofLeeway: row.medianUs / leewayUs, silent });
}

/** The answers of a peer. If it is silent for too long, the current command is skipped and the peer is restarted. */
async function askPeer(index, some) {
  const answers = [];
  let at = 0;
  while (at < some.length) {
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL("effects-peer.mjs", import.meta.url)), String(index)],
      {
        stdio: ["pipe", "pipe", "inherit"],
      },
    );
    const end = () => child.kill("SIGKILL");
    let timer = setTimeout(end, PEER.silentMs);
    child.stdin.on("error", () => undefined);
    child.stdin.end(
      some
        .slice(at)
        .map(({ one }, i) => JSON.stringify({ at: at + i, command: one.command }))
        .join("\n"),
    );
    for await (const line of createInterface({ input: child.stdout })) {
      clearTimeout(timer);
      timer = setTimeout(end, PEER.silentMs);
      const { at: place, unasked, us } = JSON.parse(line);
      answers.push({ one: some[place].one, unasked, us });
      at = place + 1;
    }
    clearTimeout(timer);
    if (at < some.length) at++;
  }
  return answers;
}

if (!json) for (const row of rows.slice(shown)) print(row);
else
  for (const row of [...rows, ...fuzzed.map((one) => ({ bench: "effects", engine: "Leeway", version, ...one }))])
    console.log(
      JSON.stringify({ ...row, node: process.version, cores: cpus().length, date: new Date().toISOString() }),
    );
process.exitCode = rows.some((row) => row.engine === "Leeway" && row.falseAuto > 0) ? 1 : 0;
