// The server for `inbox.mjs`: a separate process with its own folder, which is filled with questions by the verbs. It prints its
// address and then answers each line of its input with one line. LEEWAY_DB for another database than the file in its folder.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { load } from "./store-kit.mjs";

const [folder, pending] = [process.argv[2], Number(process.argv[3])];
const { openDeps, functionRunner } = await load("compose.js");
const { serve } = await load("serve.js");
const { addPerson } = await load("gate/people/people.js");
const { addToken } = await load("gate/people/tokens.js");
const { DEFAULT_CALLER } = await load("gate/calls/judging.js");
const { submit } = await load("gate/calls/submit.js");
const { tick } = await load("gate/time/tick.js");
const { systemClock } = await load("system.js");

const POLICY = `version: 1
tools:
  refund: { class: payments.move, reversible: false }
  mail.send: { class: message.send }
  deploy: { class: deploy.write }
  charge: { class: payments.move, reversible: false }
  lookup: { class: db.read }
tiers: { payments.move: ask, message.send: ask, deploy.write: ask, db.read: deny }
approvals: { expires: 30d, selfReview: true }
`;
/** The maximum number of open questions of one agent. */
const PER_AGENT = 20;
const AT_ONCE = 200;

let aheadMs = 0;
const clock = { nowMs: () => systemClock.nowMs() + aheadMs, sleep: systemClock.sleep };
/** The machine's time, which parent and child share, finer than a millisecond. */
const preciseMs = () => performance.timeOrigin + performance.now();
const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);
const charge = functionRunner("charge", ({ order }) => {
  say({ ran: order, atMs: preciseMs() });
  return { ok: true };
});

const project = join(folder, "project");
mkdirSync(project, { recursive: true });
const policy = join(project, "leeway.yaml");
writeFileSync(policy, POLICY);
const env = { HOME: folder, XDG_STATE_HOME: join(folder, "state"), XDG_CONFIG_HOME: join(folder, "config") };
if (process.env.LEEWAY_DB !== undefined) env.LEEWAY_DB = process.env.LEEWAY_DB;
const opening = { env, cwd: project, policy, clock, runners: [charge] };

const TOOLS = [
  ["refund", (i) => ({ order: i, amount: 20 + (i % 400), currency: "EUR", note: "as the customer asked" })],
  ["mail.send", (i) => ({ to: `customer-${i}@example.com`, subject: `Your order ${i}`, body: "It is on its way." })],
  ["deploy", (i) => ({ service: `shop-${i % 40}`, version: `2.${i % 90}.${i}` })],
];

let calls = 0;
function asked(deps, i, tool, args, manner = DEFAULT_CALLER) {
  const call = { workspace: "default", agent: `agent-${Math.floor(i / PER_AGENT)}`, tool, args };
  const callId = `${process.pid}-${calls++}`;
  const traceId = deps.mint.next("trace");
  return submit(deps, { ...call, callId, session: "s1", traceId, chain: [], claims: {} }, manner);
}

/** Fills the folder: all questions are open, and all notices are delivered. */
async function fill() {
  const deps = await openDeps(opening);
  await addPerson(deps, { name: "ana", admin: true, passphrase: "correct horse", by: "ana", assurance: "tty" });
  let next = 0;
  const asking = async () => {
    while (next < pending) {
      const i = next++;
      const [tool, args] = TOOLS[i % TOOLS.length];
      const receipt = await asked(deps, i, tool, args(i));
      if (receipt.outcome !== "pending") throw new Error(`${receipt.code}: ${receipt.reason}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, asking));
  while (Object.keys(await tick(deps)).length > 0);
  await deps.close();
}

const filled = join(folder, "filled");
if (!existsSync(filled)) await fill();
writeFileSync(filled, "");

const options = { host: "127.0.0.1", port: 0, log: () => undefined, warn: (error) => console.error(error) };
const server = await serve(opening, options);
const { deps } = server;

/** The longest CPU time of one turn of the event loop: how long one task can delay all others. */
async function mostAtOnceMs(ms) {
  const untilMs = performance.now() + ms;
  const used = () => process.cpuUsage().user + process.cpuUsage().system;
  const turns = [];
  for (let before = used(); performance.now() < untilMs; ) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = used();
    turns.push(now - before);
    before = now;
  }
  turns.sort((a, b) => a - b);
  return { mostMs: turns.at(-1) / 1000, mostButTenMs: turns.at(-10) / 1000 };
}

const COMMANDS = {
  used: () => {
    const { user, system } = process.cpuUsage();
    return { cpuUs: user + system, rss: process.memoryUsage().rss };
  },
  token: async ({ holder }) => ({
    text: (await addToken(deps, holder, { by: "ana", assurance: "tty" })).value.text,
  }),
  /** A question about a call that the gate itself runs after the approval. */
  ask: async ({ order }) => {
    const manner = { ...DEFAULT_CALLER, runBy: "leeway" };
    const receipt = await asked(deps, 1e9 + order * PER_AGENT, "charge", { order, amount: 1 }, manner);
    return { id: receipt.approvalId, digest: receipt.digest };
  },
  /** An event that all listeners get and that needs no action. */
  happen: async () => {
    const atMs = preciseMs();
    const receipt = await asked(deps, 2e9, "lookup", { order: calls });
    return { atMs, id: receipt.id };
  },
  /** Moves the clock forward. What is due is then done in rounds, while the event loop is measured. */
  later: async ({ byMs, watchMs }) => {
    const counted = () => deps.store.read({ ask: "count", workspace: "default", table: "notices", where: {} });
    const before = await counted();
    aheadMs += byMs;
    const held = await mostAtOnceMs(watchMs);
    return { ...held, reminded: (await counted()) - before };
  },
};

say({ url: server.url });
for await (const line of createInterface({ input: process.stdin })) {
  const { does, ...given } = JSON.parse(line);
  say(await COMMANDS[does](given));
}
process.exit(0);
