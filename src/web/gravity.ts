import type { EffectClass } from "../core/effect.ts";

/** How grave the class looks at a glance; the words beside it say what it is. */
export function gravity(effectClass: EffectClass): "grave" | "middle" | "mild" {
  if (/delete|payments|secrets|permissions|deploy/.test(effectClass)) return "grave";
  return /read|none|metadata/.test(effectClass) ? "mild" : "middle";
}
