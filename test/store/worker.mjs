// One process among several on the same database. It is killed without warning, so it buffers nothing.
import { appendFileSync } from "node:fs";
import { json } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const [built, role] = process.argv.slice(2);
const given = await json(process.stdin);
const load = (path) => import(pathToFileURL(`${built}/${path}`).href);
const { sqliteStore } = await load("store/sqlite/index.js");
const { testDeps } = await load("testing/parts.js");
const { aesSealer, systemClock, systemMint } = await load("system.js");
const { claim, settle } = await load("gate/calls/claim.js");
const { submit } = await load("gate/calls/submit.js");

const { openDatabase } = await load("store/sqlite/file/driver.js");

/** How many uses of the database are left before this process ends itself, once it counts them. */
let usesLeft = Number.POSITIVE_INFINITY;
const isLast = () => {
  usesLeft -= 1;
  return usesLeft === 0;
};
const die = () => process.kill(process.pid, "SIGKILL");

/** Ends immediately before or after a statement. */
function mortal(act) {
  return (...values) => {
    const ends = isLast();
    if (ends && given.dies === "before") die();
    try {
      return act(...values);
    } finally {
      if (ends) die();
    }
  };
}

/** The database, every use of which counts. */
function counting(path, mode) {
  const db = openDatabase(path, mode);
  return {
    get inTransaction() {
      return db.inTransaction;
    },
    exec: mortal(db.exec),
    close: db.close,
    prepare: (sql) => {
      const { run, get, all } = db.prepare(sql);
      return { run: mortal(run), get: mortal(get), all: mortal(all) };
    },
  };
}

const open = given.dieAt === undefined ? {} : { open: counting };
const sealer = aesSealer(new Uint8Array(32));
const store = given.path.startsWith("postgres://")
  ? (await load("store/postgres/index.js")).postgresStore(given.path, { sealer })
  : sqliteStore(given.path, { busyMs: 60_000, sealer, ...open });
const deps = testDeps({
  policy: given.policy,
  store,
  clock: systemClock,
  mint: systemMint(),
  owner: `process ${process.pid}`,
});

/** Every worker goes through all executions in its own order and tries to claim each. */
async function claimAll() {
  const won = [];
  const gone = new Set();
  await Promise.all(
    Array.from({ length: given.workers }, async () => {
      const ids = given.executions.map((id) => [Math.random(), id]).sort((a, b) => a[0] - b[0]);
      for (const [, id] of ids) {
        if (gone.has(id)) continue;
        const claimed = await claim(deps, id, "caller");
        if (claimed.ok) won.push(id);
        else if (claimed.code === "LEEWAY_BUSY") continue;
        else if (claimed.code !== "LEEWAY_ALREADY_CLAIMED") throw new Error(claimed.reason.say);
        gone.add(id);
      }
    }),
  );
  process.stdout.write(JSON.stringify(won));
  await store.close();
}

/** Submits, runs, settles, and records what it was told, until it is killed. */
async function act() {
  const note = (file, ...words) => appendFileSync(file, `${words.join(" ")}\n`);
  let ready = false;
  const worker = async () => {
    for (;;) {
      const callId = `c${Math.floor(Math.random() * given.calls)}`;
      const call = {
        workspace: "default",
        agent: "coder",
        tool: "lookup",
        args: { callId },
        callId,
        traceId: "trace_1",
        chain: [],
        claims: {},
      };
      const receipt = await submit(deps, call);
      // Without an attempt it is an answer about an earlier submission.
      if (receipt.outcome !== "run" || receipt.attempt === undefined) continue;
      note(given.acks, "submitted", receipt.executionId, receipt.ledgerIndex);
      note(given.effects, callId, receipt.executionId);
      const ending = { ok: true, result: callId };
      const settled = await settle(deps, receipt.executionId, { attempt: receipt.attempt, by: "caller", ending });
      if (settled.ok) note(given.acks, "settled", receipt.executionId, 0);
      // From here on it is under load and may be killed.
      if (!ready) process.stdout.write("ready\n");
      if (!ready && given.dieAt !== undefined) usesLeft = given.dieAt;
      ready = true;
    }
  };
  await Promise.all(Array.from({ length: given.workers }, worker));
}

await (role === "claim" ? claimAll() : act());
