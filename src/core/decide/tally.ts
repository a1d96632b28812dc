import { TIERS } from "../tier.ts";
import type { Ground } from "./compiled.ts";
import { NO_GROUNDS, withGround } from "./grounds.ts";

/** No rule and no row has matched yet: looser than the loosest tier. */
export const SILENT = TIERS.length;

/** The strictest tier so far, what set it, and what else was considered. */
export type Tally = { rank: number; deciding: readonly Ground[]; outweighed: readonly Ground[] };

export function count(tally: Tally, ground: Ground): void {
  if (ground.rank < tally.rank) lower(tally, ground.rank);
  note(tally, ground, ground.rank === tally.rank);
}

export function lower(tally: Tally, rank: number): void {
  tally.rank = rank;
  if (tally.deciding.length === 0) return;
  for (const ground of tally.deciding) tally.outweighed = withGround(tally.outweighed, ground);
  tally.deciding = NO_GROUNDS;
}

export function note(tally: Tally, ground: Ground, decides: boolean): void {
  if (decides) tally.deciding = withGround(tally.deciding, ground);
  else tally.outweighed = withGround(tally.outweighed, ground);
}
