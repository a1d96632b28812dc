import { type Digest, digestOf, type ToolCall } from "../../core/call.ts";
import { decide } from "../../core/decide/decide.ts";
import type { Decision } from "../../core/decision.ts";
import type { Effect } from "../../core/effect.ts";
import type { Deps } from "../deps.ts";
import { lookAtLedger } from "../time/clock.ts";
import { countersFor, effectOf, replyFor, standingFor } from "./judging.ts";
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
  const counted = countersFor(call, effect, inForce, manner.scopes, nowMs);
  const { workspace } = deps;
  const sums = await deps.store.read({ ask: "counters", workspace, counters: counted.names, nowMs });
  const given = { inForce, manner, counted, sums };
  const reply = await replyFor(deps, call, { effect, standing: standingFor(deps, given), nowMs });
  const standing = standingFor(deps, { ...given, reply: reply?.given });
  return { decision: decide(call, effect, standing, nowMs), effect, digest: digestOf(call) };
}
