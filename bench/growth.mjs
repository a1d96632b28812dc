// How the cost depends on history: a submission, the list of open questions, a page of the ledger and the history of one call,
// with a thousand entries and with a million, in turns within one run.
// node --expose-gc bench/growth.mjs [--json]        LEEWAY_BENCH_ENTRIES for another size
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gateOn, keepBusy, load, median, print, spread, submitOne } from "./store-kit.mjs";

const { changeOf, put } = await load("core/change.js");
const { withText } = await load("core/ledger.js");
const { secretOf } = await load("core/secret.js");
const SMALL = 1_000;
const LARGE = Number(process.env.LEEWAY_BENCH_ENTRIES ?? 1_000_000);
const PENDING = 200;
const ROUNDS = 5;
const PER_CHANGE = 250;
const workspace = "default";
const folder = mkdtempSync(join(process.env.LEEWAY_BENCH_DATA ?? tmpdir(), "leeway-bench-growth-"));

/** A settled call with its execution and its entry. From time to time one that still waits for an answer. */
function past(deps, i, entries) {
  const id = deps.mint.next("call");
  const of = { workspace, agent: `agent-${i % 10}`, tool: "lookup", digest: `sha256:${i}`, traceId: "trace_1" };
  const isPending = i % Math.max(1, Math.floor(entries / PENDING)) === 0;
  const settled = { state: "succeeded", attempt: "att_1", settledMs: i, settledBy: "caller", delivered: true };
  const decision = { asking: { permitMs: 1 } };
  const call = { ...of, id, key: `past ${i}`, callId: `${i}`, outcome: "run", atMs: i, args: secretOf("{}"), decision };
  const right = { ...of, id: `exe_${id.slice(5)}`, call: id, runBy: "caller", runUntilMs: i, attempts: 1, ...settled };
  return {
    writes: [
      { do: "start", call, from: 0, right },
      ...(isPending
        ? [
            put("approvals", {
              ...of,
              id: deps.mint.next("apr"),
              call: id,
              state: "pending",
              openedMs: i,
              answerByMs: 9e15,
            }),
          ]
        : []),
    ],
    entries: [
      withText({
        kind: "call.decided",
        actor: `agent:agent-${i % 10}`,
        subject: { agent: `agent-${i % 10}`, tool: "lookup", call: id },
        body: { callId: `${i}`, args: { order: i, note: "as the customer asked" } },
        salt: deps.mint.salt(),
      }),
    ],
  };
}

async function filled(entries) {
  const path = join(folder, `${entries}.db`);
  const deps = gateOn(path);
  for (let i = 0; i < entries; ) {
    const batch = [];
    for (let changes = 0; changes < 16 && i < entries; changes++) {
      const pieces = [];
      for (let n = 0; n < PER_CHANGE && i < entries; n++, i++) pieces.push(past(deps, i, entries));
      batch.push(deps.store.commit(changeOf(deps.mint, { workspace, nowMs: 1_767_225_600_000 + i }, pieces)));
    }
    await Promise.all(batch);
  }
  for (let i = 0; i < 40; i++) await submitOne(deps);
  return { deps, path };
}

const newest = { limit: 50, order: "newest" };
const TESTS = {
  "submit, 1 caller": { callers: 1, ms: 500, one: submitOne },
  "submit, 64 callers": { callers: 64, ms: 500, one: submitOne },
  "pending list, 50 rows": {
    callers: 1,
    ms: 200,
    one: (deps) =>
      deps.store.read({ ask: "rows", workspace, table: "approvals", where: { state: "pending" }, ...newest }),
  },
  "ledger page, 50 entries": {
    callers: 1,
    ms: 200,
    one: (deps) => deps.store.read({ ask: "entries", workspace, where: {}, ...newest }),
  },
  "history of one call": {
    callers: 1,
    ms: 200,
    one: (deps) => deps.store.read({ ask: "entries", workspace, where: { subject: { call: "call_none" } }, ...newest }),
  },
};

process.stderr.write(`filling ${LARGE} entries\n`);
const small = await filled(SMALL);
const large = await filled(LARGE);
const seen = Object.fromEntries(Object.keys(TESTS).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  process.stderr.write(`round ${round + 1} of ${ROUNDS}\n`);
  for (const [name, { callers, ms, one }] of Object.entries(TESTS)) {
    const before = await keepBusy(callers, ms, () => one(small.deps));
    const after = await keepBusy(callers, ms, () => one(large.deps));
    seen[name].push({ small: 1e6 / before.perSecond, large: 1e6 / after.perSecond });
  }
}
const sizeMb = statSync(large.path).size / 2 ** 20;
for (const { deps } of [small, large]) await deps.store.close();
rmSync(folder, { recursive: true });
print(
  Object.entries(seen).map(([test, rounds]) => ({
    test,
    smallUs: median(rounds.map((round) => round.small)),
    largeUs: median(rounds.map((round) => round.large)),
    ratio: median(rounds.map((round) => round.large / round.small)),
    ratioSpread: spread(rounds.map((round) => round.large / round.small)),
    goal: "≤ 1.2",
    entries: LARGE,
    sizeMb,
    rssMb: process.memoryUsage().rss / 2 ** 20,
  })),
);
process.exit(0);
