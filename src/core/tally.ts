import type { CompiledRule, Ground } from "./compiled.ts";
import { type Gathering, SILENT } from "./gather.ts";
import { NO_GROUNDS, withGround } from "./grounds.ts";

/** The strictest so far, what set it, and what was outweighed. */
export type Tally = { rank: number; deciding: readonly Ground[]; outweighed: readonly Ground[] };

export function newTally(): Tally {
  return { rank: SILENT, deciding: NO_GROUNDS, outweighed: NO_GROUNDS };
}

export function count(tally: Tally, ground: Ground): void {
  if (ground.rank < tally.rank) lower(tally, ground.rank);
  note(tally, ground, ground.rank === tally.rank);
}

/**
 * One layer's answer on one target. By name: the strictest rule that names the agent, else the agent's own row. For
 * all: the strictest other rule. Both there: the stricter; none: the baseline. False if the layer has nothing to say.
 */
export function countAnswer(tally: Tally, g: Gathering, baseline: Ground | undefined): boolean {
  const rowSpeaks =
    baseline !== undefined && g.byName === SILENT && (g.forAll === SILENT || baseline.named);
  const said = Math.min(g.byName, g.forAll, rowSpeaks ? baseline.rank : SILENT);
  const rank = Math.min(said, g.tighten);
  if (rank < tally.rank) lower(tally, rank);
  if (baseline !== undefined) {
    note(tally, baseline, rowSpeaks && baseline.rank === tally.rank);
  }
  if (g.passedOver !== undefined && g.passedOver !== baseline) note(tally, g.passedOver, false);
  const { hits, hitCount } = g;
  for (let i = 0; i < hitCount; i++) {
    const { ground } = hits[i] as CompiledRule;
    note(tally, ground, ground.rank === tally.rank);
  }
  return said !== SILENT;
}

function lower(tally: Tally, rank: number): void {
  tally.rank = rank;
  if (tally.deciding.length === 0) return;
  for (const ground of tally.deciding) tally.outweighed = withGround(tally.outweighed, ground);
  tally.deciding = NO_GROUNDS;
}

function note(tally: Tally, ground: Ground, decides: boolean): void {
  if (decides) tally.deciding = withGround(tally.deciding, ground);
  else tally.outweighed = withGround(tally.outweighed, ground);
}
