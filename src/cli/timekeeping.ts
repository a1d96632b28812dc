import { ring } from "../gate/timers.ts";
import type { Opened } from "./gate.ts";

const ROWS_MAX = 50;
const TAKE_MS = 10_000;

/**
 * Writes down what only time brings: what expired, and what nobody came back from. It runs and sends nothing, because a
 * program that has the tools and the channels may be waiting for its turn to.
 */
export async function keepTime(deps: Opened): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const due = await deps.store.take("timers", { max: ROWS_MAX, leaseMs: TAKE_MS, owner: deps.owner, nowMs });
  for (const taken of due) if (taken.row.workspace === deps.workspace) await ring(deps, taken);
}
