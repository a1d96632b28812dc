import { type Approval, stateAt } from "../../core/approval.ts";
import type { Code } from "../../core/codes.ts";
import { receiptOf } from "../../core/decide/explain.ts";
import { type Execution, isLapsed, isReady } from "../../core/execution.ts";
import { inTurn, type Message, say } from "../../core/messages/message.ts";
import { textOf } from "../../core/messages/text.ts";
import type { Receipt } from "../../core/receipt.ts";
import type { CallRow, Versioned } from "../../core/rows/rows.ts";
import { outcomeUnknown } from "../../core/steps/recall.ts";
import { deliver } from "../../core/steps/running.ts";
import { noApproval } from "../approvals/approval-at.ts";
import { presenceOf } from "../approvals/presence.ts";
import { noteRepliesTold } from "../approvals/triage.ts";
import { commitStep } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { bellOf } from "../time/bell.ts";
import { editsOf, repliesIn, settledReceipt } from "./recalled-answer.ts";

/** How long a lost wake-up can stay unnoticed. */
const POLL_MS = 500;
const EDITS_FOLLOWED_MAX = 64;

export type Waiting = {
  timeoutMs: number;
  signal?: AbortSignal;
  /** The caller only watches: replies are for the agent, and watching must not take them from the agent. */
  looksOn?: boolean;
  /** When the caller stops waiting for good, if it knows. People see it. */
  givesUpMs?: number;
};

/**
 * Waits until the call can go on, somebody has written to the agent, or the time is up. A caller that stops waiting may
 * come back: the question stays open. Every reply ends a wait once.
 */
export async function wait(deps: Deps, id: string, how: Waiting): Promise<Receipt> {
  const untilMs = deps.clock.nowMs() + how.timeoutMs;
  const bell = bellOf(deps.clock.sleep);
  const present = presenceOf(deps, how.givesUpMs);
  const hear = how.looksOn === true || how.timeoutMs === 0 ? undefined : hearing(deps);
  // Listening starts first, so that a change after the read is noticed.
  const stop = deps.store.watch(deps.workspace, bell.ring);
  how.signal?.addEventListener("abort", bell.ring);
  try {
    for (;;) {
      const now = await standing(deps, id);
      if (how.timeoutMs > 0) await deps.store.admission?.check(deps.workspace);
      const leftMs = untilMs - deps.clock.nowMs();
      const fresh = now.asks === undefined ? 0 : ((await hear?.(now.asks)) ?? 0);
      if (fresh > 0) return { ...now.receipt, newReplies: fresh };
      if (now.over || leftMs <= 0 || how.signal?.aborted === true) return now.receipt;
      await present(now.asks?.id);
      await bell.next(Math.min(POLL_MS, leftMs));
    }
  } finally {
    how.signal?.removeEventListener("abort", bell.ring);
    stop();
  }
}

/**
 * How many replies are new to this waiter. Those that came before it began to wait are new unless another wait ended
 * because of them.
 */
function hearing(deps: Deps): (asked: Approval) => Promise<number> {
  let heard: number | undefined;
  return async ({ id, replies = [], repliesTold = 0 }) => {
    heard ??= Math.min(repliesTold, replies.length);
    const fresh = replies.length - heard;
    if (fresh > 0) await noteRepliesTold(deps, id);
    return fresh;
  };
}

/** `asks`: the question that people have not answered yet. */
type WaitState = { over: boolean; receipt: Receipt; asks?: Approval };

/** The current state of a call, found by its id or by the id of its question. */
async function standing(deps: Deps, id: string): Promise<WaitState> {
  const call = id.startsWith("call_") ? await callAt(deps, id) : undefined;
  if (call?.approvalId === undefined && call?.executionId !== undefined) {
    return ran(deps, undecided(call), call.executionId);
  }
  if (call !== undefined && call.approvalId === undefined) return { over: true, receipt: receiptOf(call) };
  const approval = await latestOf(deps, call?.approvalId ?? id);
  if (approval === undefined) {
    // A question does not disappear, unless the database is an older one.
    deps.store.admission?.doubt(deps.workspace);
    return unknownApproval(id);
  }
  const asked = call ?? (await callAt(deps, approval.call));
  if (asked === undefined) throw new Error(`the call of ${approval.id} is gone (this is a bug)`);
  return questionStanding(deps, asked, approval);
}

async function callAt(deps: Deps, id: string): Promise<CallRow | undefined> {
  return (await deps.store.read({ ask: "row", workspace: deps.workspace, table: "calls", id }))?.row;
}

/** The receipt without the code of the decision, because later events are more important. */
function undecided(call: CallRow): Receipt {
  const { code: _, reason: __, ...decided } = receiptOf(call);
  return { ...decided, outcome: "pending" };
}

async function questionStanding(deps: Deps, call: CallRow, approval: Approval): Promise<WaitState> {
  const decided = undecided(call);
  const base: Receipt = {
    ...decided,
    approvalId: approval.id,
    ...(await editsOf(deps, approval)),
    ...repliesIn(approval),
  };
  switch (stateAt(approval, deps.clock.nowMs())) {
    case "pending":
      return { over: false, receipt: { ...base, code: "LEEWAY_PENDING" }, asks: approval };
    case "approved":
      return approval.state === "approved" ? ran(deps, base, approval.executionId) : ended(base, "LEEWAY_INTERNAL", "");
    case "denied":
      return ended(base, "LEEWAY_REVIEW_DENIED", whyDenied(approval));
    case "expired":
      return ended(base, "LEEWAY_EXPIRED", say("reason.nobody_answered"));
    case "cancelled":
      return ended(base, "LEEWAY_CANCELLED", say("reason.withdrawn"));
    case "superseded":
      return ended(base, "LEEWAY_SUPERSEDED", say("reason.replaced"));
  }
}

/** There is no such question, so the receipt is only a refusal. */
function unknownApproval(id: string): WaitState {
  const { code, reason: said } = noApproval(id);
  const reason = textOf(said, "en");
  const decision = {
    tier: "deny",
    outcome: "denied",
    because: [reason],
    rules: [],
    policyVersion: "",
    needsHuman: false,
  } as const;
  const receipt: Receipt = {
    id: "call_none",
    callId: "",
    decision,
    outcome: "denied",
    code,
    reason,
    digest: "sha256:",
  };
  return { over: true, receipt };
}

function whyDenied(approval: Approval): Message {
  if (approval.state !== "denied") return say("reason.reviewer_denied");
  const { by: person, note } = approval;
  if (approval.plan !== undefined) {
    return note === "" ? say("reason.plan_denied", { person }) : say("reason.plan_denied_note", { person, note });
  }
  return note === "" ? say("reason.denied", { person }) : say("reason.denied_note", { person, note });
}

function ended(base: Receipt, code: Code, why: Message | string): WaitState {
  return { over: true, receipt: { ...base, outcome: "denied", code, reason: textOf(why, "en") } };
}

/** An edited question leads to the question that replaced it. */
async function latestOf(deps: Deps, id: string): Promise<Approval | undefined> {
  let next: string = id;
  for (let followed = 0; followed < EDITS_FOLLOWED_MAX; followed++) {
    const found = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "approvals", id: next });
    if (found === undefined) return undefined;
    const { row } = found;
    if (row.state !== "superseded" || row.to === undefined || !(await isEditOf(deps, row.to, row.id))) return row;
    next = row.to;
  }
  throw new Error(`${id} was edited too often (this is a bug)`);
}

/** Other arguments with the same call id are another call; the caller who waited for this call is told. */
async function isEditOf(deps: Deps, to: string, from: string): Promise<boolean> {
  const found = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "approvals", id: to });
  return found?.row.from === from;
}

async function ran(deps: Deps, base: Receipt, executionId: string): Promise<WaitState> {
  const read = { ask: "row", workspace: deps.workspace, table: "executions", id: executionId } as const;
  const held = await deps.store.read(read);
  if (held === undefined) throw new Error(`the execution ${executionId} is gone (this is a bug)`);
  const { row } = held;
  const mine = { ...base, executionId: row.id };
  switch (row.state) {
    case "ready":
      if (!isReady(row, deps.clock.nowMs())) return ended(mine, "LEEWAY_EXPIRED", say("reason.not_run_in_time"));
      // If Leeway runs the call, the caller gets its result, never the permit.
      return row.runBy === "caller"
        ? { over: true, receipt: { ...mine, outcome: "run" } }
        : { over: false, receipt: { ...mine, code: "LEEWAY_CALL_RUNNING" } };
    case "claimed":
      if (isLapsed(row, deps.clock.nowMs()) && !row.idempotent) return unknown(mine);
      return { over: false, receipt: { ...mine, code: "LEEWAY_CALL_RUNNING" } };
    case "handed":
      return { over: true, receipt: { ...mine, code: "LEEWAY_CALL_RUNNING" } };
    case "succeeded":
    case "failed":
      await handOver(deps, held);
      return { over: true, receipt: settledReceipt(mine, row) };
    case "unknown":
      return unknown(mine);
    case "void":
      return ended(mine, "LEEWAY_VOID", row.why);
  }
}

function unknown(base: Receipt): WaitState {
  const { code, reason, hint } = outcomeUnknown();
  return ended(base, code, inTurn([reason, hint]));
}

/** Records that the caller has the result. If another caller got it at the same moment, both have it. */
async function handOver(deps: Deps, held: Versioned<"executions">): Promise<void> {
  const { id }: Execution = held.row;
  await commitStep(deps, async () => {
    const now = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "executions", id });
    return { ok: true, pieces: [now === undefined ? {} : deliver(now)], value: undefined };
  });
}
