import type { Digest } from "./call.ts";
import type { Code } from "./codes.ts";
import type { Outcome } from "./decision.ts";
import type { ApprovalId, AttemptId, CallId, ExecutionId, GrantId } from "./ids.ts";
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
