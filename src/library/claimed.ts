import { claim } from "../gate/claim.ts";
import type { Deps } from "../gate/deps.ts";
import type { Held } from "./carry.ts";
import { orThrow } from "./refusal.ts";

export type ClaimedCall = Held & { tool: string; leaseUntilMs: number };

/** Takes the right and what it is the right to: the arguments come from the record, so that an edit is what runs. */
export async function claimed(deps: Deps, executionId: string): Promise<ClaimedCall> {
  const { execution, args } = orThrow(await claim(deps, executionId, "caller"));
  if (execution.state !== "claimed") throw new Error(`a claim left the execution ${execution.state} (this is a bug)`);
  const { id, attempt, leaseUntilMs, tool } = execution;
  return { executionId: id, attempt, leaseUntilMs, tool, args };
}
