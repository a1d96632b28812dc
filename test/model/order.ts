import type { Promotion } from "../../src/core/standing/standing.ts";
import { TIERS, type Tier } from "../../src/core/tier.ts";

export function looser(a: Tier, b: Tier): boolean {
  return TIERS.indexOf(a) > TIERS.indexOf(b);
}

/** The newest of a scope wins; at the same time the demotion, then the stricter one, then the later id. */
export function isNewer(a: Promotion, b: Promotion): boolean {
  if (a.atMs !== b.atMs) return a.atMs > b.atMs;
  if (a.kind !== b.kind) return a.kind === "demote";
  if (a.tier !== b.tier) return looser(b.tier, a.tier);
  return a.id > b.id;
}
