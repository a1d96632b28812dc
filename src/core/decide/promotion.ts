import { ALL_CLASSES, classBits, classIndex, type EffectClass } from "../effect.ts";
import type { Promotion } from "../standing/standing.ts";
import { compareTiers, rankOf } from "../tier.ts";
import { type Ground, groundOf } from "./ground.ts";

/** The classes that a promotion without a class never includes. */
export const GRAVE_CLASSES: readonly EffectClass[] = [
  "fs.delete",
  "deploy.write",
  "payments.move",
  "secrets.read",
  "permissions.change",
];
const GENERAL_REACHES = ALL_CLASSES & ~classBits(GRAVE_CLASSES);

/** An agent's promotions as rows: one general row and one per class. */
export type Promoted = {
  readonly general: Ground | undefined;
  /** The classes that the general row is for. */
  readonly reaches: number;
  readonly classes: readonly (Ground | undefined)[];
};

/** The newest promotion of each scope replaces the row while it lasts; after that the row of the file applies again. */
export function promotedRows(promotions: readonly Promotion[], agent: string, nowMs: number): Promoted | undefined {
  const newest = newestOfScopes(promotions.filter((one) => one.agent === agent));
  const classes: (Ground | undefined)[] = [];
  let general: Ground | undefined;
  for (const one of newest.values()) {
    if (one.kind !== "promote" || !isLive(one, nowMs)) continue;
    const ground = groundOf(
      rankOf(one.tier),
      { by: "baseline", row: { of: "promotion", name: one.id }, tier: one.tier, layer: "promotions" },
      { named: true },
    );
    if (one.class === undefined) general = ground;
    else classes[classIndex(one.class)] = ground;
  }
  return general === undefined && classes.length === 0 ? undefined : { general, reaches: GENERAL_REACHES, classes };
}

/**
 * Demotions are caps. They are not rows, because a row for an agent would come before a stricter one for a class, and
 * a demotion must never make a decision looser. An expired promotion does not hide an older demotion.
 */
export function demotions(promotions: readonly Promotion[], agent: string, nowMs: number): readonly Promotion[] {
  const live = promotions.filter((one) => one.agent === agent && isLive(one, nowMs));
  return [...newestOfScopes(live).values()].filter((one) => one.kind === "demote");
}

function newestOfScopes(promotions: readonly Promotion[]): ReadonlyMap<string, Promotion> {
  const newest = new Map<string, Promotion>();
  for (const one of promotions) {
    const scope = one.class ?? "";
    const known = newest.get(scope);
    if (known === undefined || isNewer(one, known)) newest.set(scope, one);
  }
  return newest;
}

/**
 * Of two at the same time, the demotion counts, then the stricter one, then the later id; the order of a list never
 * matters.
 */
function isNewer(a: Promotion, b: Promotion): boolean {
  if (a.atMs !== b.atMs) return a.atMs > b.atMs;
  if (a.kind !== b.kind) return a.kind === "demote";
  return a.tier === b.tier ? a.id > b.id : compareTiers(a.tier, b.tier) < 0;
}

function isLive(one: Promotion, nowMs: number): boolean {
  return one.untilMs === undefined || nowMs < one.untilMs;
}
