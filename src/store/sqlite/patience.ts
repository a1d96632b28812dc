import { StoreUnavailable } from "../../ports.ts";
import type { Connection } from "./connection.ts";
import { faultOf } from "./faults.ts";

export type Patience = { connection: Connection; busyMs: number };

/**
 * Does something with the database, and does it again as long as another process holds the lock. What fails otherwise
 * leaves no half-done transaction behind and no broken connection: the next one opens a new one.
 */
export async function patiently<T>({ connection, busyMs }: Patience, act: () => T): Promise<T> {
  const startedMs = upMs();
  for (let tries = 0; ; tries++) {
    try {
      return act();
    } catch (error) {
      const fault = faultOf(error);
      if (fault?.busy !== true || upMs() - startedMs >= busyMs) {
        connection.drop();
        throw fault === undefined ? error : new StoreUnavailable(fault.message, { cause: error });
      }
      connection.rollBack();
      await pause(tries);
    }
  }
}

/** Not `performance`: Node gets that ready where it is first used, which takes as long as ten reads. */
function upMs(): number {
  return process.uptime() * 1_000;
}

/** Unequal pauses, so that two who met do not meet again; short at first, because the lock is held for about a sync. */
function pause(tries: number): Promise<void> {
  const ms = Math.min(1 + tries / 4, 20) * (0.5 + Math.random());
  return new Promise((resolve) => setTimeout(resolve, ms));
}
