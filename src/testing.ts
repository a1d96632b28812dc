import { parsePolicyText } from "./config/policy-text.ts";
import type { Policy } from "./core/policy.ts";

// What a program needs to test its own use of the gate: a clock it turns, ids it can predict, one policy in memory.

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

/** A policy as one writes it. */
export function policyFrom(text: string, path = "leeway.yaml"): Policy {
  const loaded = parsePolicyText(text, path);
  if (!loaded.ok)
    throw new Error(loaded.faults.map((fault) => `${fault.line}:${fault.column} ${fault.message}`).join("; "));
  return loaded.policy;
}
