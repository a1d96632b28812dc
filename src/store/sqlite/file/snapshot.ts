import type { Connection } from "./connection.ts";
import type { Database } from "./driver.ts";

/**
 * Reads in one turn of the event loop share a snapshot, because opening one costs more than a lookup. It ends with
 * the turn, so that nobody who knows of a commit reads older data.
 */
export type Snapshot = {
  database(): Database;
  /** For a single statement: the first of a turn is its own snapshot, so a single caller opens none. */
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
