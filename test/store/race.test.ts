import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { put } from "../../src/core/change.ts";
import { review } from "../../src/gate/approvals/review.ts";
import { submit } from "../../src/gate/calls/submit.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { postgresStore } from "../../src/store/postgres/index.ts";
import { sqliteStore } from "../../src/store/sqlite/index.ts";
import { systemClock, systemMint } from "../../src/system.ts";
import { testDeps } from "../../src/testing.ts";
import { change, sealer } from "../fixtures/rows.ts";
import { newDatabase } from "../postgres/database.ts";
import { outputOf, policy, startWorker } from "./processes.ts";

const PROCESSES = 8;
const WORKERS = 8;
const PROVED = 10_000;
const AGENTS = 100;

const folder = mkdtempSync(join(tmpdir(), "leeway-race-"));
afterAll(() => rmSync(folder, { recursive: true }));

const ENGINES = [
  {
    name: "SQLite",
    sample: 800,
    place: async () => join(folder, "leeway.db"),
    open: (path: string) => sqliteStore(path, { sealer }),
  },
  { name: "PostgreSQL", sample: 200, place: newDatabase, open: (url: string) => postgresStore(url, { sealer }) },
];

test.each(ENGINES)(
  "eight processes with eight workers each claim every approved execution on $name exactly once",
  async ({ sample, place, open }) => {
    const approved = process.env["LEEWAY_PROVE"] === undefined ? sample : PROVED;
    const path = await place();
    const store = open(path);
    const deps = testDeps({ policy, store, clock: systemClock, mint: systemMint() });
    const executions = await approvedExecutions(deps, approved);
    const given = { path, policy, workers: WORKERS, executions };
    const children = Array.from({ length: PROCESSES }, () => startWorker("claim", given));
    const won = (await Promise.all(children.map(outputOf))).flatMap((text) => JSON.parse(text) as string[]);

    expect([won.length, new Set(won).size]).toEqual([approved, approved]);
    expect([...won].sort()).toEqual([...executions].sort());
    const ready = { ask: "count", workspace: "default", table: "executions", where: { state: "ready" } } as const;
    expect(await store.read(ready)).toBe(0);
    const entries = await store.read({
      ask: "entries",
      workspace: "default",
      where: { kinds: ["execution.claimed"] },
      limit: approved + 1,
      order: "oldest",
    });
    expect(entries.map((entry) => entry.subject.execution).sort()).toEqual([...executions].sort());
    await store.close();
  },
  process.env["LEEWAY_PROVE"] === undefined ? 120_000 : 600_000,
);

/** Executions that were asked about and approved with the real verbs. */
async function approvedExecutions(deps: Deps, approved: number): Promise<string[]> {
  const ana = {
    name: "ana",
    workspace: "default",
    admin: true,
    auditor: false,
    groups: [],
    addedMs: 0,
    state: "active",
  };
  await deps.store.commit(change({ writes: [put("people", ana as never), { do: "turn" }] }));
  const executions: string[] = [];
  const one = async (i: number) => {
    const call = { workspace: "default", agent: `agent-${i % AGENTS}`, tool: "refund", args: { i }, callId: `c${i}` };
    const receipt = await submit(deps, { ...call, traceId: "trace_1", chain: [], claims: {} });
    const { approvalId, digest } = receipt;
    if (approvalId === undefined) throw new Error(`nobody was asked: ${receipt.reason}`);
    const answer = { by: "ana", verdict: "approve", digest, note: "", assurance: "process", bulk: false } as const;
    const reviewed = await review(deps, approvalId, answer);
    if (!reviewed.ok || reviewed.value.state !== "approved") throw new Error("the approval did not go through");
    executions.push(reviewed.value.executionId);
  };
  // Agents are registered by their first call, one after the other; the rest runs in parallel.
  for (let i = 0; i < AGENTS; i++) await one(i);
  for (let i = AGENTS; i < approved; i += AGENTS) {
    await Promise.all(Array.from({ length: AGENTS }, (_, k) => one(i + k)));
  }
  return executions;
}
