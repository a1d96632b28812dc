import type { Decision } from "../decision.ts";
import type { AttemptId } from "../ids.ts";
import { textOf } from "../messages/text.ts";
import type { Receipt } from "../receipt.ts";
import type { CallRow } from "../rows.ts";
import { rulesOf, sentencesOf } from "./explain.ts";

export function withNotes(receipt: Receipt, notes: readonly string[]): Receipt {
  return notes.length === 0 ? receipt : { ...receipt, notes };
}

/** The receipt of a call row; its index in the ledger is known after the Change is committed. */
export function receiptOf(row: CallRow, attempt?: AttemptId): Receipt {
  const { decision } = row;
  const refusal = decision.outcome === "denied" ? decision.causes.find((cause) => cause.by === "code") : undefined;
  const receipt: Receipt = {
    id: row.id,
    callId: row.callId,
    decision: decisionView(decision),
    outcome: row.outcome,
    digest: row.digest,
  };
  if (decision.code !== undefined) receipt.code = decision.code;
  if (refusal?.by === "code") receipt.reason = textOf(refusal.because, "en");
  if (row.approvalId !== undefined) receipt.approvalId = row.approvalId;
  if (row.executionId !== undefined) receipt.executionId = row.executionId;
  if (attempt !== undefined) receipt.attempt = attempt;
  return receipt;
}

export function decisionView(decision: Decision): Receipt["decision"] {
  const view: Receipt["decision"] = {
    tier: decision.tier,
    outcome: decision.outcome,
    because: sentencesOf(decision.causes),
    rules: rulesOf(decision.causes),
    policyVersion: decision.policyVersion,
    needsHuman: decision.needsHuman,
  };
  if (decision.code !== undefined) view.code = decision.code;
  if (decision.grant !== undefined) view.grant = decision.grant;
  return view;
}
