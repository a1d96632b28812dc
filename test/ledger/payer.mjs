// One program among several with the same database and the same state folder: it asks, a person approves, it claims and settles.
// Nothing goes wrong, so every refusal is written down.
import { json } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const [built, name] = process.argv.slice(2);
const given = await json(process.stdin);
const { openGate } = await import(pathToFileURL(`${built}/index.js`).href);

const policy = { tools: { pay: { class: "db.write" } }, tiers: { pay: "ask" }, approvals: { assurance: "any" } };
const gate = await openGate({ db: given.db, env: given.env, policy });
const refusals = [];
let paid = 0;

const tried = (act) => act.catch((error) => void refusals.push(`${error.code}: ${error.reason ?? error.message}`));

async function pay(caller) {
  for (let n = 0; n < given.calls; n++) {
    const call = { agent: `${name}-${caller}`, tool: "pay", args: { n }, callId: `${name}-${caller}-${n}` };
    const { approvalId, digest } = (await tried(gate.submit(call))) ?? {};
    if (approvalId === undefined) continue;
    const { executionId } = (await tried(gate.review(approvalId, { by: "ana", verdict: "approve", digest }))) ?? {};
    const held = executionId && (await tried(gate.claim(executionId)));
    if (held && (await tried(gate.settle(executionId, { attempt: held.attempt, ok: true })))) paid++;
  }
}

await Promise.all(Array.from({ length: given.callers }, (_, caller) => pay(caller)));
await gate.close();
process.stdout.write(JSON.stringify({ paid, refusals }));
