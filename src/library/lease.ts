import { LEASE_MS } from "../core/execution.ts";
import type { AttemptId } from "../core/ids.ts";
import { renew } from "../gate/claim.ts";
import type { Deps } from "../gate/deps.ts";
import { LeewayRefusal } from "./refusal.ts";

/** Aborts when the right to act was lost while acting. */
export type Lease = { signal: AbortSignal; stop(): void };

/**
 * Renews a claim for as long as its tool acts. The heartbeat is of real time whatever clock the gate was given: a tool
 * takes as long as it takes.
 */
export function keepLease(deps: Deps, executionId: string, attempt: AttemptId): Lease {
  const lost = new AbortController();
  let renewedMs = deps.clock.nowMs();
  const beat = async () => {
    try {
      const renewed = await renew(deps, executionId, attempt);
      if (renewed.ok) renewedMs = deps.clock.nowMs();
      else lost.abort(new LeewayRefusal(renewed));
    } catch (error) {
      // One missed beat is made up for by the next; only when the lease must have run out is the tool told.
      if (deps.clock.nowMs() - renewedMs >= LEASE_MS) lost.abort(error);
    }
  };
  const timer = setInterval(beat, LEASE_MS / 3);
  timer.unref();
  return { signal: lost.signal, stop: () => clearInterval(timer) };
}
