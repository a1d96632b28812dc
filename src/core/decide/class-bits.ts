import { EFFECT_CLASSES, type EffectClass, type Part } from "../effect.ts";

// The thirty classes fit into one number, so checking whether a rule is about a class is one `&`.

const INDEX = new Map<EffectClass, number>(EFFECT_CLASSES.map((name, i) => [name, i]));

export const ALL_CLASSES = (1 << EFFECT_CLASSES.length) - 1;

export function classIndex(name: EffectClass): number {
  return INDEX.get(name) ?? EFFECT_CLASSES.length - 1;
}

/** One slot for each class, all created at the start, so that the engine sees lists of one shape. */
export function forEachClass<T>(): (T | undefined)[] {
  return EFFECT_CLASSES.map(() => undefined);
}

export function classBit(name: EffectClass): number {
  return 1 << classIndex(name);
}

export function classBits(names: readonly EffectClass[]): number {
  return names.reduce((bits, name) => bits | classBit(name), 0);
}

export function classesOf(parts: readonly Part[]): number {
  let bits = 0;
  for (const part of parts) bits |= classBit(part.class);
  return bits;
}
