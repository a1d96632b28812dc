import type { Digest } from "./call.ts";
import type { Code } from "./codes.ts";
import type { Decision, Outcome } from "./decision.ts";
import { rulesOf, sentencesOf } from "./explain.ts";
import type { ApprovalId, AttemptId, CallId, ExecutionId, GrantId } from "./ids.ts";
import type { Json } from "./json.ts";
import type { Tier } from "./tier.ts";

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
  approvedMeanwhile?: readonly ApprovalId[];
  ledgerIndex?: number;
};

export function decisionView(decision: Decision): Receipt["decision"] {
  return {
    tier: decision.tier,
    outcome: decision.outcome,
    ...(decision.code === undefined ? {} : { code: decision.code }),
    because: sentencesOf(decision.causes),
    rules: rulesOf(decision.causes),
    ...(decision.grant === undefined ? {} : { grant: decision.grant }),
    policyVersion: decision.policyVersion,
    needsHuman: decision.needsHuman,
  };
}
