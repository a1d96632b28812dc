// Calls over HTTP, authenticated, checked and durable, compared with a bare node:http server that parses a small JSON and sends
// one back. There are two rows: `POST /v1/calls` alone, and together with the request that settles the call, compared with two
// requests to the bare server. Every started call is settled, within its row or directly after its round: an unsettled call
// lapses after 30 seconds, and later rounds would measure the recording of lapses. All servers are separate processes, which get
// requests in turns within one run over the same 32 connections, so that server and load have one core each. `cpuUs` is the CPU
// time of the server per call. `cpuRatio` compares CPU times, which is useful if others use the machine too.
// node bench/http.mjs [--json]
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { keepBusy, load, median, print, spread } from "./store-kit.mjs";

const ROUNDS = 5;
const MS = 2_000;
/** After this many calls the servers have reached their final speed. */
const WARM_CALLS = 20_000;
const WARM_MS_MAX = 30_000;
const CONNECTIONS = 32;

if (process.argv.includes("--child")) await serveChild(process.argv.at(-1));

/** Prints its address, and then its CPU time whenever it gets a line. */
async function serveChild(which) {
  const started = which === "bare" ? await bareServer() : await leewayServer();
  process.stdout.write(`${JSON.stringify(started)}\n`);
  process.stdin.on("data", () => {
    const { user, system } = process.cpuUsage();
    process.stdout.write(`${JSON.stringify({ cpuUs: user + system, rss: process.memoryUsage().rss })}\n`);
  });
  process.stdin.on("end", () => process.exit(0));
  await new Promise(() => undefined);
}

function bareServer() {
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const { callId } = JSON.parse(Buffer.concat(chunks).toString());
      const ids = { id: "call_1", executionId: "exe_1", attempt: "att_1" };
      const body = JSON.stringify({ ...ids, callId, outcome: "run", state: "succeeded" });
      response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
      response.end(body);
    });
  });
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve({ port: server.address().port, token: "none" })),
  );
}

async function leewayServer() {
  const { serve } = await load("serve.js");
  const { addPerson } = await load("gate/people/people.js");
  const { addToken } = await load("gate/people/tokens.js");
  const folder = mkdtempSync(join(process.env.LEEWAY_BENCH_DATA ?? tmpdir(), "leeway-bench-http-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const project = join(folder, "project");
  mkdirSync(project);
  const policy = join(project, "leeway.yaml");
  writeFileSync(policy, "version: 1\ntools: { lookup: { class: db.read } }\ntiers: { db.read: auto }\n");
  const env = { HOME: folder, XDG_STATE_HOME: join(folder, "state"), XDG_CONFIG_HOME: join(folder, "config") };
  const options = { host: "127.0.0.1", port: 0, log: () => undefined, warn: (error) => console.error(error) };
  const { port, deps } = await serve({ env, cwd: project, policy }, options);
  await addPerson(deps, { name: "ana", by: "ana", assurance: "tty" });
  const made = await addToken(deps, { agent: "coder" }, { by: "ana", assurance: "tty" });
  return { port, token: made.value.text };
}

async function started(which) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), "--child", which], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = [];
  let wake = () => undefined;
  child.stdout.on("data", (chunk) => {
    lines.push(...chunk.toString().trim().split("\n"));
    wake();
  });
  const next = async () => {
    while (lines.length === 0) await new Promise((resolve) => (wake = resolve));
    return JSON.parse(lines.shift());
  };
  const { port, token } = await next();
  const used = () => {
    child.stdin.write("used\n");
    return next();
  };
  // New connections for each round, because a server closes connections that are idle for a few seconds.
  const connected = () => Promise.all(Array.from({ length: CONNECTIONS }, () => wireTo(port, token)));
  return { used, connected, stop: () => child.stdin.end() };
}

let calls = 0;

/** One persistent connection with one request at a time. */
function wireTo(port, token) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let got = "";
    let answered = () => undefined;
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      got += chunk.toString("latin1");
      const body = got.indexOf("\r\n\r\n") + 4;
      if (body < 4) return;
      const length = Number(/content-length: (\d+)/i.exec(got)?.[1]);
      if (got.length < body + length) return;
      const status = got.slice(9, 12);
      const text = got.slice(body);
      got = "";
      if (status !== "200") throw new Error(`${status} ${text}`);
      answered(text);
    });
    const ask = (path, body) =>
      new Promise((done) => {
        answered = done;
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
      });
    const stop = () => socket.destroy();
    socket.on("connect", () => resolve(Object.assign(ask, { stop })));
  });
}

/** The text of the receipt; it is parsed only when the call is settled. */
async function submitted(ask) {
  const i = calls++;
  const body = `{"tool":"lookup","args":{"order":${i},"note":"as the customer asked"},"callId":"c${i}","session":"s1"}`;
  const text = await ask("/v1/calls", body);
  if (!text.includes('"outcome":"run"')) throw new Error(text);
  return text;
}

async function settled(ask, receipt) {
  const [, id] = /"executionId":"([^"]+)"/.exec(receipt) ?? [];
  const [, attempt] = /"attempt":"([^"]+)"/.exec(receipt) ?? [];
  const text = await ask(`/v1/calls/${id}/settle`, `{"attempt":"${attempt}","ok":true,"result":{"rows":1}}`);
  if (!text.includes('"state":"succeeded"')) throw new Error(text);
}

/** Keeps all connections busy for this time, and returns what the server used. `one` returns the calls that must be settled. */
async function measured({ used, connected }, one, ms = MS) {
  const wires = await connected();
  const before = await used();
  const free = [...wires];
  const open = [];
  const busy = await keepBusy(wires.length, ms, async () => {
    const ask = free.pop();
    const receipt = await one(ask);
    if (receipt !== undefined) open.push(receipt);
    free.push(ask);
  });
  const after = await used();
  await Promise.all(
    wires.map(async (ask) => {
      for (let receipt = open.pop(); receipt !== undefined; receipt = open.pop()) await settled(ask, receipt);
    }),
  );
  for (const ask of wires) ask.stop();
  const count = busy.perSecond * (ms / 1000);
  return { ...busy, cpuUs: (after.cpuUs - before.cpuUs) / count, rssMb: after.rss / 2 ** 20 };
}

const ROWS = [
  { test: "POST /v1/calls", beside: "one request", one: submitted },
  {
    test: "POST /v1/calls and settle",
    beside: "two requests",
    one: async (ask) => settled(ask, await submitted(ask)),
  },
];

function row({ test, beside }, rounds) {
  const ratios = rounds.map(({ own, limit }) => own.perSecond / limit.perSecond);
  return {
    test: `${test}, ${CONNECTIONS} connections, beside ${beside} to bare node:http`,
    perSecond: median(rounds.map(({ own }) => own.perSecond)),
    limitPerSecond: median(rounds.map(({ limit }) => limit.perSecond)),
    ratio: median(ratios),
    ratioSpread: spread(ratios),
    goal: "≥ 0.25",
    p50Ms: median(rounds.map(({ own }) => own.p50Ms)),
    p99Ms: median(rounds.map(({ own }) => own.p99Ms)),
    cpuUs: median(rounds.map(({ own }) => own.cpuUs)),
    limitCpuUs: median(rounds.map(({ limit }) => limit.cpuUs)),
    cpuRatio: median(rounds.map(({ own, limit }) => limit.cpuUs / own.cpuUs)),
    rssMb: median(rounds.map(({ own }) => own.rssMb)),
  };
}

const bare = await started("bare");
const leeway = await started("leeway");
await measured(bare, submitted);
const begun = performance.now();
for (let warm = 0; warm < WARM_CALLS && performance.now() - begun < WARM_MS_MAX; ) {
  for (const { one } of ROWS) warm += (await measured(leeway, one)).perSecond * (MS / 1000);
}
const rounds = new Map(ROWS.map((kind) => [kind, []]));
for (let round = 0; round < ROUNDS; round++) {
  for (const kind of ROWS) {
    rounds.get(kind).push({ limit: await measured(bare, kind.one), own: await measured(leeway, kind.one) });
  }
}
print(ROWS.map((kind) => row(kind, rounds.get(kind))));
bare.stop();
leeway.stop();
process.exit(0);
