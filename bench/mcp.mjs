// What the MCP gateway adds to a call, side by side in one run: a server alone, behind a pipe of bytes, behind a proxy made of
// the official SDK (server and client; only if the packages of test/hosts are installed), and behind `leeway mcp`, which decides
// and records each call. Every way is one process more than the one before it measures alone; p50 and p99 of calls one after
// the other, and calls per second with 64 at once. Rounds in turns, so that a slow moment of the machine meets all of them.
// node bench/mcp.mjs [--json]
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const load = (name) => import(pathToFileURL(join(here, "..", "dist", name)).href);
const ROUNDS = 7;
const CALLS = 400;
const WARM_UP = 400;
const AT_ONCE = 64;

const SERVER = `
const tool = { name: "echo", description: "says it again", inputSchema: { type: "object" } };
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "bench", version: "1" } }),
  "tools/list": () => ({ tools: [tool] }),
  "tools/call": ({ arguments: args }) => ({ content: [{ type: "text", text: args.text }] }),
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method](params ?? {}) }) + "\\n");
});
`;

const PIPE = `
const child = require("node:child_process").spawn(process.execPath, [process.argv[2]], { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
`;

const PROXY = (resolve) => `
import { Client } from ${JSON.stringify(resolve("client/index.js"))};
import { StdioClientTransport } from ${JSON.stringify(resolve("client/stdio.js"))};
import { Server } from ${JSON.stringify(resolve("server/index.js"))};
import { StdioServerTransport } from ${JSON.stringify(resolve("server/stdio.js"))};
import { CallToolRequestSchema, ListToolsRequestSchema } from ${JSON.stringify(resolve("types.js"))};
const client = new Client({ name: "proxy", version: "1" });
await client.connect(new StdioClientTransport({ command: process.execPath, args: [process.argv[2]] }));
const server = new Server({ name: "proxy", version: "1" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => client.listTools());
server.setRequestHandler(CallToolRequestSchema, ({ params }) => client.callTool(params));
await server.connect(new StdioServerTransport());
`;

/** A client that writes its lines by hand, the same for all ways. */
function clientOf(command, env) {
  const child = spawn(process.execPath, command, { env, stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map();
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    }
  });
  let ids = 0;
  const ask = (method, params) =>
    new Promise((resolve) => {
      const id = ids++;
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  const call = async (n) => {
    const text = `text ${n}`;
    const { result } = await ask("tools/call", { name: "echo", arguments: { text } });
    if (result?.content?.[0]?.text !== text) throw new Error(`another result: ${JSON.stringify(result)}`);
  };
  const open = async () => {
    const clientInfo = { name: "bench", version: "1" };
    await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
    for (let n = 0; n < WARM_UP; n++) await call(n);
  };
  const close = async () => {
    const ended = new Promise((resolve) => child.once("close", resolve));
    child.stdin.end();
    // Not every proxy ends with its client.
    const timer = setTimeout(() => child.kill("SIGKILL"), 2_000);
    await ended;
    clearTimeout(timer);
  };
  return { open, call, close };
}

async function oneByOne(client) {
  const times = [];
  for (let n = 0; n < CALLS; n++) {
    const from = process.hrtime.bigint();
    await client.call(n);
    times.push(Number(process.hrtime.bigint() - from) / 1000);
  }
  return times.sort((a, b) => a - b);
}

async function manyAtOnce(client) {
  const from = performance.now();
  let n = 0;
  const worker = async () => {
    while (n < CALLS * 4) await client.call(n++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return (CALLS * 4) / ((performance.now() - from) / 1000);
}

const folder = mkdtempSync(join(process.env.LEEWAY_BENCH_DATA ?? tmpdir(), "leeway-bench-mcp-"));
const file = (name, text) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const server = file("server.cjs", SERVER);
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  XDG_STATE_HOME: join(folder, "state"),
  LEEWAY_POLICY: join(folder, "leeway.yaml"),
};
file("leeway.yaml", 'version: 1\ntier: ask\ntiers: { none: auto }\ntools: { "mcp:bench/echo": { class: none } }\n');

/** A person has accepted what the server offers. */
async function accept() {
  const { openDeps } = await load("open.js");
  const { lookAt } = await load("mcp/look.js");
  const { processLink } = await load("mcp/links/link.js");
  const { acceptOffer } = await load("gate/standing/accept-offer.js");
  const { addReviewer } = await load("testing.js");
  const deps = await openDeps({ env, cwd: folder });
  await addReviewer(deps);
  const { commandServer } = await load("config/mcp-file.js");
  const { by, ...settings } = commandServer([process.execPath, server], "bench", { env, cwd: process.cwd() });
  const upstream = { ...settings, isNamed: true, connect: processLink(by) };
  for (const offer of await lookAt(deps, upstream, { version: "0", note: () => undefined })) {
    const done = await acceptOffer(deps, offer, { by: "ana", assurance: "tty" });
    if (!done.ok) throw new Error(done.why);
  }
  await deps.close();
}

function ways() {
  const found = {
    "the server alone": [server],
    "a pipe of bytes": [file("pipe.cjs", PIPE), server],
    "leeway mcp": [join(here, "..", "bin", "leeway.cjs"), "mcp", "--name", "bench", "--", process.execPath, server],
  };
  const packages = join(here, "..", "test", "hosts", "package.json");
  if (!existsSync(join(dirname(packages), "node_modules", "@modelcontextprotocol", "sdk"))) return found;
  const require = createRequire(packages);
  const resolve = (name) => pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${name}`)).href;
  return { ...found, "a proxy of the SDK": [file("proxy.mjs", PROXY(resolve)), server] };
}

/** What deciding and recording costs without any gateway: one call after the other on a database of its own. */
async function decisions() {
  const { openDeps } = await load("open.js");
  const { submit } = await load("gate/calls/submit.js");
  const { settle } = await load("gate/calls/claim.js");
  const { toolCallOf } = await load("mcp/gated-call.js");
  const deps = await openDeps({ env: { ...env, XDG_STATE_HOME: join(folder, "other") }, cwd: folder });
  const caller = { agent: "bench", session: "ses_1", cwd: folder };
  const ending = { ok: true, result: { content: [{ type: "text", text: "text" }] } };
  const call = async (n) => {
    const wanted = { tool: "mcp:bench/echo", args: { text: `text ${n}` }, quarantined: false };
    const { executionId, attempt } = await submit(deps, toolCallOf(deps, caller, wanted));
    await settle(deps, executionId, { attempt, by: "caller", ending });
  };
  for (let n = 0; n < WARM_UP; n++) await call(n);
  return { call, open: async () => undefined, close: () => deps.close() };
}

const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const at = (sorted, share) => sorted[Math.floor(sorted.length * share)];

await accept();
const clients = Object.entries(ways()).map(([name, command]) => ({
  name,
  client: clientOf(command, env),
  p50: [],
  p99: [],
  perSecond: [],
}));
for (const { client } of clients) await client.open();
clients.push({ name: "deciding and recording alone", client: await decisions(), p50: [], p99: [], perSecond: [] });
for (let round = 0; round < ROUNDS; round++) {
  for (const one of clients) {
    const times = await oneByOne(one.client);
    one.p50.push(at(times, 0.5));
    one.p99.push(at(times, 0.99));
    one.perSecond.push(await manyAtOnce(one.client));
  }
}
await Promise.all(clients.map(({ client }) => client.close()));
rmSync(folder, { recursive: true, force: true });

const alone = middle(clients[0].p50);
const rows = clients.map(({ name, p50, p99, perSecond }) => ({
  name,
  p50Us: Math.round(middle(p50)),
  p99Us: Math.round(middle(p99)),
  // The last row adds nothing to a server: it is what `leeway mcp` does besides forwarding.
  addedP50Us: Math.round(middle(p50) - (name.startsWith("deciding") ? 0 : alone)),
  perSecond: Math.round(middle(perSecond)),
}));
if (process.argv.includes("--json")) process.stdout.write(`${JSON.stringify(rows)}\n`);
else console.table(rows);
