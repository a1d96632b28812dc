import type { Ground } from "./compiled.ts";
import type { Gathering } from "./gather.ts";
import { lower, note, SILENT } from "./tally.ts";

/**
 * What one layer says about one target. By name: the strictest rule that names the agent, else the agent's own row.
 * For all: the strictest other rule. If both exist, the stricter; if neither, the baseline. False if the layer says
 * nothing.
 */
export function countSaying(g: Gathering, baseline: Ground | undefined): boolean {
  const { passedOver } = g;
  const speaks = rowSpeaks(g, baseline);
  const said = saidBy(g, baseline);
  const rank = Math.min(g.tighten, said);
  if (rank < g.rank) lower(g, rank);
  if (baseline !== undefined) note(g, baseline, speaks && baseline.rank === g.rank);
  if (passedOver !== undefined && passedOver !== baseline) note(g, passedOver, false);
  if (g.hit !== undefined) noteRule(g, g.hit.ground);
  if (g.moreHits !== undefined) for (const { ground } of g.moreHits) noteRule(g, ground);
  return said !== SILENT;
}

export function rowSpeaks(g: Gathering, row: Ground | undefined): boolean {
  return row !== undefined && g.byName === SILENT && (g.forAll === SILENT || row.named);
}

export function saidBy(g: Gathering, row: Ground | undefined): number {
  const said = Math.min(g.byName, g.forAll);
  return row !== undefined && rowSpeaks(g, row) ? Math.min(said, row.rank) : said;
}

function noteRule(g: Gathering, ground: Ground): void {
  note(g, ground, ground.rank === g.rank);
}
