// One process among several on the same PostgreSQL. It is killed without warning, so it buffers nothing.
import { appendFileSync, closeSync, openSync } from "node:fs";
import { json } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const [built, role] = process.argv.slice(2);
const given = await json(process.stdin);
const load = (path) => import(pathToFileURL(`${built}/${path}`).href);
const { postgresStore } = await load("store/postgres/index.js");
const { testDeps } = await load("testing/parts.js");
const { aesSealer, systemClock, systemMint } = await load("system.js");
const { review } = await load("gate/approvals/review.js");
const { claim, settle } = await load("gate/calls/claim.js");
const { submit } = await load("gate/calls/submit.js");
const { StoreUnavailable } = await load("ports.js");

const opened = () => postgresStore(given.url, { sealer: aesSealer(new Uint8Array(32)) });
const store = opened();
const depsOn = (one) =>
  testDeps({
    policy: given.policy,
    store: one,
    clock: systemClock,
    mint: systemMint(),
    owner: `process ${process.pid}`,
  });
const deps = depsOn(store);
const note = (file, ...words) => appendFileSync(file, `${words.join(" ")}\n`);
const submitted = (agent, tool, callId, by = deps) =>
  submit(by, {
    ...{ workspace: "default", agent, tool, args: { callId }, callId },
    ...{ traceId: "trace_1", chain: [], claims: {} },
  });

/** The server is away again and again; nothing else may go wrong. */
async function unlessAway(act) {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return undefined;
  }
}

/** Asks, approves, claims, runs and settles calls, some of which an earlier process began. */
async function cycles() {
  for (;;) {
    const callId = `k${Math.floor(Math.random() * given.calls)}`;
    await unlessAway(() => cycle(callId));
  }
}

async function cycle(callId) {
  const { approvalId, digest } = await submitted("killed", "refund", callId);
  if (approvalId === undefined) return;
  const answer = { by: "ana", verdict: "approve", digest, note: "", assurance: "process", bulk: false };
  await review(deps, approvalId, answer);
  const asked = await store.read({ ask: "row", workspace: "default", table: "approvals", id: approvalId });
  if (asked?.row.state !== "approved") return;
  const claimed = await claim(deps, asked.row.executionId, "caller");
  if (!claimed.ok) return;
  const { id, attempt } = claimed.value.execution;
  note(given.effects, id);
  const settled = await settle(deps, id, { attempt, by: "caller", ending: { ok: true, result: callId } });
  if (settled.ok) note(given.acks, id);
}

/** Calls again and again until it is refused, and says when. */
async function heeds(worker) {
  for (let count = 0; ; count++) {
    const { outcome, code, reason } = await submitted("coder", "lookup", `${process.pid}-${worker}-${count}`);
    if (outcome === "run") note(given.effects, process.pid);
    // Somebody else was faster eight times; this says nothing about the pause.
    if (outcome === "run" || code === "LEEWAY_BUSY") continue;
    return { code, reason, atMs: Date.now() };
  }
}

/** Spends until there is nothing left; each success has its effect. */
async function spends(worker) {
  for (let count = 0; ; count++) {
    const receipt = await unlessAway(() => submitted("coder", "lookup", `${process.pid}-${worker}-${count}`));
    if (receipt?.code === "LEEWAY_LIMIT") return receipt.code;
    if (receipt?.outcome !== "run" || receipt.attempt === undefined) continue;
    note(given.effects, receipt.executionId);
    const ending = { ok: true, result: count };
    const { executionId, attempt } = receipt;
    await unlessAway(() => settle(deps, executionId, { attempt, by: "caller", ending }));
  }
}

/** Uses up all file descriptors, connects, watches and calls, and gives the descriptors back. */
async function starves() {
  // Loads everything that is loaded on first use.
  await submitted("coder", "lookup", "first");
  const taken = [];
  try {
    for (;;) taken.push(openSync("/dev/null"));
  } catch {
    // None is left.
  }
  const other = opened();
  const unwatch = other.watch("default", () => undefined);
  const refused = await submitted("coder", "lookup", "while", depsOn(other));
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  for (const one of taken) closeSync(one);
  const after = await submitted("coder", "lookup", "after", depsOn(other));
  unwatch();
  await other.close();
  return { while: refused.code, after: after.outcome };
}

const ROLES = { cycles, heeds, spends, starves };
const said = await Promise.all(Array.from({ length: given.workers }, (_, worker) => ROLES[role](worker)));
process.stdout.write(`${JSON.stringify(said)}\n`);
await store.close();
