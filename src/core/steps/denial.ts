import type { Code } from "../codes.ts";
import type { Decision } from "../decision.ts";
import { type Message, say } from "../messages/message.ts";
import { APPROVAL_DEFAULTS } from "../policy.ts";
import type { Hash } from "../values/hash.ts";

/** A refusal that needed no policy: the call could not even be looked at. */
export function outright(code: Code, because: Message, policyVersion: Hash): Decision {
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
export function turnedDown(decision: Decision, code: Code, because: Message): Decision {
  const { permit: _permit, grant: _grant, ...rest } = decision;
  return { ...rest, outcome: "denied", code, causes: [...decision.causes, { by: "code", code, because }] };
}

/**
 * Left to the prompt of the agent's program, which cannot tell who answers. Never for a call that needs more than one
 * person or a named person; a call that needs a human is refused earlier.
 */
export function delegated(decision: Decision): Decision {
  if (decision.outcome !== "pending") return decision;
  const { quorum, reviewers } = decision.asking;
  if (quorum === 1 && reviewers.length === 0) return { ...decision, outcome: "delegated" };
  const because = say("reason.host_prompt");
  return turnedDown(decision, "LEEWAY_NO_REVIEWER", because);
}
