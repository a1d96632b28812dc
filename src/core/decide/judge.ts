import type { ToolCall } from "../call.ts";
import type { Effect, Part, Target } from "../effect.ts";
import { rankOf } from "../tier.ts";
import { actorsOf } from "./actors.ts";
import { baselineOf } from "./baseline.ts";
import { classIndex } from "./class-bits.ts";
import { type Ground, groundOf } from "./compiled.ts";
import type { CompiledPolicy } from "./compiled-policy.ts";
import { aim, type Gathering, gatherAll, newGathering } from "./gather.ts";
import { slotsAt } from "./indexes/walk.ts";
import { type Promoted, promotedRows } from "./promotion.ts";
import { countSaying } from "./saying.ts";
import type { Standing } from "./standing.ts";
import { count, SILENT } from "./tally.ts";
import { viewOf } from "./tool-view.ts";

/** If no file covers a call, it asks. */
const NO_FILE_SPEAKS: Ground = groundOf(rankOf("ask"), { by: "silent" });

/** What the policy says about a call: the strictest result over all agents of its chain, parts, targets and layers. */
export function judge(call: ToolCall, effect: Effect, standing: Standing, nowMs: number): Gathering {
  const g = newGathering(call, effect, nowMs, 0);
  if (call.chain.length === 0) judgeAs(call.agent, g, standing);
  else for (const actor of actorsOf(call)) judgeAs(actor, g, standing);
  return g;
}

function judgeAs(actor: string, g: Gathering, standing: Standing): void {
  g.actor = actor;
  const promoted = standing.promotions.length === 0 ? undefined : promotedRows(standing.promotions, actor, g.nowMs);
  const { parts } = g.effect;
  for (let p = 0; p < parts.length; p++) {
    const part = parts[p] as Part;
    const { targets } = part;
    g.part = part;
    g.classAt = classIndex(part.class);
    g.classBit = 1 << g.classAt;
    if (targets.length === 0) judgeTarget(g, standing, promoted, undefined);
    else for (let t = 0; t < targets.length; t++) judgeTarget(g, standing, promoted, targets[t]);
  }
}

function judgeTarget(
  g: Gathering,
  standing: Standing,
  promoted: Promoted | undefined,
  target: Target | undefined,
): void {
  const { layers, scopes } = standing;
  aim(g, target);
  let spoken = false;
  for (let i = 0; i < layers.length; i++) {
    const layer = layers[i] as CompiledPolicy;
    const rows = promoted !== undefined && standsIn(i, g.actor, layers) ? promoted : undefined;
    if (answer(g, layer, target, rows) && layer.policy.beside !== true) spoken = true;
  }
  if (!spoken) count(g, NO_FILE_SPEAKS);
  for (let i = 0; i < scopes.length; i++) answer(g, scopes[i] as CompiledPolicy, target, undefined);
}

/**
 * A promotion applies in the accepted files that name the agent, else in the outermost file; never in a layer from
 * code.
 */
function standsIn(place: number, actor: string, layers: readonly CompiledPolicy[]): boolean {
  const names = (layer: CompiledPolicy) => layer.policy.beside !== true && layer.agents.has(actor);
  if (names(layers[place] as CompiledPolicy)) return true;
  return place === 0 && !layers.some(names);
}

function answer(
  g: Gathering,
  layer: CompiledPolicy,
  target: Target | undefined,
  promoted: Promoted | undefined,
): boolean {
  g.byName = SILENT;
  g.forAll = SILENT;
  g.tighten = SILENT;
  g.hit = undefined;
  g.moreHits = undefined;
  g.passedOver = undefined;
  const view = viewOf(layer.tools, g.call.tool);
  gatherAll(g, layer, view, target, target === undefined ? undefined : slotsAt(layer.rules, target, g.classBit, view));
  return countSaying(g, baselineOf(layer, view, g, promoted));
}
