import type { Policy } from "../../src/core/policy.ts";
import type { Receipt } from "../../src/core/receipt.ts";
import type { Tier } from "../../src/core/tier.ts";
import type { JsonObject } from "../../src/core/values/json.ts";
import { review } from "../../src/gate/approvals/review.ts";
import { claim, settle } from "../../src/gate/calls/claim.ts";
import { DEFAULT_CALLER } from "../../src/gate/calls/judging.ts";
import { submit } from "../../src/gate/calls/submit.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { addPerson } from "../../src/gate/people/people.ts";
import { listEntries } from "../../src/gate/record/ledger.ts";
import { type TestClock, testClock, testDeps, testPolicy } from "../../src/testing.ts";

// A gate on a memory store with a few people and tools, and the helpers of this folder's tests.

export const at = { file: "leeway.yaml", line: 1, column: 1 };

export function policyOf(tiers: { [name: string]: Tier }, over: Partial<Policy> = {}): Policy {
  return testPolicy({
    tiers: Object.entries(tiers).map(([name, tier]) => ({ for: "class" as const, name, tier, at })),
    tools: [
      { name: "lookup", class: "db.read", at },
      { name: "refund", class: "payments.move", reversible: false, at },
    ],
    approvals: { assurance: "any" },
    ...over,
  });
}

export type World = { deps: Deps; clock: TestClock };

/** ana is an admin, ben a reviewer without rights, and coder is ana's. */
export async function worldOf(policy: Policy, over: Partial<Deps> = {}): Promise<World> {
  const clock = testClock();
  const deps = testDeps({ policy, clock, ...over });
  for (const person of [{ name: "ana" }, { name: "ben" }]) {
    const added = await addPerson(deps, { ...person, by: "ana", assurance: "tty" });
    if (!added.ok) throw new Error(added.reason.say);
  }
  return { deps, clock };
}

let calls = 0;

export function send(
  deps: Deps,
  tool: string,
  args: JsonObject,
  over: { agent?: string; callId?: string; cwd?: string; replayOf?: string } = {},
): Promise<Receipt> {
  const callId = over.callId ?? `c${++calls}`;
  const call = {
    workspace: deps.workspace,
    agent: over.agent ?? "coder",
    tool,
    args,
    callId,
    traceId: `trace_${callId}`,
    ...(over.replayOf === undefined ? {} : { replayOf: over.replayOf }),
  };
  return submit(deps, { ...call, cwd: over.cwd ?? "/project", chain: [], claims: {} }, DEFAULT_CALLER);
}

export async function answer(deps: Deps, receipt: Receipt, verdict: "approve" | "deny", by = "ana"): Promise<void> {
  const { approvalId = "", digest } = receipt;
  const done = await review(deps, approvalId, { by, verdict, digest, note: "", assurance: "tty", bulk: false });
  if (!done.ok) throw new Error(done.reason.say);
}

/** Claims an approved call, or uses one that was claimed when it was created, and settles it. */
export async function carryOut(
  deps: Deps,
  receipt: Receipt,
  how: { ok: boolean; by?: "caller" | "runner" } = { ok: true },
): Promise<void> {
  const { executionId, attempt } = receipt.attempt === undefined ? await claimed(deps, receipt) : receipt;
  const ending = how.ok ? { ok: true as const, result: "done" } : { ok: false as const, error: "it broke" };
  const done = await settle(deps, executionId ?? "", { attempt: attempt ?? "att_", by: how.by ?? "caller", ending });
  if (!done.ok) throw new Error(done.reason.say);
}

async function claimed(deps: Deps, receipt: Receipt) {
  const { workspace } = deps;
  const approval = await deps.store.read({ ask: "row", workspace, table: "approvals", id: receipt.approvalId ?? "" });
  if (approval?.row.state !== "approved") throw new Error(`the approval is ${approval?.row.state}`);
  const taken = await claim(deps, approval.row.executionId, "caller");
  if (!taken.ok) throw new Error(taken.reason.say);
  const { execution } = taken.value;
  return { executionId: execution.id, attempt: "attempt" in execution ? execution.attempt : undefined };
}

export function everything(deps: Deps) {
  return listEntries(deps, {}, { limit: 100_000, order: "oldest" });
}
