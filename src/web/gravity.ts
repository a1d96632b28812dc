import type { EffectClass } from "../core/effect.ts";

/** The colour of a class by its danger; the text next to it says what it is. */
export function gravity(effectClass: EffectClass): "grave" | "middle" | "mild" {
  if (/delete|payments|secrets|permissions|deploy/.test(effectClass)) return "grave";
  return /read|none|metadata/.test(effectClass) ? "mild" : "middle";
}
