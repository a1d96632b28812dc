import { StoreUnavailable } from "../../../ports.ts";
import type { Connection } from "./connection.ts";
import { faultOf } from "./faults.ts";

export type Patience = { connection: Connection; busyMs: number };

/**
 * Does something with the database, and repeats it while another process holds the lock. Any other failure leaves no
 * open transaction and no broken connection: the next use opens a new one.
 */
export async function patiently<T>({ connection, busyMs }: Patience, act: () => T): Promise<T> {
  const startedMs = upMs();
  for (let tries = 0; ; tries++) {
    try {
      return act();
    } catch (error) {
      const fault = faultOf(error, connection.path);
      if (fault?.busy !== true || upMs() - startedMs >= busyMs) {
        connection.drop();
        throw fault === undefined || error instanceof StoreUnavailable
          ? error
          : new StoreUnavailable(fault.message, { cause: error, hint: fault.hint });
      }
      connection.rollBack();
      await pause(tries);
    }
  }
}

/** Not `performance`: loading it takes as long as ten reads. */
function upMs(): number {
  return process.uptime() * 1_000;
}

/**
 * Random pauses, so that two processes do not collide again; short at first, because the lock is held for about one
 * sync.
 */
function pause(tries: number): Promise<void> {
  const ms = Math.min(1 + tries / 4, 20) * (0.5 + Math.random());
  return new Promise((resolve) => setTimeout(resolve, ms));
}
