import type { Approval } from "../../core/approval.ts";
import { digestOf, type ToolCall } from "../../core/call.ts";
import { changeOf } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import { receiptOf } from "../../core/decide/receipt-of.ts";
import type { Execution, ExecutionIn } from "../../core/execution.ts";
import { say } from "../../core/messages/message.ts";
import { textOf } from "../../core/messages/text.ts";
import type { Receipt } from "../../core/receipt.ts";
import type { CallRow, Seen } from "../../core/rows.ts";
import type { Recalled } from "../../core/steps/recall.ts";
import { deliver } from "../../core/steps/running.ts";
import { sha256 } from "../../core/values/hash.ts";
import type { Json } from "../../core/values/json.ts";
import { noteRefusedCall } from "../approvals/refusal-entries.ts";
import { commitAgain } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { openArgs } from "./args.ts";

/** The answer to a call that was sent before: where it stands now. Nothing is decided; a refusal is on record. */
export async function answerRecalled(
  deps: Deps,
  call: ToolCall,
  seen: Seen,
  recalled: Exclude<Recalled, { is: "undecided" }>,
  nowMs: number,
): Promise<Receipt | undefined> {
  if (recalled.is === "refused" || seen.call === undefined) {
    const why =
      recalled.is === "refused"
        ? recalled.why
        : refused("LEEWAY_INTERNAL", say("refusal.recalled_nothing"), say("hint.report"));
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
      return { ...base, outcome: standsAs(seen.call.row, row), approvalId: row.id, ...(await editsOf(deps, row)) };
    }
    case "running":
      return { ...base, outcome: "pending", code: "LEEWAY_CALL_RUNNING", executionId: recalled.execution.row.id };
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

/** A call that was only proposed, or refused until a person looks, stays so while its question is open. */
function standsAs(row: CallRow, approval: Approval): Receipt["outcome"] {
  return approval.tier === "suggest" || row.decision.code !== undefined ? row.outcome : "pending";
}

/** What a reviewer changed, for the agent whose call it was. */
export async function editsOf(deps: Deps, about: Approval | Execution): Promise<Pick<Receipt, "edited">> {
  if (about.editedFrom === undefined) return {};
  const row = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "calls", id: about.call });
  if (row === undefined) throw new Error(`the edited call ${about.call} is gone (this is a bug)`);
  const opened = openArgs(row.row);
  if (!opened.ok) throw new Error(`the edited arguments of ${about.call} do not open (this is a bug)`);
  return { edited: { from: about.editedFrom, to: about.digest, args: opened.args } };
}

/** The receipt of a call that has been carried out. */
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

/** The gate stays closed: nothing was recorded and nothing may run. */
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
