import type { Database } from "../file/driver.ts";

/** A Change whose answer was lost is sent again within seconds. */
const CHANGES_KEPT_MS = 60 * 60 * 1000;

/** Long after their end, so that a clock that jumped ahead and back finds its counters again. */
const COUNTERS_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

const EVERY_CHANGES = 256;

/**
 * Deletes what nobody can request any more, in a transaction that is synced anyway, twice as fast as rows are added.
 */
export type Pruner = (db: Database, applied: { count: number; nowMs: number }) => void;

export function pruner(): Pruner {
  let since = 0;
  return (db, { count, nowMs }) => {
    since += count;
    if (since < EVERY_CHANGES) return;
    const max = 2 * since;
    since = 0;
    // Ids begin with their time, so the oldest are first.
    db.prepare("delete from changes where at_ms < ? and id in (select id from changes order by id limit ?)").run(
      nowMs - CHANGES_KEPT_MS,
      max,
    );
    db.prepare(
      "delete from counters where (space, counter) in (select space, counter from counters where until_ms < ? limit ?)",
    ).run(nowMs - COUNTERS_KEPT_MS, max);
  };
}
