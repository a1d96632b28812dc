import type { ToolCall } from "../core/call.ts";
import type { EffectClass } from "../core/effect.ts";
import type { AttemptId } from "../core/ids.ts";
import type { Receipt } from "../core/receipt.ts";
import type { Json } from "../core/values/json.ts";
import { renew, settle } from "../gate/calls/claim.ts";
import type { Deps } from "../gate/deps.ts";
import { type ClaimedCall, claimed } from "../service/claimed.ts";
import type { CallInput } from "../service/input.ts";
import { orThrow } from "../service/refusal.ts";

export type ToolEnding = { ok: true; result: Json } | { ok: false; error: string };

/** What holding a call's right takes. What is refused is thrown, and so is a record that cannot be used. */
export type Holding = {
  claim(executionId: string): Promise<ClaimedCall>;
  renew(executionId: string, attempt: AttemptId): Promise<void>;
  settle(executionId: string, attempt: AttemptId, ending: ToolEnding): Promise<void>;
  nowMs(): number;
  sleep(ms: number): Promise<void>;
};

/** All that guarding a tool takes of a gate, whether it is in this program or behind an address. */
export type Calls = Holding & {
  submit(input: CallInput): Promise<{ call: ToolCall; receipt: Receipt }>;
  wait(approvalId: string, how: { timeoutMs: number; signal?: AbortSignal }): Promise<Receipt>;
  /** What the call does, for the words of a refusal. */
  classOf(approvalId: string, call: ToolCall): Promise<EffectClass | undefined>;
};

/** The rights that the gate of this program gives. */
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
