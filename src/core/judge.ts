import { actorsOf } from "./actors.ts";
import { countAnswer } from "./answer.ts";
import { baselineOf } from "./baseline.ts";
import type { ToolCall } from "./call.ts";
import { classIndex } from "./class-bits.ts";
import type { CompiledPolicy } from "./compile.ts";
import { type Ground, groundOf } from "./compiled.ts";
import type { Effect, Part, Target } from "./effect.ts";
import { type Gathering, gather, gatherAll, newGathering } from "./gather.ts";
import type { RuleIndex } from "./indexes/rules.ts";
import { slotsAt, slotsBelow } from "./indexes/walk.ts";
import { type Promoted, promotedRows } from "./promotion.ts";
import type { Standing } from "./standing.ts";
import { count, SILENT } from "./tally.ts";
import { rankOf } from "./tier.ts";
import { viewOf } from "./tool-view.ts";

/** Files that say nothing ask. */
const NO_FILE_SPEAKS: Ground = groundOf(rankOf("ask"), { by: "silent" });

/** What policy says of a call: the strictest over every agent of its chain, part, target and layer. */
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

/** A promotion stands in the accepted files that name the agent, else in the outermost; never in a scope of the code. */
function standsIn(place: number, actor: string, layers: readonly CompiledPolicy[]): boolean {
  const names = (layer: CompiledPolicy) => layer.policy.beside !== true && layer.agents.has(actor);
  if (names(layers[place] as CompiledPolicy)) return true;
  return place === 0 && !layers.some(names);
}

export function aim(g: Gathering, target: Target | undefined): void {
  g.segments = undefined;
  if (target?.kind === "path") g.path = target.path;
  else if (target?.kind === "command") g.words = target.words;
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
  return ask(g, layer, target, promoted);
}

/** Everything that one layer has to say of one target goes into a fresh gathering. */
export function ask(
  g: Gathering,
  layer: CompiledPolicy,
  target: Target | undefined,
  promoted: Promoted | undefined,
): boolean {
  const { rules, tools } = layer;
  const view = viewOf(tools, g.call.tool);
  g.canonicalTool = view.canonical;
  gatherAll(g, view.slots);
  const ofClass = rules.classes[g.classAt];
  if (ofClass !== undefined) gather(g, ofClass);
  if (rules.anything !== undefined) gather(g, rules.anything);
  if (target !== undefined) gatherAt(g, rules, target);
  return countAnswer(g, baselineOf(layer, view, g, promoted));
}

function gatherAt(g: Gathering, rules: RuleIndex, target: Target): void {
  const here = slotsAt(rules, target, g.classBit);
  if (here !== undefined) gatherAll(g, here);
  const below = slotsBelow(rules, target, g.classBit);
  if (below === undefined) return;
  g.below = true;
  gatherAll(g, below);
  g.below = false;
}
