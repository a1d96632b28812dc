import type { Found, Query, Store } from "../../ports.ts";
import { answerTo } from "./answers.ts";
import { checkpoints } from "./checkpoint.ts";
import { groupCommit } from "./commits.ts";
import { connection as connectionTo } from "./connection.ts";
import { type OpenDatabase, openDatabase } from "./driver.ts";
import { faultOf } from "./faults.ts";
import { patiently } from "./patience.ts";
import { snapshot } from "./snapshot.ts";
import { takeFrom } from "./take.ts";
import type { ThinningProgress } from "./thinning.ts";
import { wakes } from "./wakes.ts";

export type SqliteOptions = {
  /** How long to wait for another process that holds the lock. */
  busyMs?: number;
  /** Another way to open the file, for tests that make it fail. */
  open?: OpenDatabase;
  /** Told how far a database of an earlier version was brought up to date. */
  onProgress?: ThinningProgress;
};

const BUSY_MS = 5_000;

/** One file, any number of processes. Opened when first used; after a failure the next use opens it again. */
export function sqliteStore(path: string, options: SqliteOptions = {}): Store {
  const connection = connectionTo(path, options.open ?? openDatabase, options.onProgress);
  const patience = { connection, busyMs: options.busyMs ?? BUSY_MS };
  const reading = snapshot(connection);
  const writing = () => {
    reading.end();
    return connection.open();
  };
  const log = checkpoints(path, writing);
  const watching = wakes(() => changedElsewhere());
  let seenVersion: unknown;
  const changedElsewhere = () => {
    try {
      const version = connection.current().prepare("pragma data_version").get()?.["data_version"];
      const changed = version !== seenVersion;
      seenVersion = version;
      return changed;
    } catch (error) {
      // Who reads will hear of it; a wake is only a hint.
      if (faultOf(error) === undefined) throw error;
      return false;
    }
  };
  const commits = groupCommit(patience, writing, ({ workspaces, bytes }) => {
    watching.notify(workspaces);
    log.wrote(bytes);
  });
  return {
    read: <const Q extends Query>(query: Q) => patiently(patience, () => answerTo(reading, query) as Found<Q>),
    commit: commits.commit,
    take: (queue, t) => patiently(patience, () => takeFrom(writing(), queue, t)),
    watch: watching.watch,
    close: async () => {
      watching.stop();
      await commits.idle();
      await log.stop();
      reading.end();
      connection.drop();
    },
  };
}
