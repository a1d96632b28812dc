import { expect, test } from "vitest";
import { execution, T0 } from "../../../test/fixtures/rows.ts";
import { type Execution, type ExecutionIn, LEASE_MS } from "../execution.ts";
import type { Mint } from "../ids.ts";
import { factsOf } from "../rows/rows.ts";
import { isLeftAlone, lapseTogether } from "./lapsing.ts";

const mint: Mint = { next: (kind) => `${kind}_new` as const, salt: () => "00" };
const MINUTE_MS = 60_000;

function claimed(id: string, over: object = {}): { row: Execution; version: number } {
  const state = { state: "claimed", attempt: `att_${id}`, owner: "x", claimedMs: T0, leaseUntilMs: T0 + LEASE_MS };
  const { readyMs: _, ...row } = execution(id, { ...state, ...over } as object) as ExecutionIn<"ready">;
  return { row: row as Execution, version: 1 };
}

test("calls that nobody settled change to handed together, with one entry for each agent, tool and class", () => {
  const held = [
    claimed("1"),
    claimed("2", { claimedMs: T0 + 5 }),
    claimed("3", { agent: "other" }),
    claimed("4", { tool: "lookup", class: "db.read" }),
  ];
  const { writes = [], entries = [] } = lapseTogether(held, mint);
  const handed = writes.map((write) => (write.do === "step" ? [write.right.id, write.right.state, write.from] : []));
  expect(handed).toEqual(["1", "2", "3", "4"].map((id) => [`exe_${id}`, "handed", 1]));
  expect(entries.map(({ kind, subject, body }) => ({ kind, subject, body }))).toEqual([
    {
      kind: "execution.lapsed",
      subject: { agent: "coder", class: "fs.write", tool: "write_file" },
      body: { calls: 2, fromMs: T0, toMs: T0 + 5 },
    },
    {
      kind: "execution.lapsed",
      subject: { agent: "other", class: "fs.write", tool: "write_file" },
      body: { calls: 1, fromMs: T0, toMs: T0 },
    },
    {
      kind: "execution.lapsed",
      subject: { agent: "coder", class: "db.read", tool: "lookup" },
      body: { calls: 1, fromMs: T0, toMs: T0 },
    },
  ]);
});

test("only a call that the policy let its caller run can lapse without a question, and only after its lease", () => {
  const after = T0 + LEASE_MS;
  expect([isLeftAlone(claimed("1"), after - 1), isLeftAlone(claimed("1"), after)]).toEqual([false, true]);
  for (const over of [{ approval: "apr_1" }, { runBy: "leeway" }, { idempotent: true }, { lapsed: "att_0" }]) {
    expect([over, isLeftAlone(claimed("1", over), after)]).toEqual([over, false]);
  }
});

test("such a call waits for the end of its minute, so that the calls of one minute lapse together", () => {
  const alarmMs = (over: object) => factsOf("executions", claimed("1", over).row).alarm?.atMs;
  expect(alarmMs({ leaseUntilMs: T0 + 1 })).toBe(T0 + MINUTE_MS);
  expect(alarmMs({ leaseUntilMs: T0 + MINUTE_MS })).toBe(T0 + MINUTE_MS);
  expect(alarmMs({ leaseUntilMs: T0 + 1, approval: "apr_1" })).toBe(T0 + 1);
});
