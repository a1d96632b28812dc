import { LEASE_MS } from "../core/execution.ts";
import type { AttemptId } from "../core/ids.ts";
import type { Holding } from "./calls.ts";
import { isFinal } from "./refusal.ts";

/** Aborts when the right to act was lost while acting. */
export type Lease = { signal: AbortSignal; stop(): void };

/**
 * Renews a claim for as long as its tool acts. The heartbeat is of real time whatever clock the gate was given: a tool
 * takes as long as it takes.
 */
export function keepLease(gate: Holding, executionId: string, attempt: AttemptId): Lease {
  const lost = new AbortController();
  let renewedMs = gate.nowMs();
  const beat = async () => {
    try {
      await gate.renew(executionId, attempt);
      renewedMs = gate.nowMs();
    } catch (error) {
      // One missed beat is made up for by the next; only when the lease must have run out is the tool told.
      if (isFinal(error) || gate.nowMs() - renewedMs >= LEASE_MS) lost.abort(error);
    }
  };
  const timer = setInterval(beat, LEASE_MS / 3);
  timer.unref();
  return { signal: lost.signal, stop: () => clearInterval(timer) };
}
