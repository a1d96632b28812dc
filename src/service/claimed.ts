import type { Box } from "../core/box.ts";
import type { AttemptId, ExecutionId } from "../core/ids.ts";
import { say } from "../core/messages/message.ts";
import type { JsonObject } from "../core/values/json.ts";
import { claim } from "../gate/calls/claim.ts";
import type { Deps } from "../gate/deps.ts";
import { LeewayRefusal, orThrow } from "./refusal.ts";
import type { Scopes } from "./scope.ts";

/** A call that this program has claimed, with exactly the arguments with which it may run. */
export type HeldCall = { executionId: ExecutionId; attempt: AttemptId; args: JsonObject; box?: Box };

/** The caller's gate, and its scope in the program. */
export type Caller = { deps: Deps; scopes: Scopes };

export type ClaimedCall = HeldCall & { tool: string; leaseUntilMs: number };

/** Claims an execution. The arguments come from the store, so that edited arguments run. */
export async function claimed(deps: Deps, executionId: string, boxed = false): Promise<ClaimedCall> {
  const { execution, args, box } = orThrow(await claim(deps, executionId, "caller", { handed: false, boxed }));
  if (execution.state !== "claimed") throw new Error(`a claim left the execution ${execution.state} (this is a bug)`);
  const { id, attempt, leaseUntilMs, tool } = execution;
  return { executionId: id, attempt, leaseUntilMs, tool, args, ...(box === undefined ? {} : { box }) };
}

/** An agent can run only its own calls. */
export async function ownCall({ deps, scopes }: Caller, executionId: string): Promise<void> {
  const { agent } = scopes.current();
  if (agent === undefined) return;
  const { store, workspace, remembered } = deps;
  const held =
    remembered.right(executionId) ??
    (await store.read({ ask: "row", workspace, table: "executions", id: executionId }));
  if (held === undefined || held.row.agent === agent) return;
  throw new LeewayRefusal({
    code: "LEEWAY_FORBIDDEN",
    reason: say("refusal.other_agents_call", { id: executionId, agent }),
    hint: say("hint.carry_out_as_agent"),
  });
}
