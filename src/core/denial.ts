import type { Code } from "./codes.ts";
import type { Decision } from "./decision.ts";
import type { Hash } from "./hash.ts";
import { APPROVAL_DEFAULTS } from "./policy.ts";

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
