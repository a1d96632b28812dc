import type { Database } from "./file/driver.ts";

/** The current value of a counter; an expired one is zero. */
export function sumOf(db: Database, space: number, counter: string, nowMs: number): number {
  const found = db
    .prepare("select sum from counters where space = ? and counter = ? and until_ms > ?")
    .get(space, counter, nowMs);
  return Number(found?.["sum"] ?? 0);
}

export function addTo(
  db: Database,
  space: number,
  add: { counter: string; by: number; untilMs: number },
  nowMs: number,
): void {
  // A returned reservation of a counter that was reset meanwhile must not make it negative.
  const sum = Math.max(sumOf(db, space, add.counter, nowMs) + add.by, 0);
  db.prepare(
    "insert into counters (space, counter, sum, until_ms) values (?, ?, ?, ?) " +
      "on conflict (space, counter) do update set sum = excluded.sum, until_ms = excluded.until_ms",
  ).run(space, add.counter, sum, add.untilMs);
}
