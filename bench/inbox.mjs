// The cost of a full inbox: pages, API and command line with a hundred thousand questions compared with ten, as CPU time of the
// server, in turns within one run; the first load in a real browser; memory, listeners, and how soon an approved call runs.
// Each server is a separate process with its own folder (`inbox-server.mjs`).
// node bench/inbox.mjs [--json]        LEEWAY_BENCH_PENDING for another size; LEEWAY_BENCH_DATA keeps filled folders
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { median, print, spread } from "./store-kit.mjs";

const SMALL = 10;
const LARGE = Number(process.env.LEEWAY_BENCH_PENDING ?? 100_000);
const ROUNDS = 5;
const REQUESTS = 40;
const WARM_REQUESTS = 150;
const LISTENERS = 1_000;
const HEARINGS = 10;
const CLICKS = 200;
const LATER_MS = 16 * 24 * 3_600_000;
const WATCH_MS = 8_000;

const kept = process.env.LEEWAY_BENCH_DATA;
const folder = kept ?? mkdtempSync(join(tmpdir(), "leeway-bench-inbox-"));
const program = fileURLToPath(new URL("inbox-server.mjs", import.meta.url));
const preciseMs = () => performance.timeOrigin + performance.now();

/** A server with so many questions, somebody signed in, and a way to ask its process. */
async function started(pending) {
  const place = join(folder, `inbox-${pending}`);
  mkdirSync(place, { recursive: true });
  const child = spawn(process.execPath, ["--expose-gc", program, place, String(pending)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [answers, ran, wakes] = [[], new Map(), []];
  createInterface({ input: child.stdout }).on("line", (line) => {
    const said = JSON.parse(line);
    if ("ran" in said) ran.set(said.ran, said.atMs);
    else answers.push(said);
    wakes.shift()?.();
  });
  child.on("exit", (code) => code && process.exit(1));
  const heard = () => new Promise((resolve) => wakes.push(resolve));
  const answer = async () => {
    while (answers.length === 0) await heard();
    return answers.shift();
  };
  const { url } = await answer();
  const tell = (does, given = {}) => {
    child.stdin.write(`${JSON.stringify({ does, ...given })}\n`);
    return answer();
  };
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const server = { url, place, agent, tell, ran, heard, stop: () => child.stdin.end() };
  const { text } = await tell("token", { holder: { person: "ana", can: "approve" } });
  return { ...server, token: text, cookie: await signedIn(server) };
}

async function signedIn(server) {
  const body = new URLSearchParams({ name: "ana", passphrase: "correct horse" }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded", origin: server.url };
  const { cookies } = await ask(server, "POST", "/sign-in", { body, headers });
  return cookies[0].split(";")[0];
}

/** One request. A page as a browser asks for it, the rest as a program does. */
function ask(server, method, path, { body, headers = {} } = {}) {
  const isProgram = path.startsWith("/v1/") || path === "/metrics";
  const shown = isProgram ? { authorization: `Bearer ${server.token}` } : { cookie: server.cookie ?? "" };
  return new Promise((resolve, reject) => {
    const options = {
      method,
      agent: server.agent,
      headers: { host: new URL(server.url).host, "accept-encoding": "gzip", ...shown, ...headers },
    };
    const asked = request(server.url + path, options, (response) => {
      let bytes = 0;
      response.on("data", (chunk) => {
        bytes += chunk.length;
      });
      response.on("end", () => {
        if (response.statusCode >= 400) return reject(new Error(`${method} ${path}: ${response.statusCode}`));
        resolve({ status: response.statusCode, bytes, cookies: response.headers["set-cookie"] ?? [] });
      });
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

const PATHS = {
  "inbox page": "/",
  "inbox page of one agent": "/?agent=agent-0",
  "inbox page of one class": "/?class=payments.move",
  "inbox page searched, many fit": "/?q=refund",
  "inbox page searched, nothing fits": "/?q=zebra",
  "another page, with the count": "/grants",
  "activity page": "/activity",
  "GET /v1/approvals": "/v1/approvals?status=pending",
  "GET /v1/approvals of one agent": "/v1/approvals?status=pending&agent=agent-0",
  "GET /readyz": "/readyz",
  "GET /metrics": "/metrics",
};

/** CPU time of the server for one request, which does not depend on what else the machine does. */
async function cpuUs(server, path, requests) {
  const before = await server.tell("used");
  for (let i = 0; i < requests; i++) await ask(server, "GET", path);
  return ((await server.tell("used")).cpuUs - before.cpuUs) / requests;
}

async function served(small, large) {
  const rows = [];
  for (const [test, path] of Object.entries(PATHS)) {
    const rounds = [];
    for (const server of [small, large]) await cpuUs(server, path, WARM_REQUESTS);
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({ small: await cpuUs(small, path, REQUESTS), large: await cpuUs(large, path, REQUESTS) });
    }
    rows.push({ ...compared(test, rounds), goal: "≤ 2" });
    process.stderr.write(`${test}: ${rows.at(-1).ratio.toPrecision(3)}\n`);
  }
  return rows;
}

function compared(test, rounds) {
  return {
    test,
    smallUs: median(rounds.map((round) => round.small)),
    largeUs: median(rounds.map((round) => round.large)),
    ratio: median(rounds.map((round) => round.large / round.small)),
    ratioSpread: spread(rounds.map((round) => round.large / round.small)),
  };
}

const CLI = new URL(
  "../bin/leeway.mjs",
  process.env.LEEWAY_DIST ? new URL("x", process.env.LEEWAY_DIST) : import.meta.url,
);
const USED =
  "data:text/javascript,process.on('exit',()=>process.stderr.write('cpu '+(process.cpuUsage().user+process.cpuUsage().system)+'\\n'))";

/** `leeway inbox`, the whole process. */
function commandUs({ place }) {
  const env = {
    ...process.env,
    HOME: place,
    XDG_STATE_HOME: join(place, "state"),
    XDG_CONFIG_HOME: join(place, "config"),
  };
  const child = spawn(process.execPath, ["--import", USED, fileURLToPath(CLI), "inbox", "--json"], {
    env,
    cwd: join(place, "project"),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let told = "";
  child.stderr.on("data", (chunk) => {
    told += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on("close", (code) => {
      const used = /cpu (\d+)/.exec(told);
      if (used === null || code !== 0) reject(new Error(told));
      else resolve(Number(used[1]));
    });
  });
}

async function command(small, large) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ small: await commandUs(small), large: await commandUs(large) });
  }
  return [{ ...compared("`leeway inbox --json`, the whole process", rounds), goal: "≤ 2" }];
}

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The first load without a cache: the bytes that are sent, and the time of the first paint with a CPU that is four times slower. */
async function painted({ url, cookie }) {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS });
  const loads = [];
  for (let round = 0; round < ROUNDS; round++) {
    const context = await browser.newContext();
    const [name, value] = cookie.split("=");
    await context.addCookies([{ name, value, url }]);
    const page = await context.newPage();
    const wire = await context.newCDPSession(page);
    let bytes = 0;
    wire.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await wire.send("Network.enable");
    await wire.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await page.goto(`${url}/`, { waitUntil: "load" });
    await page.waitForTimeout(500);
    const [paint] = await page.evaluate(() =>
      performance.getEntriesByName("first-contentful-paint").map((one) => one.startTime),
    );
    loads.push({ bytes, paint });
    await context.close();
  }
  await browser.close();
  return [
    { test: "first load, everything", kilobytes: median(loads.map(({ bytes }) => bytes)) / 1000, goal: "< 60" },
    {
      test: "first contentful paint, CPU slowed down four times",
      ms: median(loads.map(({ paint }) => paint)),
      msSpread: spread(loads.map(({ paint }) => paint)),
      goal: "< 1,000",
    },
  ];
}

/** One listener with its own connection; `heard(id)` resolves with the time of the event about that call. */
function listener({ url, token }) {
  const { host, port } = new URL(url);
  const socket = connect({ port: Number(port), host: "127.0.0.1" });
  const waiting = new Map();
  let said = "";
  socket.on("data", (chunk) => {
    said = (said + chunk.toString("latin1")).slice(-4_000);
    for (const [id, resolve] of waiting) {
      if (!said.includes(id)) continue;
      waiting.delete(id);
      resolve(preciseMs());
    }
  });
  socket.write(`GET /v1/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  const ready = new Promise((resolve) => socket.once("data", resolve));
  return {
    ready,
    end: () => socket.destroy(),
    heard: (id) => new Promise((resolve) => waiting.set(id, resolve)),
    said: () => said,
  };
}

async function listened(server) {
  const listeners = Array.from({ length: LISTENERS }, () => listener(server));
  await Promise.all(listeners.map(({ ready }) => ready));
  const lates = [];
  const before = await server.tell("used");
  for (let i = 0; i < HEARINGS; i++) {
    const { atMs, id } = await server.tell("happen");
    const times = await Promise.all(listeners.map((one) => (one.said().includes(id) ? preciseMs() : one.heard(id))));
    lates.push(Math.max(...times) - atMs);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const { rss, cpuUs: after } = await server.tell("used");
  const idle = await idleShare(server);
  for (const { end } of listeners) end();
  return [
    {
      test: `an entry reaches the last of ${LISTENERS} listeners`,
      ms: median(lates),
      msSpread: spread(lates),
      cpuMs: (after - before.cpuUs) / 1000 / HEARINGS,
      goal: "< 250",
    },
    { test: `memory with ${LARGE} pending and ${LISTENERS} listeners`, rssMb: rss / 2 ** 20, goal: "< 300" },
    { test: `one core's share while ${LISTENERS} listen and nothing happens`, share: idle, goal: "" },
  ];
}

async function idleShare(server) {
  const [before, begunMs] = [await server.tell("used"), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const after = await server.tell("used");
  return (after.cpuUs - before.cpuUs) / 1000 / (performance.now() - begunMs);
}

/** The time from the request of a click until the runner starts, one call after the other. */
async function clicked(server) {
  const lates = [];
  for (let order = 0; order < CLICKS; order++) {
    const { id, digest } = await server.tell("ask", { order });
    const body = JSON.stringify({ verdict: "approve", digest, note: "" });
    const atMs = preciseMs();
    await ask(server, "POST", `/v1/approvals/${id}/reviews`, { body, headers: { "content-type": "application/json" } });
    while (!server.ran.has(order)) await server.heard();
    lates.push(server.ran.get(order) - atMs);
  }
  lates.sort((a, b) => a - b);
  const quantile = (q) => lates[Math.floor((lates.length - 1) * q)];
  return [
    { test: `approve until it runs, ${LARGE} pending`, p50Ms: quantile(0.5), ms: quantile(0.99), goal: "p99 < 250" },
  ];
}

/** All reminders are due at the same time: they are sent in rounds, which must not delay other requests. */
async function later(server) {
  const quiet = await server.tell("later", { byMs: 0, watchMs: WATCH_MS / 4 });
  const due = await server.tell("later", { byMs: LATER_MS, watchMs: WATCH_MS });
  return [
    {
      test: `CPU time of one turn at most, ${LARGE} reminders due`,
      ms: due.mostMs,
      mostButTenMs: due.mostButTenMs,
      quietMs: quiet.mostMs,
      perSecond: due.reminded / (WATCH_MS / 1000),
      goal: "< 25",
    },
  ];
}

process.stderr.write(`filling ${LARGE} questions\n`);
const begunMs = performance.now();
const small = await started(SMALL);
const { rss: idleRss } = await small.tell("used");
const large = await started(LARGE);
const filledSeconds = (performance.now() - begunMs) / 1000;
const rows = [
  ...(await served(small, large)),
  ...(await command(small, large)),
  ...(await painted(large)),
  ...(await clicked(large)),
  { test: "memory of an idle server", rssMb: idleRss / 2 ** 20, goal: "< 120" },
  ...(await listened(large)),
  ...(kept === undefined ? await later(large) : []),
];
print(rows.map((row) => ({ ...row, pending: LARGE, filledSeconds })));
for (const server of [small, large]) server.stop();
if (kept === undefined) rmSync(folder, { recursive: true, force: true });
process.exit(0);
