import { EFFECT_CLASSES, type EffectClass, type Reach } from "../effect.ts";
import { PRESETS, type PresetName } from "../policy.ts";
import type { Tier } from "../tier.ts";
import { once } from "../values/once.ts";

/** One tier per preset: conservative, standard, autonomous. */
type Cell = { readonly tiers: readonly [Tier, Tier, Tier]; readonly human?: true };

const FREE: Cell = { tiers: ["auto", "auto", "auto"] };

const SEEN: Cell = { tiers: ["notify", "auto", "auto"] };

const OWN: Cell = { tiers: ["ask", "notify", "auto"] };

const FAR: Cell = { tiers: ["ask", "ask", "notify"] };

const HUMAN: Cell = { tiers: ["ask", "ask", "ask"], human: true };

const CLOSED: Cell = { tiers: ["ask", "ask", "ask"] };

type Row = { readonly [R in Reach]: Cell };

const everywhere = (cell: Cell): Row => ({ local: cell, project: cell, host: cell, outside: cell });

const insideAndOut = (inside: Cell, out: Cell): Row => ({ local: inside, project: inside, host: out, outside: out });

/** Every class and reach; `human` applies whichever row gave the tier. */
export const PRESET_TABLE: { readonly [C in EffectClass]: Row } = {
  none: everywhere(FREE),
  "fs.read": insideAndOut(FREE, SEEN),
  "db.read": insideAndOut(FREE, SEEN),
  "browser.read": insideAndOut(FREE, SEEN),
  "network.read": everywhere(SEEN),
  "fs.write": insideAndOut(OWN, FAR),
  "fs.mkdir": insideAndOut(OWN, FAR),
  "fs.copy": insideAndOut(OWN, FAR),
  "fs.move": insideAndOut(OWN, FAR),
  "store.write": insideAndOut(OWN, FAR),
  "metadata.write": everywhere(OWN),
  "checkpoint.write": insideAndOut(OWN, FAR),
  "agent_state.write": insideAndOut(OWN, FAR),
  "mcp.release": everywhere(OWN),
  "fs.delete": everywhere(FAR),
  "db.write": everywhere(FAR),
  "process.exec": everywhere(FAR),
  "host.call": everywhere(FAR),
  "browser.act": everywhere(FAR),
  "message.send": everywhere(FAR),
  "network.write": everywhere(FAR),
  "network.sse.write": everywhere(FAR),
  "git.write": everywhere(FAR),
  "deploy.write": everywhere(FAR),
  "schedule.write": everywhere(FAR),
  "agent.spawn": everywhere(FAR),
  "payments.move": everywhere(HUMAN),
  "secrets.read": everywhere(HUMAN),
  "permissions.change": everywhere(HUMAN),
  unknown: everywhere(CLOSED),
};

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

/** Whether a preset denies anything by itself. */
export function presetDenies(preset: PresetName): boolean {
  return DENYING().has(preset);
}

const DENYING = once(() => {
  const cells = Object.values(PRESET_TABLE).flatMap((row) => Object.values(row));
  return new Set(PRESETS.filter((_, i) => cells.some(({ tiers }) => tiers[i] === "deny")));
});

/** The classes that every preset marks as needing a person. */
export const PRESET_HUMAN: readonly EffectClass[] = EFFECT_CLASSES.filter((name) => PRESET_TABLE[name].local.human);
