import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { put } from "../../src/core/change.ts";
import { EMPTY_HEAD, type Head, headAfter, linkHashOf } from "../../src/core/ledger.ts";
import { review } from "../../src/gate/approvals/review.ts";
import { claim, settle } from "../../src/gate/calls/claim.ts";
import { submit } from "../../src/gate/calls/submit.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { tick } from "../../src/gate/time/tick.ts";
import { type Store, StoreUnavailable } from "../../src/ports.ts";
import { postgresStore } from "../../src/store/postgres/index.ts";
import { systemClock, systemMint } from "../../src/system.ts";
import { testClock, testDeps } from "../../src/testing.ts";
import { type StartedPostgres, startPostgres } from "../../tools/postgres.mjs";
import { change, person, sealer, W } from "../fixtures/rows.ts";
import { policy } from "../store/processes.ts";
import { killed, linesOf, pauseMs, startWorker } from "./processes.ts";

const PROVE = process.env["LEEWAY_PROVE"] !== undefined;
const CYCLES = PROVE ? 5_000 : 30;
const CRASHES_MIN = PROVE ? 10 : 3;
const [BETWEEN_MS, SPREAD_MS] = PROVE ? [5_000, 5_000] : [300, 300];
const WORKERS = 8;
/** Calls of the process that is killed; each new one goes on with them. */
const KILLED_CALLS = PROVE ? 500 : 40;
const KILLED_WORKERS = 2;

const folder = mkdtempSync(join(tmpdir(), "leeway-crash-"));
const files = { acks: join(folder, "acks"), effects: join(folder, "effects") };
let postgres: StartedPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
  await postgres.createDatabase("crash");
});
afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

test(
  "if PostgreSQL and a process of Leeway are killed again and again, every approved call ends, none runs twice, and nothing acknowledged is lost",
  async () => {
    const store = postgresStore(postgres.url("crash"), { sealer });
    const deps = testDeps({ policy, store, clock: systemClock, mint: systemMint() });
    await store.commit(change({ writes: [put("people", person("ana")), { do: "turn" }] }));
    const ran: string[] = [];
    const settled: string[] = [];
    let [next, crashes, kills, isOver] = [0, 0, 0, false];
    const worker = async () => {
      while (next < CYCLES || crashes < CRASHES_MIN) await cycle(deps, next++, ran, settled);
    };
    const crasher = async () => {
      while (!isOver) {
        await pauseMs(BETWEEN_MS + Math.random() * SPREAD_MS);
        if (isOver) return;
        await postgres.crash();
        crashes += 1;
      }
    };
    const killer = async () => {
      const given = { url: postgres.url("crash"), policy, workers: KILLED_WORKERS, calls: KILLED_CALLS, ...files };
      while (!isOver) {
        const before = linesOf(files.effects).length;
        const child = startWorker("cycles", given);
        // Most of the time it is in the middle of something.
        while (!isOver && linesOf(files.effects).length === before) await pauseMs(20);
        await pauseMs(Math.random() * BETWEEN_MS);
        await killed(child);
        kills += 1;
      }
    };
    const killing = Promise.all([crasher(), killer()]);
    await Promise.all(Array.from({ length: WORKERS }, worker));
    isOver = true;
    await killing;

    expect([crashes >= CRASHES_MIN, kills > 0]).toEqual([true, true]);
    const own = ran.length;
    ran.push(...linesOf(files.effects));
    settled.push(...linesOf(files.acks));
    expect([new Set(ran).size, own >= CYCLES / 2]).toEqual([ran.length, true]);
    const later = testDeps({ policy, store, clock: testClock(Date.now() + 3_600_000), mint: systemMint() });
    while (Object.keys(await tick(later)).length > 0);
    const states = await statesOf(store);
    expect(states.size).toBeGreaterThanOrEqual(next);
    expect(ran.filter((id) => !states.has(id))).toEqual([]);
    expect([...states].filter(([, state]) => !ENDED.has(state))).toEqual([]);
    expect(settled.filter((id) => states.get(id) !== "succeeded")).toEqual([]);
    await expectVerified(store);
    if (PROVE) {
      const count = (state: string) => [...states.values()].filter((is) => is === state).length;
      const ended = [...ENDED].map((state) => `${count(state)} ${state}`).join(", ");
      process.stdout.write(`${crashes} crashes, ${kills} kills: ${states.size} approved, ${ended}\n`);
    }
    await store.close();
  },
  PROVE ? 3_600_000 : 120_000,
);

const ENDED = new Set(["succeeded", "failed", "unknown", "handed", "void"]);

/** One call: asked, approved, claimed, run and settled. What failed because the server was away is tried again. */
async function cycle(deps: Deps, i: number, ran: string[], settled: string[]): Promise<void> {
  const call = { workspace: W, agent: `agent-${i % WORKERS}`, tool: "refund", args: { i }, callId: `c${i}` };
  const { approvalId, digest } = await until(async () => {
    const receipt = await submit(deps, { ...call, traceId: "trace_1", chain: [], claims: {} });
    return receipt.approvalId === undefined ? undefined : receipt;
  });
  const id = approvalId ?? "apr_none";
  const answer = { by: "ana", verdict: "approve", digest, note: "", assurance: "process", bulk: false } as const;
  const executionId = await until(async () => {
    await review(deps, id, answer);
    const asked = await deps.store.read({ ask: "row", workspace: W, table: "approvals", id });
    return asked?.row.state === "approved" ? asked.row.executionId : undefined;
  });
  const claimed = await until(async () => {
    const tried = await claim(deps, executionId, "caller");
    // If the answer to the claim was lost for good, nobody may run the call: it ends as unknown.
    return tried.ok || tried.code === "LEEWAY_ALREADY_CLAIMED" ? tried : undefined;
  });
  if (!claimed.ok) return;
  const { execution } = claimed.value;
  ran.push(execution.id);
  const attempt = "attempt" in execution ? execution.attempt : "att_none";
  const ending = { ok: true, result: i } as const;
  await until(async () => {
    const done = await settle(deps, execution.id, { attempt, by: "caller", ending });
    return done.ok ? done : undefined;
  });
  settled.push(execution.id);
}

/** Tries until there is an answer; nothing else than an unavailable store may be thrown. */
async function until<T>(act: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    try {
      const found = await act();
      if (found !== undefined) return found;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
    await pauseMs(20);
  }
}

/** The state of every execution that an approval made. */
async function statesOf(store: Store): Promise<ReadonlyMap<string, string>> {
  const states = new Map<string, string>();
  for (let afterIndex = 0; ; ) {
    const where = { kinds: ["approval.approved" as const], afterIndex };
    const entries = await store.read({ ask: "entries", workspace: W, where, limit: 1_000, order: "oldest" });
    for (const { body } of entries) {
      const id = String(body?.json["execution"]);
      const held = await store.read({ ask: "row", workspace: W, table: "executions", id });
      states.set(id, held?.row.state ?? "gone");
    }
    const last = entries.at(-1);
    if (last === undefined) return states;
    afterIndex = last.index;
  }
}

async function expectVerified(store: Store): Promise<void> {
  const { epoch: _, ...kept } = await store.read({ ask: "head", workspace: W });
  const links = await store.read({ ask: "links", workspace: W, afterIndex: 0, limit: kept.index + 1 });
  const head = links.reduce<Head>((before, link) => {
    expect([link.index, link.previous, link.hash]).toEqual([before.index + 1, before.hash, linkHashOf(link)]);
    return headAfter(link);
  }, EMPTY_HEAD);
  expect(head).toEqual(kept);
}
