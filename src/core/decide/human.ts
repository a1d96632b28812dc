import type { ToolCall } from "../call.ts";
import { type Effect, type EffectClass, type Part, readingsOf } from "../effect.ts";
import { actorsOf } from "./actors.ts";
import { classesOf } from "./class-bits.ts";
import type { Ground } from "./compiled.ts";
import type { CompiledPolicy } from "./compiled-policy.ts";
import { NO_GROUNDS, withGround } from "./grounds.ts";
import type { Standing } from "./standing.ts";
import { viewOf } from "./tool-view.ts";

/** The needs-human marks, and the preset marks that the outermost layer removed. */
export type HumanGrounds = { marks: readonly Ground[]; lifted: readonly Ground[] };

type Lifts = ReadonlyMap<EffectClass, Ground> | undefined;

const NONE: HumanGrounds = { marks: NO_GROUNDS, lifted: NO_GROUNDS };

/** Marks of all layers add up. `not` counts only in the outermost layer, and only against a mark of a preset. */
export function humanMarks(
  call: ToolCall,
  effect: Effect,
  standing: Standing,
  fromRules: readonly Ground[],
): HumanGrounds {
  const { layers, scopes } = standing;
  if (fromRules.length === 0 && !anyMark(layers, effect) && !anyMark(scopes, effect)) return NONE;
  const actors = actorsOf(call);
  const found = { marks: fromRules, lifted: NO_GROUNDS };
  const not = layers[0]?.marks.not;
  for (const layer of layers) addMarks(found, layer, call, effect, actors, not);
  for (const layer of scopes) addMarks(found, layer, call, effect, actors, not);
  return found;
}

function anyMark(layers: readonly CompiledPolicy[], effect: Effect): boolean {
  for (let i = 0; i < layers.length; i++) {
    const { byName, bits } = (layers[i] as CompiledPolicy).marks;
    if (byName || (bits !== 0 && (bits & classesOf(partsOf(effect))) !== 0)) return true;
  }
  return false;
}

function addMarks(
  found: HumanGrounds,
  layer: CompiledPolicy,
  call: ToolCall,
  effect: Effect,
  actors: readonly string[],
  not: Lifts,
): void {
  const { all, agents, classes, preset } = layer.marks;
  mark(found, all);
  mark(found, viewOf(layer.tools, call.tool).human);
  for (const actor of actors) mark(found, agents.get(actor));
  for (const part of partsOf(effect)) {
    mark(found, classes.get(part.class));
    const lift = preset.has(part.class) ? not?.get(part.class) : undefined;
    if (lift === undefined) mark(found, preset.get(part.class));
    else found.lifted = withGround(found.lifted, lift);
  }
}

function mark(found: HumanGrounds, ground: Ground | undefined): void {
  if (ground !== undefined) found.marks = withGround(found.marks, ground);
}

/** For every reading of the call, and for what a program may really be if it has the name of another. */
function partsOf(effect: Effect): readonly Part[] {
  return readingsOf(effect).flatMap(({ parts, maybe }) => (maybe === undefined ? parts : [...parts, ...maybe.parts]));
}
