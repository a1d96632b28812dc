import { type Digest, digestOf, type ToolCall } from "../../core/call.ts";
import type { Decision } from "../../core/decision.ts";
import type { Effect } from "../../core/effect.ts";
import type { Deps } from "../deps.ts";
import { lookAtLedger } from "../time/clock.ts";
import { countersOf, effectOf, judge, replyFor } from "./judging.ts";
import { MANNER, type Manner } from "./manner.ts";

/** What would be decided now. Records nothing, asks nobody, uses nothing up. */
export async function check(
  deps: Deps,
  call: ToolCall,
  manner: Manner = MANNER,
): Promise<{ decision: Decision; effect: Effect; digest: Digest }> {
  if (deps.clock.isDue()) await lookAtLedger(deps);
  const nowMs = deps.clock.nowMs();
  const inForce = await deps.standing.current();
  const effect = effectOf(deps, call, inForce);
  const given = { inForce, manner, ...(await countersOf(deps, call, effect, { inForce, manner, nowMs })) };
  const reply = await replyFor(deps, call, effect, given, nowMs);
  const { decision } = judge(deps, call, effect, { ...given, reply: reply?.given }, nowMs);
  return { decision, effect, digest: digestOf(call) };
}
