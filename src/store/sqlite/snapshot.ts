import type { Connection } from "./connection.ts";
import type { Database } from "./driver.ts";

/**
 * Reads of one turn share one snapshot: opening one costs more than a lookup. It ends before anything else can happen,
 * so that nobody who heard of a commit reads from before it.
 */
export type Snapshot = { database(): Database; end(): void };

export function snapshot(connection: Connection): Snapshot {
  let open: Database | undefined;
  const end = () => {
    if (open === undefined) return;
    open = undefined;
    connection.rollBack();
  };
  return {
    end,
    database: () => {
      const db = connection.current();
      if (open === db && db.inTransaction) return db;
      db.prepare("begin").run();
      open = db;
      process.nextTick(end);
      return db;
    },
  };
}
