import type { ToolCall } from "../call.ts";
import type { Cause, Decision } from "../decision.ts";
import type { Effect, Target } from "../effect.ts";
import { isWildName } from "../values/glob.ts";
import { baselineOf, type PartAsked } from "./baseline.ts";
import { classIndex } from "./class-bits.ts";
import type { Ground } from "./compiled.ts";
import type { CompiledPolicy } from "./compiled-policy.ts";
import { concludedPlainly } from "./conclude.ts";
import { aim, type Gathering, gatherAll, newGathering } from "./gather.ts";
import { NO_CAUSES, onlyOf } from "./grounds.ts";
import { slotsAt } from "./indexes/walk.ts";
import { rowSpeaks, saidBy } from "./saying.ts";
import type { Standing } from "./standing.ts";
import { SILENT } from "./tally.ts";
import { type ToolView, viewOf } from "./tool-view.ts";

/**
 * The fast path for almost all calls: one accepted file, one agent, one part, at most one target, and nothing in the
 * standing that could close, mark, lift or cap. It leaves out the steps that would find nothing, and a decision that
 * depends only on a row is made once. Returns undefined if the call is not of this kind.
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
  const classAt = classIndex(part.class);
  if ((layer.marks.bits & (1 << classAt)) !== 0) return undefined;
  const target = part.targets[0];
  const view = viewOf(layer.tools, call.tool);
  if (view.renamed) return undefined;
  const here = target === undefined ? undefined : slotsAt(layer.rules, target, 1 << classAt, view);
  if (here === undefined && !hasOtherRules(layer, view, classAt, target)) {
    return byRows({ call, actor: call.agent, part, classAt, passedOver: undefined }, standing, layer, view);
  }
  const g = newGathering(call, effect, nowMs, classAt);
  aim(g, target);
  gatherAll(g, layer, view, target, here);
  return byRules(g, baselineOf(layer, view, g, undefined), standing, layer);
}

/** The standing contains only the policy. */
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
    effect.declared === undefined &&
    effect.maybe === undefined &&
    effect.parts[0].targets.length <= 1
  );
}

/** Rules found by the tool's name, the class, any call, or below a recursive target. */
function hasOtherRules(
  { rules }: CompiledPolicy,
  view: ToolView,
  classAt: number,
  target: Target | undefined,
): boolean {
  return (
    view.slots.length > 0 ||
    rules.classes[classAt] !== undefined ||
    rules.anything !== undefined ||
    (target?.kind === "path" && (target.recursive || isWildName(target.path)))
  );
}

/** A decision that depends only on a row is always the same, so it is made once and kept with the row. */
function byRows(asked: PartAsked, standing: Standing, layer: CompiledPolicy, view: ToolView): Decision | undefined {
  const row = baselineOf(layer, view, asked, undefined);
  if (row === undefined) return undefined;
  const { passedOver } = asked;
  if (passedOver !== undefined && passedOver !== row) {
    return concludedPlainly(row.rank, onlyOf(row), onlyOf(passedOver), layer.asking, standing.policyVersion);
  }
  const kept = row.decision;
  return kept !== undefined && kept.policyVersion === standing.policyVersion ? kept : keep(row, standing, layer);
}

function keep(row: Ground, { policyVersion }: Standing, { asking }: CompiledPolicy): Decision {
  row.decision = Object.freeze(concludedPlainly(row.rank, onlyOf(row), NO_CAUSES, asking, policyVersion));
  return row.decision;
}

/** The row first, then rules in the order they were found, each once, as in the general path. */
function byRules(g: Gathering, row: Ground | undefined, standing: Standing, layer: CompiledPolicy) {
  const said = saidBy(g, row);
  if (said === SILENT || g.human.length > 0) return undefined;
  const rank = Math.min(said, g.tighten);
  const causes: Cause[] = [];
  const considered: Cause[] = [];
  if (row !== undefined) (row.rank === rank && rowSpeaks(g, row) ? causes : considered).push(row.cause);
  if (g.passedOver !== undefined && g.passedOver !== row) considered.push(g.passedOver.cause);
  for (let hit = g.hit, i = 0; hit !== undefined; hit = g.moreHits?.[i++]) {
    const { ground } = hit;
    if (ground.rank === rank && ground.saysHow) return undefined;
    const list = ground.rank === rank ? causes : considered;
    if (!isListed(list, ground.cause)) list.push(ground.cause);
  }
  return concludedPlainly(rank, causes, considered, layer.asking, standing.policyVersion);
}

/** A rule with several patterns can be found more than once. A hand-written loop, because the lists are short. */
function isListed(list: readonly Cause[], cause: Cause): boolean {
  for (let i = 0; i < list.length; i++) if (list[i] === cause) return true;
  return false;
}
