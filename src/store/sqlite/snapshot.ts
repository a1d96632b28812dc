import type { Connection } from "./connection.ts";
import type { Database } from "./driver.ts";

/**
 * Reads of one turn share one snapshot: opening one costs more than a lookup. It ends before anything else can happen,
 * so that nobody who heard of a commit reads from before it.
 */
export type Snapshot = {
  database(): Database;
  /** For one statement and no more: the first of a turn is its own snapshot, and a lone caller opens none. */
  glance(): Database;
  end(): void;
};

export function snapshot(connection: Connection): Snapshot {
  let open: Database | undefined;
  let glanced = false;
  const end = () => {
    glanced = false;
    if (open === undefined) return;
    open = undefined;
    connection.rollBack();
  };
  const database = () => {
    const db = connection.current();
    if (open === db && db.inTransaction) return db;
    db.prepare("begin").run();
    open = db;
    process.nextTick(end);
    return db;
  };
  return {
    end,
    database,
    glance: () => {
      if (glanced || open !== undefined) return database();
      glanced = true;
      process.nextTick(end);
      return connection.current();
    },
  };
}
