import type { Execution } from "../core/execution.ts";
import type { AttemptId } from "../core/ids.ts";
import { renew, type Settling, settle } from "../gate/calls/claim.ts";
import { reconcile } from "../gate/calls/reconcile.ts";
import { type ClaimedCall, claimed, ownCall, type Speaker } from "./claimed.ts";
import { jsonOf } from "./input.ts";
import { type By, VOUCHED } from "./people.ts";
import { orThrow } from "./refusal.ts";
import { anyText, anything, checked, flag, maybe, reason, type Shape, shaped, text, textOf } from "./shape.ts";

/** How a call ended that this program carried out itself. */
export type SettleInput = { attempt: string } & ({ ok: true; result?: unknown } | { ok: false; error: string });

type Reconciling = By & { ok: boolean; note: string };
const RECONCILING: Shape<Reconciling> = { by: text, ok: flag, note: reason };

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
      const { attempt } = checked(held, { attempt: text });
      await ownCall(speaker, textOf(executionId, "executionId"));
      return orThrow(await renew(deps, executionId, attempt as AttemptId));
    },
    settle: async (executionId: string, input: SettleInput): Promise<Execution> => {
      const settling = settlingOf(input);
      await ownCall(speaker, textOf(executionId, "executionId"));
      return orThrow(await settle(deps, executionId, settling));
    },
    /** A person looked and says how a call of unknown outcome ended. */
    reconcile: async (executionId: string, said: Reconciling): Promise<Execution> =>
      orThrow(await reconcile(deps, textOf(executionId, "executionId"), { ...checked(said, RECONCILING), ...VOUCHED })),
  };
}

/** All that may be said about an ending; `settlingOf` looks at what goes together. */
export const SETTLE_SHAPE = { attempt: text, ok: flag, result: anything, error: maybe(anyText) };

/** A call that succeeded has no error, and one that failed no result: whoever says both knows neither. */
export function settlingOf(input: SettleInput): Settling {
  const given = shaped(input, ["attempt", "ok", "result", "error"]);
  flag(given["ok"], "ok");
  const by = "caller" as const;
  if (input.ok) {
    const json = (value: unknown, path: string) => void jsonOf(value ?? null, path);
    const { attempt, result } = checked(input, { attempt: text, ok: flag, result: json });
    return { attempt: attempt as AttemptId, by, ending: { ok: true, result: jsonOf(result ?? null, "result") } };
  }
  const { attempt, error } = checked(input, { attempt: text, ok: flag, error: anyText });
  return { attempt: attempt as AttemptId, by, ending: { ok: false, error } };
}
