import type { ToolCall } from "./call.ts";
import { classesOf } from "./class-bits.ts";
import type { CompiledPolicy } from "./compile.ts";
import type { Ground } from "./compiled.ts";
import type { Effect, EffectClass } from "./effect.ts";
import type { Standing } from "./standing.ts";

/** The marks that say a person must look, and those of presets that the outermost layer lifted. */
export type HumanMarks = { marks: readonly Ground[]; lifted: readonly Ground[] };

const NONE: HumanMarks = { marks: [], lifted: [] };

/** Marks of all layers add up; `not` counts in the outermost only, and only against a preset's mark. */
export function humanMarks(
  call: ToolCall,
  effect: Effect,
  standing: Standing,
  actors: readonly string[],
  fromRules: readonly Ground[],
): HumanMarks {
  const present = classesOf(effect.parts);
  const outermost = standing.layers[0]?.marks;
  const marks: Ground[] = [];
  const lifted: Ground[] = [];
  for (const layer of standing.layers) marksOf(layer, marks, lifted, outermost);
  for (const layer of standing.scopes) marksOf(layer, marks, lifted, outermost);
  if (marks.length === 0 && lifted.length === 0 && fromRules.length === 0) return NONE;
  return { marks: [...marks, ...fromRules], lifted };

  function marksOf(layer: CompiledPolicy, into: Ground[], out: Ground[], outer: typeof outermost): void {
    const own = layer.marks;
    if (own.all !== undefined) into.push(own.all);
    const { human } = layer.tools.of(call.tool);
    if (human !== undefined) into.push(human);
    if ((own.classBits & present) !== 0) pushClasses(own.classes, effect, into);
    if ((own.presetBits & present) !== 0) pushPreset(own.preset, effect, outer?.not, into, out);
    if (own.agents.size > 0) {
      for (const actor of actors) {
        const mark = own.agents.get(actor);
        if (mark !== undefined) into.push(mark);
      }
    }
  }
}

function pushClasses(marks: ReadonlyMap<EffectClass, Ground>, effect: Effect, into: Ground[]): void {
  for (const { class: name } of effect.parts) {
    const mark = marks.get(name);
    if (mark !== undefined && !into.includes(mark)) into.push(mark);
  }
}

function pushPreset(
  marks: ReadonlyMap<EffectClass, Ground>,
  effect: Effect,
  not: ReadonlyMap<EffectClass, Ground> | undefined,
  into: Ground[],
  lifted: Ground[],
): void {
  for (const { class: name } of effect.parts) {
    const lift = not?.get(name);
    const mark = lift ?? marks.get(name);
    const list = lift === undefined ? into : lifted;
    if (marks.has(name) && mark !== undefined && !list.includes(mark)) list.push(mark);
  }
}
