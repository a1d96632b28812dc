import type { ToolCall } from "./call.ts";
import { NO_CAPS } from "./caps.ts";
import { classIndex } from "./class-bits.ts";
import type { CompiledPolicy } from "./compile.ts";
import type { Ground } from "./compiled.ts";
import { concluded } from "./conclude.ts";
import type { Decision } from "./decision.ts";
import type { Effect } from "./effect.ts";
import { NO_MARKS_FOUND } from "./human.ts";
import { judgeOnce } from "./judge.ts";
import type { Standing } from "./standing.ts";

/**
 * The short way, for the calls that nearly all calls are: one policy file, one agent, one part, and nothing in the
 * standing that could close, mark, lift or cap. It is the long way without the steps that would find nothing to do;
 * what rests on a single ground is moreover the same each time, and kept with that ground.
 */
export function ordinaryDecision(
  call: ToolCall,
  effect: Effect,
  standing: Standing,
  nowMs: number,
): Decision | undefined {
  const layer = standing.layers[0];
  if (layer === undefined || !isOrdinary(standing, layer) || !isSimple(call, effect)) return undefined;
  const classAt = classIndex(effect.parts[0].class);
  if ((layer.marks.bits & (1 << classAt)) !== 0) return undefined;
  const tally = judgeOnce(call, effect, layer, classAt, nowMs);
  if (tally.human.length > 0) return undefined;
  const ground = tally.deciding[0];
  if (ground?.policy === undefined || tally.deciding.length > 1 || tally.outweighed.length > 0) {
    return concluded(call, tally, standing, NO_MARKS_FOUND, NO_CAPS, undefined);
  }
  const kept = ground.decision;
  if (kept !== undefined && kept.policyVersion === standing.policyVersion) return kept;
  return keep(ground, concluded(call, tally, standing, NO_MARKS_FOUND, NO_CAPS, undefined));
}

function isOrdinary(standing: Standing, layer: CompiledPolicy): boolean {
  return (
    standing.layers.length === 1 &&
    standing.scopes.length === 0 &&
    standing.pausesFresh &&
    standing.pauses.length === 0 &&
    standing.noPolicy === undefined &&
    !standing.quarantined &&
    standing.promotions.length === 0 &&
    standing.grants.length === 0 &&
    standing.callback === undefined &&
    standing.permit === undefined &&
    standing.canAsk &&
    layer.isSimple
  );
}

function isSimple(call: ToolCall, effect: Effect): boolean {
  return (
    call.chain.length === 0 &&
    effect.parts.length === 1 &&
    effect.understood === "fully" &&
    effect.refused === undefined &&
    effect.parts[0].targets.length <= 1
  );
}

function keep(ground: Ground, decision: Decision): Decision {
  ground.decision = Object.freeze(decision);
  return decision;
}
