import { baselineOf } from "./baseline.ts";
import type { ToolCall } from "./call.ts";
import { classBit, classIndex } from "./class-bits.ts";
import type { CompiledPolicy } from "./compile.ts";
import { type Ground, groundOf } from "./compiled.ts";
import type { Effect, Target } from "./effect.ts";
import { type Gathering, gather, newGathering, SILENT } from "./gather.ts";
import type { Slot } from "./indexes/slot.ts";
import { walkCommand, walkDomain, walkPath } from "./indexes/walk.ts";
import { type Promoted, promotedRows } from "./promotion.ts";
import type { Standing } from "./standing.ts";
import { count, countAnswer, newTally, type Tally } from "./tally.ts";
import { rankOf } from "./tier.ts";
import { canonicalTool } from "./tool-name.ts";

/** What policy says of a call: the strictest over every agent of its chain, part, target and layer. */
export type Judged = { tally: Tally; human: readonly Ground[]; firm: Ground | undefined };

/** Files that say nothing ask. */
const NO_FILE_SPEAKS: Ground = groundOf(rankOf("ask"), { by: "silent" });

export function judge(
  call: ToolCall,
  effect: Effect,
  standing: Standing,
  actors: readonly string[],
  nowMs: number,
): Judged {
  const tally = newTally();
  const canonical = standing.layers[0]?.tools.of(call.tool).canonical ?? canonicalTool(call.tool);
  const g = newGathering(call, effect, nowMs, canonical, effect.parts[0]);
  for (const actor of actors) judgeAs(actor, g, tally, standing);
  return { tally, human: g.human, firm: g.firm };
}

function judgeAs(actor: string, g: Gathering, tally: Tally, standing: Standing): void {
  g.actor = actor;
  const promoted =
    standing.promotions.length === 0 ? undefined : promotedRows(standing.promotions, actor, g.nowMs);
  for (const part of g.effect.parts) {
    g.part = part;
    g.classBit = classBit(part.class);
    if (part.targets.length === 0) judgeTarget(g, tally, standing, promoted, undefined);
    else for (const target of part.targets) judgeTarget(g, tally, standing, promoted, target);
  }
}

function judgeTarget(
  g: Gathering,
  tally: Tally,
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
    if (answer(g, tally, layer, target, rows)) spoken = true;
  }
  if (!spoken) count(tally, NO_FILE_SPEAKS);
  for (let i = 0; i < scopes.length; i++) answer(g, tally, scopes[i] as CompiledPolicy, target, undefined);
}

/** A promotion stands in the files that name the agent, else in the outermost; never in a scope of the code. */
function standsIn(place: number, actor: string, layers: readonly CompiledPolicy[]): boolean {
  if (layers[place]?.agents.has(actor)) return true;
  return place === 0 && !layers.some((layer) => layer.agents.has(actor));
}

function aim(g: Gathering, target: Target | undefined): void {
  g.segments = undefined;
  if (target?.kind === "path") g.path = target.path;
  else if (target?.kind === "command") g.words = target.words;
}

function answer(
  g: Gathering,
  tally: Tally,
  layer: CompiledPolicy,
  target: Target | undefined,
  promoted: Promoted | undefined,
): boolean {
  g.byName = SILENT;
  g.forAll = SILENT;
  g.tighten = SILENT;
  if (g.hits.length > 0) g.hits = [];
  const view = layer.tools.of(g.call.tool);
  for (let i = 0; i < view.slots.length; i++) gather(g, view.slots[i] as Slot);
  const { rules } = layer;
  const ofClass = rules.classes[classIndex(g.part.class)];
  if (ofClass !== undefined) gather(g, ofClass);
  if (rules.anything !== undefined) gather(g, rules.anything);
  if (target !== undefined) walk(g, layer, target);
  const baseline = baselineOf(layer, view, { actor: g.actor, tool: g.call.tool, promoted }, g.part);
  return countAnswer(tally, g, baseline);
}

function walk(g: Gathering, { rules }: CompiledPolicy, target: Target): void {
  switch (target.kind) {
    case "path":
      if (rules.paths !== undefined) walkPath(g, rules.paths, target.recursive);
      return;
    case "command":
      if (rules.commands !== undefined) walkCommand(g, rules.commands);
      return;
    case "domain":
      if (rules.domains !== undefined) walkDomain(g, rules.domains, target.domain);
      return;
    case "tool":
      return;
  }
}

