import type { Message } from "./messages/message.ts";

/** Every code a refusal or an error can carry; docs/codes.md lists the same ones, and a test keeps the two alike. */
export const CODES = {
  LEEWAY_DENIED: { retryable: false, means: "a rule, a row of the policy or a policy callback refuses the call" },
  LEEWAY_NEEDS_HUMAN: { retryable: false, means: "a person must review exactly this call before it may run" },
  LEEWAY_PAUSED: { retryable: true, means: "the agent, its session, the tool or everything is paused" },
  LEEWAY_SHADOWED: { retryable: false, means: "the call was recorded as a proposal and did not run" },
  LEEWAY_SUGGESTED: { retryable: false, means: "the call was proposed to the reviewers and did not run now" },
  LEEWAY_PENDING: { retryable: true, means: "reviewers were asked, and the question is not decided yet" },
  LEEWAY_REVIEW_DENIED: { retryable: false, means: "a reviewer denied the call" },
  LEEWAY_EXPIRED: { retryable: false, means: "nobody answered in time" },
  LEEWAY_CANCELLED: { retryable: false, means: "the question was withdrawn" },
  LEEWAY_SUPERSEDED: { retryable: false, means: "another call or an edit replaced this one" },
  LEEWAY_VOID: { retryable: true, means: "the approval is no longer valid for what would run; submit the call again" },
  LEEWAY_HEADLESS: { retryable: false, means: "a person must answer, but nobody can be asked" },
  LEEWAY_NO_REVIEWER: { retryable: false, means: "nobody may review this call, or too few people for its quorum" },
  LEEWAY_NOT_A_REVIEWER: { retryable: false, means: "this person may not review this call" },
  LEEWAY_SELF_REVIEW: { retryable: false, means: "the person who asked for the call may not answer it" },
  LEEWAY_ASSURANCE: { retryable: false, means: "the policy does not accept answers given in this way" },
  LEEWAY_DIGEST_MISMATCH: { retryable: false, means: "the answer was about different content than the question" },
  LEEWAY_ALREADY_RESOLVED: { retryable: false, means: "the question was already answered, or it expired" },
  LEEWAY_ALREADY_REVIEWED: { retryable: false, means: "this person has already answered" },
  LEEWAY_NOT_FOUND: { retryable: false, means: "not found in this workspace" },
  LEEWAY_AMBIGUOUS: { retryable: false, means: "more than one id starts with this short id" },
  LEEWAY_ALREADY_CLAIMED: { retryable: false, means: "the call is already running or has already run" },
  LEEWAY_NOT_YOURS: { retryable: false, means: "this side may not run the call" },
  LEEWAY_NO_BOX: { retryable: true, means: "the call may run only in a box, and there is none" },
  LEEWAY_LEASE_LOST: { retryable: false, means: "the claim expired before the result was reported" },
  LEEWAY_OUTCOME_UNKNOWN: { retryable: false, means: "the call started, but its result is unknown; check it first" },
  LEEWAY_EXECUTION_FAILED: { retryable: false, means: "the call ran and failed" },
  LEEWAY_CALL_RUNNING: { retryable: false, means: "a call with this id is running with other arguments" },
  LEEWAY_CALL_ID_REUSED: { retryable: false, means: "a call with this id ended with other arguments" },
  LEEWAY_EDITED: { retryable: true, means: "approved with other arguments; claim the call to get them" },
  LEEWAY_BACKPRESSURE: { retryable: true, means: "too many calls of this agent are waiting for an answer" },
  LEEWAY_LIMIT: { retryable: true, means: "a limit of the policy is reached" },
  LEEWAY_QUARANTINED: { retryable: false, means: "the tool's definition is new or changed and nobody accepted it" },
  LEEWAY_TOO_LARGE: { retryable: false, means: "the call is larger than the gate examines" },
  LEEWAY_BAD_CALL: { retryable: false, means: "the call is not well formed" },
  LEEWAY_BAD_INPUT: { retryable: false, means: "the input is not well formed" },
  LEEWAY_POLICY_INVALID: { retryable: false, means: "the policy has errors and cannot be loaded" },
  LEEWAY_BUSY: { retryable: true, means: "others changed the same things eight times in a row" },
  LEEWAY_AUDIT_UNAVAILABLE: { retryable: true, means: "the decision could not be recorded, so nothing ran" },
  LEEWAY_LEDGER_BROKEN: { retryable: false, means: "the ledger is not the one that was signed; run leeway verify" },
  LEEWAY_WENT_BACK: {
    retryable: false,
    means: "the database is older than what was signed, or another one; a person must explain it with leeway recover",
  },
  LEEWAY_TAMPERED: {
    retryable: false,
    means: "somebody changed the data in force without the gate's key; run leeway verify",
  },
  LEEWAY_INTERNAL: { retryable: false, means: "a check failed unexpectedly, so the call was denied" },
  LEEWAY_FORBIDDEN: { retryable: false, means: "this person may not do this" },
  LEEWAY_UNAUTHENTICATED: { retryable: false, means: "not signed in, or the token is unknown" },
  LEEWAY_STALE_SIGN_IN: { retryable: true, means: "this needs a person who signed in within the last five minutes" },
  LEEWAY_CROSS_SITE: { retryable: false, means: "the request came from another site, or for another host name" },
  LEEWAY_LOCKED: { retryable: true, means: "too many wrong passphrases; wait before the next try" },
} as const;

export type Code = keyof typeof CODES;

/** An expected refusal of a verb: a value, never thrown inside the gate. */
export type Refused = { ok: false; code: Code; reason: Message; hint: Message };

export function refused(code: Code, reason: Message, hint: Message): Refused {
  return { ok: false, code, reason, hint };
}
