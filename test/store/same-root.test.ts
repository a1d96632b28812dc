import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { put } from "../../src/core/change.ts";
import { review } from "../../src/gate/approvals/review.ts";
import { claim, settle } from "../../src/gate/calls/claim.ts";
import { submit } from "../../src/gate/calls/submit.ts";
import type { Store } from "../../src/ports.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { postgresStore } from "../../src/store/postgres/index.ts";
import { sqliteStore } from "../../src/store/sqlite/index.ts";
import { testClock, testDeps } from "../../src/testing.ts";
import { change, person, sealer, W } from "../fixtures/rows.ts";
import { newDatabase } from "../postgres/database.ts";
import { policy } from "./processes.ts";

test("the same stream of calls gives the same entries, track records and head on memory, SQLite and PostgreSQL", async () => {
  const folder = mkdtempSync(join(tmpdir(), "leeway-same-"));
  const stores = [
    memoryStore(),
    sqliteStore(join(folder, "leeway.db"), { sealer }),
    postgresStore(await newDatabase(), { sealer }),
  ];
  const [memory, ...others] = await Promise.all(stores.map(recordOf));
  expect(memory?.head.index).toBeGreaterThan(100);
  expect(others).toEqual([memory, memory]);
  await Promise.all(stores.map((store) => store.close()));
  rmSync(folder, { recursive: true });
});

/** Forty calls of four agents, some run at once, some approved, denied or never answered, one after the other. */
async function recordOf(store: Store) {
  const clock = testClock();
  const deps = testDeps({ policy, store, clock });
  await store.commit({ ...change({ writes: [put("people", person("ana")), { do: "turn" }] }), id: "chg_first" });
  for (let i = 0; i < 40; i++) {
    const tool = i % 3 === 0 ? "lookup" : "refund";
    const call = { workspace: W, agent: `agent-${i % 4}`, tool, args: { i: i % 11 }, callId: `c${i}` };
    const receipt = await submit(deps, { ...call, traceId: "trace_1", chain: [], claims: {} });
    clock.advance(1_000);
    const { approvalId, executionId, attempt, digest } = receipt;
    if (executionId !== undefined && attempt !== undefined && i % 2 === 0) {
      await settle(deps, executionId, { attempt, by: "caller", ending: { ok: true, result: i } });
    } else if (approvalId !== undefined && i % 5 !== 0) {
      const verdict = i % 4 === 0 ? "deny" : "approve";
      await review(deps, approvalId, { by: "ana", verdict, digest, note: "", assurance: "process", bulk: false });
      const asked = await store.read({ ask: "row", workspace: W, table: "approvals", id: approvalId });
      if (asked?.row.state === "approved") await claim(deps, asked.row.executionId, "caller");
    }
  }
  return {
    head: await store.read({ ask: "head", workspace: W }),
    links: await store.read({ ask: "links", workspace: W, afterIndex: 0, limit: 10_000 }),
    trust: await store.read({ ask: "trust", workspace: W }),
  };
}
