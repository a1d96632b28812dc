import { expect, test } from "vitest";
import { CODES, type Code } from "../../src/core/codes.ts";
import type { Receipt } from "../../src/core/receipt.ts";
import { refusalOf } from "../../src/service/refusal.ts";

// The maker of a call reads the hint of its refusal: an agent, a program or a person. It says what that reader can do.

/** Codes of answers, claims and requests: the verb itself gives their hint. */
const OF_OTHER_VERBS: readonly Code[] = [
  "LEEWAY_NOT_A_REVIEWER",
  "LEEWAY_SELF_REVIEW",
  "LEEWAY_ASSURANCE",
  "LEEWAY_DIGEST_MISMATCH",
  "LEEWAY_ALREADY_RESOLVED",
  "LEEWAY_ALREADY_REVIEWED",
  "LEEWAY_NOT_FOUND",
  "LEEWAY_AMBIGUOUS",
  "LEEWAY_ALREADY_CLAIMED",
  "LEEWAY_NOT_YOURS",
  "LEEWAY_LEASE_LOST",
  "LEEWAY_NO_BOX",
  "LEEWAY_BAD_INPUT",
  "LEEWAY_FORBIDDEN",
  "LEEWAY_UNAUTHENTICATED",
  "LEEWAY_STALE_SIGN_IN",
  "LEEWAY_CROSS_SITE",
  "LEEWAY_LOCKED",
];

const ofCalls = (Object.keys(CODES) as Code[]).filter((code) => !OF_OTHER_VERBS.includes(code));

test.each(ofCalls)("the refusal %s of a call says what to do, beyond the meaning of the code", (code) => {
  const decision = {
    tier: "ask",
    outcome: "denied",
    because: [],
    rules: [],
    policyVersion: "",
    needsHuman: false,
  } as const;
  const receipt: Receipt = { id: "call_1", callId: "c", decision, outcome: "denied", code, digest: "sha256:" };
  const refusal = refusalOf(receipt, { agent: "coder", tool: "refund" });
  expect(refusal.hint).not.toBe(CODES[code].means);
  expect(refusal.hint).not.toBe(refusal.reason);
  expect(refusal.forModel).toContain(CODES[code].retryable ? "You may try the same call again later." : "Do not retry");
});
