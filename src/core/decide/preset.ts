import { EFFECT_CLASSES, type EffectClass, type Reach } from "../effect.ts";
import type { PresetName } from "../policy.ts";
import { PRESET_TABLE } from "../tables/presets.ts";
import type { Tier } from "../tier.ts";

export function presetTier(preset: PresetName, effect: { class: EffectClass; reach: Reach }): Tier {
  const [conservative, standard, autonomous] = PRESET_TABLE[effect.class][effect.reach].tiers;
  switch (preset) {
    case "conservative":
      return conservative;
    case "standard":
      return standard;
    case "autonomous":
      return autonomous;
  }
}

/** The classes that every preset marks as needing a person. */
export const PRESET_HUMAN: readonly EffectClass[] = EFFECT_CLASSES.filter((name) => PRESET_TABLE[name].local.human);
