import { expect, test } from "vitest";
import { submit } from "../../src/gate/calls/submit.ts";
import { processMetrics } from "../../src/observe/metrics.ts";
import { observedStore } from "../../src/store/observed.ts";
import { postgresStore } from "../../src/store/postgres/index.ts";
import { systemClock, systemMint } from "../../src/system.ts";
import { testDeps } from "../../src/testing.ts";
import { sealer } from "../fixtures/rows.ts";
import { newDatabase } from "../postgres/database.ts";
import { policy } from "../store/processes.ts";

test("two processes that write to one workspace on PostgreSQL see in their metrics that they wait for each other", async () => {
  const url = await newDatabase();
  const processes = [1, 2].map((n) => {
    const metrics = processMetrics();
    const observers = new Set([metrics]);
    const store = observedStore(postgresStore(url, { sealer, observers }), observers);
    return {
      metrics,
      store,
      deps: testDeps({ policy, store, clock: systemClock, mint: systemMint(), owner: `p${n}` }),
    };
  });
  for (let round = 0; round < 20; round++) {
    await Promise.all(
      processes.map(({ deps }, n) =>
        submit(deps, {
          workspace: deps.workspace,
          agent: `agent-${n}`,
          tool: "lookup",
          args: { round },
          callId: `c${round}`,
          traceId: "t",
          chain: [],
          claims: {},
        }),
      ),
    );
  }
  const values = processes.map(({ metrics }) => {
    const text = metrics.text([]);
    const value = (name: string) => Number(new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1] ?? 0);
    return {
      batches: value("leeway_batch_changes_count"),
      moved: value("leeway_head_moved_total"),
      locks: value("leeway_lock_wait_seconds_count"),
      waited: value("leeway_lock_wait_seconds_sum"),
    };
  });
  for (const { store } of processes) await store.close();
  const sum = (of: (one: (typeof values)[number]) => number) => values.reduce((all, one) => all + of(one), 0);
  expect(sum(({ batches }) => batches)).toBeGreaterThanOrEqual(40);
  expect(sum(({ moved }) => moved)).toBeGreaterThan(0);
  expect(sum(({ locks }) => locks)).toBeGreaterThan(0);
  expect(sum(({ waited }) => waited)).toBeGreaterThan(0);
});
