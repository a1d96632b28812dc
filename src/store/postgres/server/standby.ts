import { setTimeout as sleep } from "node:timers/promises";
import { say } from "../../../core/messages/message.ts";
import { StoreUnavailable } from "../../../ports.ts";
import { isOfWaiting } from "./faults.ts";
import type { Server } from "./server.ts";

// With `synchronous_standby_names` a commit is written and then waits, with its locks, until a standby has it. If none answers it waits
// without end: whoever sent it hears nothing, and everybody after it waits for its lock. No time limit of PostgreSQL ends it.

const WAITING = `select current_setting('synchronous_standby_names') as names from pg_catalog.pg_stat_activity
  where datname = current_database() and wait_event = 'SyncRep' limit 1`;

/** Refuses with the true reason, if that is why a Change was not answered, or did not get the lock. */
export async function refuseWithoutStandby(server: Server, error: unknown): Promise<void> {
  if (!isOfWaiting(error)) return;
  const asked = server.read((session) => session.run(WAITING, [])).catch(() => NOT_KNOWN);
  const [found] = await Promise.race([asked, sleep(LOOK_MS, NOT_KNOWN, { ref: false })]);
  if (found === undefined) return;
  throw new StoreUnavailable(
    `PostgreSQL waits for a synchronous standby that does not answer (synchronous_standby_names is '${found["names"]}')`,
    { cause: error, hint: say("hint.standby_gone") },
  );
}

/** A PostgreSQL that does not answer at all is not waited for again. */
const LOOK_MS = 1_000;

/** What went wrong before is told instead. */
const NOT_KNOWN: readonly { names: string }[] = [];
