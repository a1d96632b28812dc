import type { Code } from "../codes.ts";
import type { Decision } from "../decision.ts";
import { APPROVAL_DEFAULTS } from "../policy.ts";
import type { Hash } from "../values/hash.ts";

/** A refusal that needed no policy: the call could not even be looked at. */
export function outright(code: Code, because: string, policyVersion: Hash): Decision {
  return {
    tier: "deny",
    outcome: "denied",
    code,
    needsHuman: false,
    causes: [{ by: "code", code, because }],
    considered: [],
    limits: [],
    asking: { ...APPROVAL_DEFAULTS, reviewers: [] },
    policyVersion,
  };
}

/** The policy would have asked or run it, and something else stands in the way. */
export function turnedDown(decision: Decision, code: Code, because: string): Decision {
  const { permit: _permit, grant: _grant, ...rest } = decision;
  return { ...rest, outcome: "denied", code, causes: [...decision.causes, { by: "code", code, because }] };
}

/**
 * Handed to the host's own prompt, which cannot tell who answers: never what needs more than one person, or a named
 * one, or a person of its own (that is refused before it gets here).
 */
export function delegated(decision: Decision): Decision {
  if (decision.outcome !== "pending") return decision;
  const { quorum, reviewers } = decision.asking;
  if (quorum === 1 && reviewers.length === 0) return { ...decision, outcome: "delegated" };
  const because = "it is for named reviewers or for more than one, and the host's own prompt cannot tell who answers";
  return turnedDown(decision, "LEEWAY_NO_REVIEWER", because);
}
