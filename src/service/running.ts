import { type Execution, executionText } from "../core/execution.ts";
import { renew, type Settling, settle } from "../gate/calls/claim.ts";
import { reconcile } from "../gate/calls/reconcile.ts";
import { type ClaimedCall, claimed, ownCall, type Speaker } from "./claimed.ts";
import { VOUCHED } from "./people.ts";
import { orThrow } from "./refusal.ts";
import { parse, type TypeOf, textOf } from "./shape.ts";
import { HELD, RECONCILING, SETTLING, type SettleInput } from "./shapes/running.ts";

/** For programs that carry calls out themselves. */
export function runningOf(speaker: Speaker) {
  const { deps } = speaker;
  return {
    /** Takes the right to carry a call out, and exactly the arguments it may be carried out with. */
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
    /** A person looked and says how a call of unknown outcome ended. */
    reconcile: async (executionId: string, said: TypeOf<typeof RECONCILING>): Promise<Execution> => {
      const reconciling = { ...parse(RECONCILING, said), ...VOUCHED };
      return executionText(orThrow(await reconcile(deps, textOf(executionId, "executionId"), reconciling)));
    },
  };
}

/** An ending that was looked at. */
export function settlingOf(said: TypeOf<typeof SETTLING>): Settling {
  const { attempt } = said;
  const ending = said.ok ? { ok: said.ok, result: said.result ?? null } : { ok: said.ok, error: said.error };
  return { attempt, by: "caller", ending };
}
