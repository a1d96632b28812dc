import type { Reply } from "./approval.ts";
import type { Box } from "./box.ts";
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
    /** The box that the call must run in, if the caller can make boxes. */
    box?: Box;
    policyVersion: string;
    needsHuman: boolean;
  };
  outcome: Outcome;
  /** The code of the call, if it differs from the decision's own code. */
  code?: Code;
  reason?: string;
  digest: Digest;
  approvalId?: ApprovalId;
  executionId?: ExecutionId;
  /** The attempt to name when settling: the permission to run the call, held by this caller. */
  attempt?: AttemptId;
  result?: Json;
  error?: string;
  /** Set if a reviewer changed the arguments: the original and the approved digest. */
  edited?: { from: Digest; to: Digest; args: JsonObject };
  /** What reviewers wrote to the agent without an answer, oldest first. */
  replies?: readonly Reply[];
  /** Set if waiting ended because of replies that the agent had not been given: how many, the last of `replies`. */
  newReplies?: number;
  approvedMeanwhile?: readonly ApprovalId[];
  ledgerIndex?: number;
  /** Other information for the caller, for example that the clock is wrong. */
  notes?: readonly string[];
};
