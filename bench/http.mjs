// Deciding over HTTP: `POST /v1/calls`, authenticated, checked and durable, beside a bare node:http server that parses a
// small JSON and answers with one. Both are processes of their own, asked in turns within one run by the same 32
// connections, so that there is a core each for server and load. `cpuRatio` is the same comparison in the servers' CPU
// time, for when others use the machine too.
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
/** Until the servers run as fast as they will. */
const WARM_CALLS = 20_000;
const WARM_MS_MAX = 30_000;
const CONNECTIONS = 32;

if (process.argv.includes("--child")) await serveChild(process.argv.at(-1));

/** Says where it listens, then how much CPU it has used whenever it is asked. */
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
      const body = JSON.stringify({ id: "call_1", callId, outcome: "run" });
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
  const { addPerson } = await load("gate/people.js");
  const { addToken } = await load("gate/tokens.js");
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
  const wires = await Promise.all(Array.from({ length: CONNECTIONS }, () => wireTo(port, token)));
  return { used, wires, stop: () => child.stdin.end() };
}

let calls = 0;

/** One connection that is kept, with one request on it at a time. */
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
      if (status !== "200" || !text.includes('"outcome":"run"')) throw new Error(`${status} ${text}`);
      answered();
    });
    socket.on("connect", () =>
      resolve(
        () =>
          new Promise((done) => {
            answered = done;
            const i = calls++;
            const body = `{"tool":"lookup","args":{"order":${i},"note":"as the customer asked"},"callId":"c${i}","session":"s1"}`;
            socket.write(
              `POST /v1/calls HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
            );
          }),
      ),
    );
  });
}

async function measured({ used, wires }, ms) {
  const before = await used();
  const free = [...wires];
  const busy = await keepBusy(wires.length, ms, async () => {
    const wire = free.pop();
    await wire();
    free.push(wire);
  });
  const after = await used();
  const count = busy.perSecond * (ms / 1000);
  return { ...busy, cpuUs: (after.cpuUs - before.cpuUs) / count, rssMb: after.rss / 2 ** 20 };
}

const bare = await started("bare");
const leeway = await started("leeway");
await measured(bare, MS);
const begun = performance.now();
for (let warm = 0; warm < WARM_CALLS && performance.now() - begun < WARM_MS_MAX; ) {
  warm += (await measured(leeway, MS)).perSecond * (MS / 1000);
}
const rounds = [];
for (let round = 0; round < ROUNDS; round++) {
  rounds.push({ limit: await measured(bare, MS), own: await measured(leeway, MS) });
}
const ratios = rounds.map(({ own, limit }) => own.perSecond / limit.perSecond);
print([
  {
    test: `POST /v1/calls, ${CONNECTIONS} connections, beside bare node:http`,
    perSecond: median(rounds.map(({ own }) => own.perSecond)),
    limitPerSecond: median(rounds.map(({ limit }) => limit.perSecond)),
    ratio: median(ratios),
    ratioSpread: spread(ratios),
    goal: "≥ 0.5",
    p50Ms: median(rounds.map(({ own }) => own.p50Ms)),
    p99Ms: median(rounds.map(({ own }) => own.p99Ms)),
    cpuUs: median(rounds.map(({ own }) => own.cpuUs)),
    limitCpuUs: median(rounds.map(({ limit }) => limit.cpuUs)),
    cpuRatio: median(rounds.map(({ own, limit }) => limit.cpuUs / own.cpuUs)),
    rssMb: median(rounds.map(({ own }) => own.rssMb)),
  },
]);
bare.stop();
leeway.stop();
process.exit(0);
