import type { Ground } from "./compiled.ts";
import type { Gathering } from "./gather.ts";
import { lower, note, SILENT } from "./tally.ts";

/**
 * One layer's answer on one target. By name: the strictest rule that names the agent, else the agent's own row. For
 * all: the strictest other rule. Both there: the stricter; none: the baseline. False if the layer has nothing to say.
 */
export function countAnswer(g: Gathering, baseline: Ground | undefined): boolean {
  const { byName, forAll, tighten, passedOver } = g;
  const rowSpeaks = baseline !== undefined && byName === SILENT && (forAll === SILENT || baseline.named);
  let said = Math.min(byName, forAll);
  if (rowSpeaks && baseline.rank < said) said = baseline.rank;
  const rank = Math.min(tighten, said);
  if (rank < g.rank) lower(g, rank);
  if (baseline !== undefined) note(g, baseline, rowSpeaks && baseline.rank === g.rank);
  if (passedOver !== undefined && passedOver !== baseline) note(g, passedOver, false);
  if (g.hit !== undefined) noteRule(g, g.hit.ground);
  if (g.moreHits !== undefined) for (const { ground } of g.moreHits) noteRule(g, ground);
  return said !== SILENT;
}

function noteRule(g: Gathering, ground: Ground): void {
  note(g, ground, ground.rank === g.rank);
}
