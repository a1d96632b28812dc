import type { Digest } from "./call.ts";
import type { Code } from "./codes.ts";
import { rulesOf, sentencesOf } from "./decide/explain.ts";
import type { Decision, Outcome } from "./decision.ts";
import type { ApprovalId, AttemptId, CallId, ExecutionId, GrantId } from "./ids.ts";
import type { CallRow } from "./rows.ts";
import type { Tier } from "./tier.ts";
import type { Json, JsonObject } from "./values/json.ts";

/** What the caller gets back. */
export type Receipt = {
  id: CallId;
  callId: string;
  decision: {
    tier: Tier;
    outcome: Outcome;
    code?: Code;
    because: readonly string[];
    rules: readonly string[];
    grant?: GrantId;
    policyVersion: string;
    needsHuman: boolean;
  };
  outcome: Outcome;
  /** Why the call as a whole stands where it stands, where that is not the decision's own code. */
  code?: Code;
  reason?: string;
  digest: Digest;
  approvalId?: ApprovalId;
  executionId?: ExecutionId;
  /** Named when settling: the right to carry the call out, held by this caller. */
  attempt?: AttemptId;
  result?: Json;
  error?: string;
  /** A reviewer changed the arguments: what was asked, what was approved. */
  edited?: { from: Digest; to: Digest; args: JsonObject };
  approvedMeanwhile?: readonly ApprovalId[];
  ledgerIndex?: number;
  /** What the caller should know besides: that the clock is wrong, for one. */
  notes?: readonly string[];
};

export function withNotes(receipt: Receipt, notes: readonly string[]): Receipt {
  return notes.length === 0 ? receipt : { ...receipt, notes };
}

/** The receipt of a call row; its place in the ledger is known once the Change is committed. */
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
  if (refusal?.by === "code") receipt.reason = refusal.because;
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
