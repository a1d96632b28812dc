import type { Approval } from "../../core/approval.ts";
import { digestOf, type ToolCall } from "../../core/call.ts";
import { changeOf, type Piece } from "../../core/change.ts";
import { changedSince } from "../../core/classify/facts.ts";
import { type Refused, refused } from "../../core/codes.ts";
import { receiptOf } from "../../core/decide/explain.ts";
import type { Decision } from "../../core/decision.ts";
import type { Effect } from "../../core/effect.ts";
import type { Execution, ExecutionIn } from "../../core/execution.ts";
import { say } from "../../core/messages/message.ts";
import { textOf } from "../../core/messages/text.ts";
import type { Receipt } from "../../core/receipt.ts";
import type { CallRow, Seen, Versioned } from "../../core/rows/rows.ts";
import { expire, join } from "../../core/steps/closing.ts";
import type { Recalled, Undecided } from "../../core/steps/recall.ts";
import { deliver, settle, takeBack } from "../../core/steps/running.ts";
import { sha256 } from "../../core/values/hash.ts";
import type { Json } from "../../core/values/json.ts";
import { StoreUnavailable } from "../../ports.ts";
import { noteRefusedCall } from "../approvals/refusal-entries.ts";
import { notEnough } from "../approvals/reopening.ts";
import { commitAgain } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { effectIn } from "../record/guesses.ts";
import { circleFor } from "../standing/owner.ts";
import type { InForce } from "../standing/standing.ts";
import { openArgs } from "./args.ts";
import { unvouchedCall, unvouchedRight } from "./vouched.ts";

type Question = Versioned<"approvals">;

/** The answer to a call that was sent before: its current state. Nothing is decided; a refusal is recorded. */
export async function answerRecalled(
  deps: Deps,
  call: ToolCall,
  seen: Seen,
  recalled: Exclude<Recalled, { is: "undecided" }>,
  nowMs: number,
): Promise<Receipt | undefined> {
  if (recalled.is === "refused" || seen.call === undefined) {
    const why = recalled.is === "refused" ? recalled.why : RECALLED_NOTHING;
    const ledgerIndex = seen.call && (await noteRefusedCall(deps, seen.call.row, digestOf(call), why));
    const receipt = unrecorded(deps, call, why);
    return ledgerIndex === undefined ? receipt : { ...receipt, ledgerIndex };
  }
  const waiting = seen.approvedOfAgent.filter((id) => id !== seen.approval?.row.id);
  const base = {
    ...receiptOf(seen.call.row),
    ...(waiting.length === 0 ? {} : { approvedMeanwhile: waiting }),
  };
  switch (recalled.is) {
    case "pending": {
      const { row } = recalled.approval;
      return {
        ...base,
        outcome: standsAs(seen.call.row, row),
        approvalId: row.id,
        ...(await editsOf(deps, row)),
        ...repliesIn(row),
      };
    }
    case "running":
      return { ...base, outcome: "pending", code: "LEEWAY_CALL_RUNNING", executionId: recalled.execution.row.id };
    case "ready":
      return { ...base, outcome: "run", executionId: recalled.execution.row.id };
    case "edited": {
      const { row } = recalled.execution;
      return { ...base, outcome: "pending", code: "LEEWAY_EDITED", executionId: row.id, ...(await editsOf(deps, row)) };
    }
    case "settled": {
      const piece = deliver(recalled.execution);
      if (piece.writes !== undefined) {
        const change = changeOf(deps.mint, { workspace: deps.workspace, nowMs }, [piece]);
        if (!(await commitAgain(deps.store, change)).ok) return undefined;
      }
      const { row } = recalled.execution;
      return { ...settledReceipt(base, row), ...(await editsOf(deps, row)) };
    }
  }
}

const RECALLED_NOTHING = refused("LEEWAY_INTERNAL", say("refusal.recalled_nothing"), say("hint.report"));

/** A call that was only proposed, or that needs a person, keeps this outcome while its question is open. */
function standsAs(row: CallRow, approval: Approval): Receipt["outcome"] {
  return approval.tier === "suggest" || row.decision.code !== undefined ? row.outcome : "pending";
}

/** What reviewers wrote to the agent. */
export function repliesIn({ replies = [] }: Approval): Pick<Receipt, "replies"> {
  return replies.length === 0 ? {} : { replies };
}

/** What a reviewer changed, for the agent that made the call. */
export async function editsOf(deps: Deps, about: Approval | Execution): Promise<Pick<Receipt, "edited">> {
  if (about.editedFrom === undefined) return {};
  const row = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "calls", id: about.call });
  if (row === undefined) throw new Error(`the edited call ${about.call} is gone (this is a bug)`);
  const opened = openArgs(row.row);
  if (!opened.ok) throw new Error(`the edited arguments of ${about.call} do not open (this is a bug)`);
  return { edited: { from: about.editedFrom, to: about.digest, args: opened.args } };
}

/** The receipt of a call that ran. */
export function settledReceipt(base: Receipt, execution: Execution): Receipt {
  const { code: _, reason: __, ...rest } = base;
  const found: Receipt = { ...rest, executionId: execution.id, outcome: "run" };
  if (execution.state === "failed") {
    const left = execution.result === undefined ? {} : { result: resultOf(execution) };
    return { ...found, code: "LEEWAY_EXECUTION_FAILED", error: execution.error, ...left };
  }
  if (execution.state !== "succeeded") return found;
  return { ...found, result: resultOf(execution) };
}

function resultOf(execution: ExecutionIn<"succeeded" | "failed">): Json {
  return execution.result === undefined ? null : JSON.parse(execution.result.open());
}

/** A denial of which nothing was recorded: nothing may run. */
export function unrecorded(deps: Deps, call: ToolCall, { code, reason, hint }: Refused): Receipt {
  const why = textOf(reason, "en");
  return {
    id: deps.mint.next("call"),
    callId: call.callId,
    decision: {
      tier: "deny",
      outcome: "denied",
      code,
      because: [why],
      rules: [],
      policyVersion: sha256(""),
      needsHuman: false,
    },
    outcome: "denied",
    code,
    reason: `${why}; ${textOf(hint, "en")}`,
    digest: digestOf(call),
  };
}

/** A question that is over by time keeps its place until the expiry is recorded. False if there is nothing to record. */
export async function wroteExpiry(deps: Deps, live: Question, inForce: InForce, nowMs: number): Promise<boolean> {
  const circle = await circleFor(deps, inForce, live.row);
  const step = expire(live, circle, deps.mint, nowMs);
  if (!step.ok) return false;
  // If this Change is stale, another process has recorded the expiry.
  await commitAgain(deps.store, changeOf(deps.mint, { workspace: deps.workspace, nowMs }, [step.piece]));
  return true;
}

/** The call was sent again under the same id, requested by another person, who is added to the question. */
export async function wroteJoining(deps: Deps, call: ToolCall, asked: Question, nowMs: number): Promise<boolean> {
  const piece = join(asked, call.requestedBy, call.agent, deps.mint);
  if (piece.writes === undefined) return false;
  await commitAgain(deps.store, changeOf(deps.mint, { workspace: deps.workspace, nowMs }, [piece]));
  return true;
}

/** An approval that is no longer enough is withdrawn first; then the call is decided again. */
export async function wroteReopening(
  deps: Deps,
  call: ToolCall,
  now: { permit: Versioned<"executions">; decision: Decision; inForce: InForce; nowMs: number },
): Promise<boolean> {
  const { permit, decision, inForce, nowMs } = now;
  if (decision.tier === "deny" || decision.tier === "shadow") return false;
  const lacking = await notEnough(deps, permit, decision, inForce, nowMs, call.requestedBy);
  if (lacking === undefined) return false;
  const still: Piece = { needs: [{ is: "epoch", epoch: inForce.rows.epoch }] };
  await commitAgain(deps.store, changeOf(deps.mint, { workspace: deps.workspace, nowMs }, [still, lacking.piece]));
  return true;
}

const GONE = say("reason.call_gone");

/** A permit is valid for what the reviewer saw. If a path or file has changed since, it is void, and a new question is asked. */
export async function whereItLed(
  deps: Deps,
  recalled: Undecided,
  permit: Versioned<"executions">,
  seen: Seen,
  effect: Effect,
): Promise<Undecided> {
  const approved =
    permit.row.call === seen.call?.row.id
      ? seen.call
      : await deps.store.read({ ask: "row", workspace: deps.workspace, table: "calls", id: permit.row.call });
  const unvouched = (await unvouchedRight(deps, permit.row)) ?? (approved && (await unvouchedCall(deps, approved.row)));
  if (unvouched !== undefined) throw new StoreUnavailable(unvouched);
  const why = approved === undefined ? GONE : changedSince(effectIn(deps, approved.row), effect);
  if (why === undefined) return recalled;
  const { permit: _, ...rest } = recalled;
  return { ...rest, supersedes: { ...rest.supersedes, execution: permit, why } };
}

/** Why nothing may run after an error, and what to do. */
export function refusalAfter(error: unknown): Refused {
  const why = error instanceof Error ? error.message : String(error);
  if (!(error instanceof StoreUnavailable))
    return refused("LEEWAY_INTERNAL", say("refusal.check_broke_because", { why }), say("hint.report_nothing_ran"));
  const { hint, isInDoubt, refused: told } = error;
  if (told !== undefined) return told;
  if (!isInDoubt) return refused("LEEWAY_AUDIT_UNAVAILABLE", say("refusal.not_recorded", { why }), hint);
  const todo = hint.say === "hint.check_postgres" ? say("hint.send_again_same") : hint;
  return refused("LEEWAY_AUDIT_UNAVAILABLE", say("refusal.maybe_recorded", { why }), todo);
}

const START_REFUSED = say("reason.start_refused");

/**
 * The start of a call was recorded, but its caller was refused, because the store's answer did not come. Only the process that refused it
 * knows that nobody started it: the attempt is that of the refused caller alone. It is taken back before the call is decided again.
 */
export async function tookBack(deps: Deps, held: Versioned<"executions"> | undefined, nowMs: number): Promise<boolean> {
  const attempt = held && deps.remembered.refusedAttempt(held.row.id);
  if (held === undefined || attempt === undefined) return false;
  // People were told that nobody knows how it ended, so it ends here; the call can be sent with another id.
  const ending = { ok: false, error: textOf(START_REFUSED, "en") } as const;
  const step =
    held.row.state === "unknown"
      ? settle(held, { attempt, ending, by: "caller" }, deps.mint, nowMs)
      : takeBack(held, attempt, START_REFUSED, deps.mint, nowMs);
  if (!step.ok) return false;
  await commitAgain(deps.store, changeOf(deps.mint, { workspace: deps.workspace, nowMs }, [step.piece]));
  return true;
}
