import { ring } from "../../gate/time/timers.ts";
import type { Opened } from "./database.ts";

const ROWS_MAX = 50;
const TAKE_MS = 10_000;

/**
 * Writes down what only time brings: what expired, and what nobody came back from. It runs and sends nothing, because a
 * program that has the tools and the channels may be waiting for its turn to.
 */
export async function keepTime(deps: Opened): Promise<void> {
  const { workspace, owner, clock } = deps;
  const taking = { workspace, max: ROWS_MAX, leaseMs: TAKE_MS, owner, nowMs: clock.nowMs() };
  for (const taken of await deps.store.take("timers", taking)) await ring(deps, taken);
}
