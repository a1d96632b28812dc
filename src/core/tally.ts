import type { CompiledRule, Ground } from "./compiled.ts";
import type { Cause } from "./decision.ts";
import { type Gathering, SILENT } from "./gather.ts";

/** The strictest so far, what set it, and what was outweighed. */
export type Tally = { rank: number; deciding: Ground[]; outweighed: Ground[] };

export function newTally(): Tally {
  return { rank: SILENT, deciding: [], outweighed: [] };
}

export function count(tally: Tally, ground: Ground): void {
  if (ground.rank < tally.rank) lower(tally, ground.rank);
  add(ground.rank === tally.rank ? tally.deciding : tally.outweighed, ground);
}

/**
 * One layer's answer on one target. By name: the strictest rule that names the agent, else the agent's own row. For
 * all: the strictest other rule. Both there: the stricter; none: the baseline. False if the layer has nothing to say.
 */
export function countAnswer(tally: Tally, g: Gathering, baseline: Ground | undefined): boolean {
  const rowSpeaks =
    baseline !== undefined && g.byName === SILENT && (g.forAll === SILENT || baseline.named === true);
  const said = Math.min(g.byName, g.forAll, rowSpeaks ? baseline.rank : SILENT);
  const rank = Math.min(said, g.tighten);
  if (rank < tally.rank) lower(tally, rank);
  if (baseline !== undefined) {
    add(rowSpeaks && baseline.rank === tally.rank ? tally.deciding : tally.outweighed, baseline);
  }
  const { hits } = g;
  for (let i = 0; i < hits.length; i++) {
    const { ground } = hits[i] as CompiledRule;
    add(ground.rank === tally.rank ? tally.deciding : tally.outweighed, ground);
  }
  return said !== SILENT;
}

function lower(tally: Tally, rank: number): void {
  tally.rank = rank;
  if (tally.deciding.length === 0) return;
  for (const ground of tally.deciding) add(tally.outweighed, ground);
  tally.deciding = [];
}

function add(list: Ground[], ground: Ground): void {
  if (list.length === 0 || !list.includes(ground)) list.push(ground);
}

export function causesOf(grounds: readonly Ground[]): readonly Cause[] {
  if (grounds.length === 0) return NO_CAUSES;
  if (grounds.length === 1) return (grounds[0] as Ground).only;
  return grounds.map((ground) => ground.cause);
}

export const NO_CAUSES: readonly Cause[] = [];
