import type { ToolCall } from "../core/call.ts";
import type { EffectClass } from "../core/effect.ts";
import type { AttemptId } from "../core/ids.ts";
import type { Receipt } from "../core/receipt.ts";
import type { Json } from "../core/values/json.ts";
import { renew, settle } from "../gate/calls/claim.ts";
import type { Deps } from "../gate/deps.ts";
import { type ClaimedCall, claimed } from "../service/claimed.ts";
import { orThrow } from "../service/refusal.ts";
import type { ReadCall } from "../service/shapes/call.ts";

export type ToolEnding = { ok: true; result: Json } | { ok: false; error: string };

/** What is needed to hold and settle a call's execution. Refusals and storage errors are thrown. */
export type Holding = {
  claim(executionId: string): Promise<ClaimedCall>;
  renew(executionId: string, attempt: AttemptId): Promise<void>;
  settle(executionId: string, attempt: AttemptId, ending: ToolEnding): Promise<void>;
  nowMs(): number;
  sleep(ms: number): Promise<void>;
};

/** Everything that `guard` needs from a gate, in this program or on a server. */
export type Calls = Holding & {
  submit(said: ReadCall): Promise<{ call: ToolCall; receipt: Receipt }>;
  wait(approvalId: string, how: { timeoutMs: number; signal?: AbortSignal }): Promise<Receipt>;
  /** The effect of the call, for the text of a refusal. */
  classOf(approvalId: string, call: ToolCall): Promise<EffectClass | undefined>;
};

/** The executions of the gate in this program. */
export function holdingOf(deps: Deps): Holding {
  return {
    claim: (executionId) => claimed(deps, executionId),
    renew: async (executionId, attempt) => void orThrow(await renew(deps, executionId, attempt)),
    settle: async (executionId, attempt, ending) =>
      void orThrow(await settle(deps, executionId, { attempt, by: "caller", ending })),
    nowMs: () => deps.clock.nowMs(),
    sleep: (ms) => deps.clock.sleep(ms),
  };
}
