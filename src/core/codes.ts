/** Every code a refusal or an error can carry; docs/codes.md lists the same ones, and a test keeps the two alike. */
export const CODES = {
  LEEWAY_DENIED: { retryable: false, means: "a rule, a row of the policy or a policy callback refuses the call" },
  LEEWAY_NEEDS_HUMAN: { retryable: false, means: "only one person's fresh review of exactly this call lets it run" },
  LEEWAY_PAUSED: { retryable: true, means: "the agent, its session, the tool or everything is paused" },
  LEEWAY_SHADOWED: { retryable: false, means: "the call was recorded as a proposal and not carried out" },
  LEEWAY_SUGGESTED: { retryable: false, means: "the call was proposed to the reviewers and not carried out now" },
  LEEWAY_PENDING: { retryable: true, means: "reviewers were asked and nobody has decided yet" },
  LEEWAY_REVIEW_DENIED: { retryable: false, means: "a reviewer said no" },
  LEEWAY_EXPIRED: { retryable: false, means: "nobody answered in time" },
  LEEWAY_CANCELLED: { retryable: false, means: "the question was withdrawn" },
  LEEWAY_SUPERSEDED: { retryable: false, means: "another call or an edit took the place of this one" },
  LEEWAY_VOID: { retryable: true, means: "the approval no longer fits what would run; submit the call again" },
  LEEWAY_HEADLESS: { retryable: false, means: "a person would have to answer and nobody can be asked" },
  LEEWAY_NO_REVIEWER: { retryable: false, means: "nobody may review this call, or fewer people than its quorum" },
  LEEWAY_NOT_A_REVIEWER: { retryable: false, means: "this person may not review this call" },
  LEEWAY_SELF_REVIEW: { retryable: false, means: "who asked may not answer" },
  LEEWAY_ASSURANCE: { retryable: false, means: "the answer was not given in a way the policy trusts" },
  LEEWAY_DIGEST_MISMATCH: { retryable: false, means: "the answer was about other bytes than the ones asked about" },
  LEEWAY_ALREADY_RESOLVED: { retryable: false, means: "somebody or the clock decided first" },
  LEEWAY_ALREADY_REVIEWED: { retryable: false, means: "this person has answered already" },
  LEEWAY_NOT_FOUND: { retryable: false, means: "there is no such thing in this workspace" },
  LEEWAY_AMBIGUOUS: { retryable: false, means: "the short id fits more than one" },
  LEEWAY_ALREADY_CLAIMED: { retryable: false, means: "somebody else is carrying the call out or has done so" },
  LEEWAY_NOT_YOURS: { retryable: false, means: "the other side may carry this call out" },
  LEEWAY_LEASE_LOST: { retryable: false, means: "the claim ran out before the result came" },
  LEEWAY_OUTCOME_UNKNOWN: { retryable: false, means: "it started and nobody knows how it ended; check first" },
  LEEWAY_EXECUTION_FAILED: { retryable: false, means: "the call ran and failed" },
  LEEWAY_CALL_RUNNING: { retryable: false, means: "a call with this id is running with other arguments" },
  LEEWAY_CALL_ID_REUSED: { retryable: false, means: "a call with this id ended with other arguments" },
  LEEWAY_EDITED: { retryable: true, means: "approved with other arguments; claim it to be handed those" },
  LEEWAY_BACKPRESSURE: { retryable: true, means: "too many calls of this agent wait for people" },
  LEEWAY_LIMIT: { retryable: true, means: "a limit of the policy is reached" },
  LEEWAY_QUARANTINED: { retryable: false, means: "the tool's definition is new or changed and nobody accepted it" },
  LEEWAY_TOO_LARGE: { retryable: false, means: "the call is larger than the gate examines" },
  LEEWAY_BAD_CALL: { retryable: false, means: "the call is not well formed" },
  LEEWAY_BAD_INPUT: { retryable: false, means: "what was given is not well formed" },
  LEEWAY_POLICY_INVALID: { retryable: false, means: "the policy does not load" },
  LEEWAY_BUSY: { retryable: true, means: "others changed the same things eight times in a row" },
  LEEWAY_AUDIT_UNAVAILABLE: { retryable: true, means: "the decision could not be recorded, so nothing ran" },
  LEEWAY_LEDGER_BROKEN: { retryable: false, means: "the ledger is not the one that was signed; run leeway verify" },
  LEEWAY_WENT_BACK: {
    retryable: false,
    means:
      "the database is older than what was signed, or another one; a person has to say what happened: leeway recover",
  },
  LEEWAY_TAMPERED: {
    retryable: false,
    means: "what is in force was written by somebody without the gate's key; run leeway verify",
  },
  LEEWAY_INTERNAL: { retryable: false, means: "a check broke, so the gate stayed closed" },
  LEEWAY_FORBIDDEN: { retryable: false, means: "this person may not do this" },
  LEEWAY_UNAUTHENTICATED: { retryable: false, means: "nobody is signed in here, or the token is not known" },
  LEEWAY_STALE_SIGN_IN: { retryable: true, means: "this takes a person who proved to be one a moment ago" },
  LEEWAY_CROSS_SITE: { retryable: false, means: "the request came from another site, or under another name" },
  LEEWAY_LOCKED: { retryable: true, means: "too many wrong passphrases; the next one is looked at after a wait" },
} as const;

export type Code = keyof typeof CODES;

/** An expected refusal of a verb: a value, never thrown inside the gate. */
export type Refused = { ok: false; code: Code; reason: string; hint: string };

export function refused(code: Code, reason: string, hint: string): Refused {
  return { ok: false, code, reason, hint };
}
