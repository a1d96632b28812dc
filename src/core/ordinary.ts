import { baselineOf } from "./baseline.ts";
import type { ToolCall } from "./call.ts";
import { NO_CAPS } from "./caps.ts";
import { classIndex } from "./class-bits.ts";
import type { CompiledPolicy } from "./compile.ts";
import type { Ground } from "./compiled.ts";
import { concluded } from "./conclude.ts";
import type { Decision } from "./decision.ts";
import type { Effect, Target } from "./effect.ts";
import { newGathering } from "./gather.ts";
import { NO_GROUNDS, withGround } from "./grounds.ts";
import { NO_MARKS_FOUND } from "./human.ts";
import { slotsAt } from "./indexes/walk.ts";
import { aim, ask } from "./judge.ts";
import type { Standing } from "./standing.ts";
import type { Tally } from "./tally.ts";
import { viewOf } from "./tool-view.ts";

/**
 * The short way, for the calls that nearly all calls are: one accepted file, one agent, one part, one target at most,
 * and nothing in the standing that could close, mark, lift or cap. It is the long way without the steps that would find
 * nothing to do, and it never makes the same decision twice. Undefined where the call is not of that kind.
 */
export function ordinaryDecision(
  call: ToolCall,
  effect: Effect,
  standing: Standing,
  nowMs: number,
): Decision | undefined {
  const layer = standing.layers[0];
  if (layer === undefined || !layer.isSimple || !isQuiet(standing) || !isSimple(call, effect)) return undefined;
  const part = effect.parts[0];
  const target = part.targets[0];
  const classAt = classIndex(part.class);
  if ((layer.marks.bits & (1 << classAt)) !== 0) return undefined;
  if (mayMeetRules(layer, call.tool, classAt, target)) return byRules(call, effect, standing, layer, classAt, nowMs);
  const asked = { call, actor: call.agent, part, classAt, passedOver: undefined };
  const row = baselineOf(layer, viewOf(layer.tools, call.tool), asked, undefined);
  if (row === undefined) return undefined;
  return kept(call, standing, row, asked.passedOver === row ? undefined : asked.passedOver);
}

/** Nothing in it but the policy. */
function isQuiet(standing: Standing): boolean {
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
    standing.canAsk
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

function mayMeetRules(layer: CompiledPolicy, tool: string, classAt: number, target: Target | undefined): boolean {
  const { rules, tools } = layer;
  if (rules.anything !== undefined || rules.classes[classAt] !== undefined) return true;
  if (viewOf(tools, tool).slots.length > 0) return true;
  if (target === undefined) return false;
  return (target.kind === "path" && target.recursive) || slotsAt(rules, target, 1 << classAt) !== undefined;
}

function byRules(
  call: ToolCall,
  effect: Effect,
  standing: Standing,
  layer: CompiledPolicy,
  classAt: number,
  nowMs: number,
): Decision | undefined {
  const target = effect.parts[0].targets[0];
  const g = newGathering(call, effect, nowMs, classAt);
  aim(g, target);
  if (!ask(g, layer, target, undefined) || g.human.length > 0) return undefined;
  const ground = g.deciding[0];
  if (ground === undefined || g.deciding.length > 1 || g.outweighed.length > 1) return conclude(call, standing, g);
  return kept(call, standing, ground, g.outweighed[0]);
}

function conclude(call: ToolCall, standing: Standing, tally: Tally): Decision {
  return concluded(call, tally, standing, NO_MARKS_FOUND, NO_CAPS, undefined);
}

/** What rests on one ground and outweighs one at most is the same each time, and kept with the ground it rests on. */
function kept(call: ToolCall, standing: Standing, ground: Ground, over: Ground | undefined): Decision {
  const known = ground.decision;
  if (known !== undefined && known.considered[0] === over?.cause && known.policyVersion === standing.policyVersion) {
    return known;
  }
  const outweighed = over === undefined ? NO_GROUNDS : withGround(NO_GROUNDS, over);
  const tally = { rank: ground.rank, deciding: withGround(NO_GROUNDS, ground), outweighed };
  const decision = Object.freeze(conclude(call, standing, tally));
  ground.decision = decision;
  return decision;
}
