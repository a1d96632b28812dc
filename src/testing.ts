import { parsePolicyText } from "./config/policy/policy-text.ts";
import type { Approval } from "./core/approval.ts";
import type { Policy } from "./core/policy.ts";
import { approvalAt } from "./gate/approvals/approval-at.ts";
import { review } from "./gate/approvals/review.ts";
import type { Deps } from "./gate/deps.ts";
import { addPerson } from "./gate/people/people.ts";
import { faultText } from "./gate/standing/standing.ts";
import { orThrow } from "./service/refusal.ts";

// What a program needs to test its own use of the gate: a clock that the test controls, predictable ids, and one policy in memory.

export {
  fixedPolicy,
  plainPaths,
  type TestClock,
  type TestParts,
  testClock,
  testDeps,
  testMint,
  testPolicy,
} from "./testing/parts.ts";

/** A policy in the form of a policy file. */
export function policyFrom(text: string, path = "leeway.yaml"): Policy {
  const loaded = parsePolicyText(text, path);
  if (!loaded.ok) throw new Error(faultText(loaded.faults));
  return loaded.policy;
}

/** Who answers, and with which note. */
type TestAnswer = { by?: string; note?: string };

/**
 * Approves a question as a person at a terminal would; as `ana` if nobody is named.
 *
 * @example
 * ```ts
 * const deps = testDeps({ policy: policyFrom("tier: ask") });
 * await addReviewer(deps);
 * const gate = createGate(deps);
 * const { approvalId } = await gate.submit({ tool: "deploy" });
 * await approve(deps, approvalId);
 * ```
 */
export function approve(deps: Deps, approvalId: string | undefined, answer: TestAnswer = {}): Promise<Approval> {
  return answered(deps, approvalId, "approve", answer);
}

/** Denies a question, in the same way. */
export function deny(deps: Deps, approvalId: string | undefined, answer: TestAnswer = {}): Promise<Approval> {
  return answered(deps, approvalId, "deny", answer);
}

async function answered(
  deps: Deps,
  approvalId: string | undefined,
  verdict: "approve" | "deny",
  { by = "ana", note = "" }: TestAnswer,
): Promise<Approval> {
  const asked = approvalId === undefined ? undefined : await approvalAt(deps, approvalId);
  if (asked === undefined) throw new Error(`nothing was asked: there is no question ${approvalId ?? "to answer"}`);
  const given = { by, verdict, digest: asked.row.digest, note, bulk: false, assurance: "tty" as const };
  return orThrow(await review(deps, asked.row.id, given));
}

/** Adds a person who can answer; the first is an admin. Without anybody, a call that needs an answer is refused. */
export async function addReviewer(deps: Deps, name = "ana"): Promise<void> {
  orThrow(await addPerson(deps, { name, admin: true, by: name, assurance: "tty" }));
}
