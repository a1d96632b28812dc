import { LEASE_MS } from "../../core/execution.ts";

// What it takes to hold a right while acting on it, in this program or at a server.

/** Aborts when the right to act was lost while acting. */
type Lease = { signal: AbortSignal; stop(): void };

type Keeping = {
  /** Says why the right is lost, where it is; throws where that cannot be known just now. */
  renew(): Promise<{ lost: unknown } | undefined>;
  nowMs(): number;
};

/**
 * Renews a claim for as long as its tool acts. The heartbeat is of real time whatever clock the gate was given: a tool
 * takes as long as it takes.
 */
export function keepLease({ renew, nowMs }: Keeping): Lease {
  const gone = new AbortController();
  let renewedMs = nowMs();
  const beat = async () => {
    try {
      const refused = await renew();
      if (refused === undefined) renewedMs = nowMs();
      else gone.abort(refused.lost);
    } catch (error) {
      // One missed beat is made up for by the next; only when the lease must have run out is the tool told.
      if (nowMs() - renewedMs >= LEASE_MS) gone.abort(error);
    }
  };
  const timer = setInterval(beat, LEASE_MS / 3);
  timer.unref();
  return { signal: gone.signal, stop: () => clearInterval(timer) };
}

const RECORD_TRIES_MAX = 5;
const RECORD_PAUSE_MS = 100;

/** It has happened: that the record is away for a moment must not turn a known outcome into an unknown one. */
export async function recorded<T>(
  record: () => Promise<T>,
  how: { sleep(ms: number): Promise<void>; isFinal(error: unknown): boolean },
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await record();
    } catch (error) {
      if (how.isFinal(error) || tries === RECORD_TRIES_MAX) throw error;
      await how.sleep(RECORD_PAUSE_MS * 2 ** tries);
    }
  }
}
