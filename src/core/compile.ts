import type { Policy } from "./policy.ts";

/** A layer made ready for deciding. */
export type CompiledPolicy = { policy: Policy };

export function compilePolicy(policy: Policy): CompiledPolicy {
  return { policy };
}
