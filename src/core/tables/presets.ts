import { EFFECT_CLASSES, type EffectClass, type Reach } from "../effect.ts";
import { PRESET_VERSIONS, PRESETS, type PresetName } from "../policy.ts";
import type { Tier } from "../tier.ts";
import { once } from "../values/once.ts";

/** One tier per preset: conservative, standard, autonomous. `autonomous1`: what the first version of autonomous said. */
type Cell = { readonly tiers: readonly [Tier, Tier, Tier]; readonly autonomous1?: Tier; readonly human?: true };

const FREE: Cell = { tiers: ["auto", "auto", "auto"] };

const SEEN: Cell = { tiers: ["notify", "auto", "auto"] };

const OWN: Cell = { tiers: ["ask", "notify", "auto"] };

const FAR: Cell = { tiers: ["ask", "ask", "notify"] };

/** It cannot be undone, not even if its files are kept: somebody else has seen it, or nobody keeps what was there. */
const FINAL: Cell = { tiers: ["ask", "ask", "ask"], autonomous1: "notify" };

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
  "fs.write": insideAndOut(OWN, FINAL),
  "fs.mkdir": insideAndOut(OWN, FAR),
  "fs.copy": insideAndOut(OWN, FINAL),
  "fs.move": insideAndOut(OWN, FINAL),
  "store.write": insideAndOut(OWN, FAR),
  "metadata.write": everywhere(OWN),
  "checkpoint.write": insideAndOut(OWN, FAR),
  "agent_state.write": insideAndOut(OWN, FAR),
  "mcp.release": everywhere(OWN),
  "fs.delete": insideAndOut(FAR, FINAL),
  "db.write": everywhere(FINAL),
  "process.exec": { local: FAR, project: FAR, host: FAR, outside: FINAL },
  "host.call": everywhere(FAR),
  "browser.act": everywhere(FINAL),
  "message.send": everywhere(FINAL),
  "network.write": everywhere(FINAL),
  "network.sse.write": everywhere(FINAL),
  "git.write": insideAndOut(FAR, FINAL),
  "deploy.write": insideAndOut(FAR, FINAL),
  "schedule.write": everywhere(FINAL),
  "agent.spawn": everywhere(FAR),
  "payments.move": everywhere(HUMAN),
  "secrets.read": everywhere(HUMAN),
  "permissions.change": everywhere(HUMAN),
  unknown: everywhere(CLOSED),
};

/** What a preset says about a part, in its newest version unless an older one is given. */
export function presetTier(
  preset: PresetName,
  effect: { class: EffectClass; reach: Reach },
  version: number = PRESET_VERSIONS[preset],
): Tier {
  const { tiers, autonomous1 } = PRESET_TABLE[effect.class][effect.reach];
  const [conservative, standard, newest] = tiers;
  const autonomous = version === 1 ? (autonomous1 ?? newest) : newest;
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
