import { expect, test } from "vitest";
import { approval, call, change, digest, execution, ready, started, T0, W } from "../../../test/fixtures/rows.ts";
import { put } from "../../core/change.ts";
import type { Rows } from "../../core/rows/rows.ts";
import { done, type Fresh } from "./reading.ts";

export function submissionRead(fresh: Fresh): void {
  test("one read returns everything that a submission needs", async () => {
    const store = await fresh();
    const of = { ask: "submission", workspace: W, agent: "coder", digest, counters: ["c"], nowMs: T0 } as const;
    const nothing = { epoch: 1, permits: [], approvedOfAgent: [], counters: [0] };
    expect(await store.read({ ...of, callKey: "key 1" })).toEqual(nothing);
    const denied = { state: "denied", atMs: T0, by: "ana", note: "" } as Partial<Rows["approvals"]>;
    const approved = { state: "approved", atMs: T0, executionId: "exe_1" } as Partial<Rows["approvals"]>;
    const result = {
      state: "succeeded",
      attempt: "att_1",
      settledMs: T0,
      settledBy: "runner",
      delivered: false,
      runBy: "leeway",
    } as Partial<Rows["executions"]>;
    const kept = {
      call: call("1", { approvalId: "apr_1" }),
      own: approval("1", { ...approved, openedMs: T0 + 1 }),
      live: approval("2", { openedMs: T0 + 2 }),
      latest: approval("3", { ...denied, openedMs: T0 + 3 }),
      first: execution("1", { approval: "apr_1" }),
      second: execution("0", { runUntilMs: T0 + 6000 }),
      undelivered: execution("2", result),
    };
    for (const row of [kept.call, call("2")]) await store.commit(change(started(row)));
    await done(
      store,
      put("approvals", kept.latest),
      put("approvals", kept.live),
      put("approvals", kept.own),
      put("approvals", approval("4", { digest: "sha256:other" })),
      put("approvals", approval("5", { agent: "b" })),
      ready(kept.second),
      ready(kept.first),
      ready(kept.undelivered),
      ready(execution("3", { digest: "sha256:other", approval: "apr_9", runUntilMs: T0 + 1 })),
      ready(execution("5", { digest: "sha256:other", approval: "apr_7", runUntilMs: T0 })),
      ready(execution("4", { agent: "b", approval: "apr_8" })),
      { do: "add", counter: "c", by: 2, untilMs: T0 + 1 },
      { do: "turn" },
    );
    expect(await store.read({ ...of, callKey: "key 1" })).toEqual({
      epoch: 2,
      call: { row: kept.call, version: 1 },
      approval: { row: kept.own, version: 1 },
      execution: { row: kept.first, version: 1 },
      live: { row: kept.live, version: 1 },
      latest: { row: kept.latest, version: 1 },
      permits: [
        { row: kept.first, version: 1 },
        { row: kept.second, version: 1 },
      ],
      undelivered: { row: kept.undelivered, version: 1 },
      approvedOfAgent: ["apr_9", "apr_1"],
      counters: [2],
    });
  });
}
