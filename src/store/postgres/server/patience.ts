import { StoreUnavailable } from "../../../ports.ts";
import { faultOf } from "./faults.ts";

/** A server that restarts is back within a second or two; somebody waits for the answer. */
const PATIENCE_MS = 2_000;

/**
 * Does something with the database, and repeats it while that may help: after a lost connection or a restart. What was
 * committed without an answer is recognised by its id.
 */
export async function patiently<T>(act: () => Promise<T>, patienceMs: number = PATIENCE_MS): Promise<T> {
  const startedMs = upMs();
  for (let tries = 0; ; tries++) {
    try {
      return await act();
    } catch (error) {
      const fault = faultOf(error);
      if (fault === undefined) throw error;
      // The connections that were open before a restart are all dead: the first tries only find that out.
      if (!fault.passes || upMs() - startedMs >= patienceMs) {
        throw error instanceof StoreUnavailable
          ? error
          : new StoreUnavailable(fault.message, { cause: error, hint: fault.hint });
      }
      await pause(tries);
    }
  }
}

function upMs(): number {
  return process.uptime() * 1_000;
}

/** Random pauses, so that many processes do not come back at the same moment. */
function pause(tries: number): Promise<void> {
  const ms = Math.min(2 ** tries, 200) * (0.5 + Math.random());
  return new Promise((resolve) => setTimeout(resolve, ms));
}
