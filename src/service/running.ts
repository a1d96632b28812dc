import { type Execution, executionText } from "../core/execution.ts";
import { release, renew, type Settling, settle } from "../gate/calls/claim.ts";
import { reconcile } from "../gate/calls/reconcile.ts";
import { type Caller, type ClaimedCall, claimed, ownCall } from "./claimed.ts";
import { VOUCHED } from "./people.ts";
import { orThrow } from "./refusal.ts";
import { parse, type TypeOf, textOf } from "./shape.ts";
import { HELD, RECONCILING, RELEASING, type ReleaseInput, SETTLING, type SettleInput } from "./shapes/running.ts";

/** For programs that run calls themselves. */
export function runningOf(speaker: Caller) {
  const { deps } = speaker;
  return {
    /** Claims an execution, and returns exactly the arguments with which the call may run. */
    claim: async (executionId: string): Promise<ClaimedCall> => {
      await ownCall(speaker, textOf(executionId, "executionId"));
      return claimed(deps, executionId);
    },
    renew: async (executionId: string, held: { attempt: string }): Promise<Execution> => {
      const { attempt } = parse(HELD, held);
      await ownCall(speaker, textOf(executionId, "executionId"));
      return executionText(orThrow(await renew(deps, executionId, attempt)));
    },
    settle: async (executionId: string, input: SettleInput): Promise<Execution> => {
      const settling = settlingOf(parse(SETTLING, input));
      await ownCall(speaker, textOf(executionId, "executionId"));
      return executionText(orThrow(await settle(deps, executionId, settling)));
    },
    /** The call certainly did not start: its execution is ready again, and the same call can be claimed later. */
    release: async (executionId: string, said: ReleaseInput): Promise<Execution> => {
      const { attempt, why } = parse(RELEASING, said);
      await ownCall(speaker, textOf(executionId, "executionId"));
      return executionText(orThrow(await release(deps, executionId, { attempt, why })));
    },
    /** A person reports how a call with an unknown result ended. */
    reconcile: async (executionId: string, said: TypeOf<typeof RECONCILING>): Promise<Execution> => {
      const reconciling = { ...parse(RECONCILING, said), ...VOUCHED };
      return executionText(orThrow(await reconcile(deps, textOf(executionId, "executionId"), reconciling)));
    },
  };
}

/** A result that was checked. */
export function settlingOf(said: TypeOf<typeof SETTLING>): Settling {
  const { attempt } = said;
  const ending = said.ok ? { ok: said.ok, result: said.result ?? null } : { ok: said.ok, error: said.error };
  return { attempt, by: "caller", ending };
}
