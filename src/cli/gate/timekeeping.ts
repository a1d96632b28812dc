import { ring } from "../../gate/time/timers.ts";
import type { OpenedGate } from "./database.ts";

const ROWS_MAX = 50;
const TAKE_MS = 10_000;

/**
 * Records what depends on time only: expired questions and lost claims. It runs no calls and sends no notices,
 * because another process may have the tools and channels for that.
 */
export async function keepTime(deps: OpenedGate): Promise<void> {
  const { workspace, owner, clock } = deps;
  const taking = { workspace, max: ROWS_MAX, leaseMs: TAKE_MS, owner, nowMs: clock.nowMs() };
  for (const taken of await deps.store.take("timers", taking)) await ring(deps, taken);
}
