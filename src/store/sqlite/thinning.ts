import type { Database } from "./driver.ts";

// Databases of before kept effect, decision and folder of a call twice: in its row and in the entry that decided it. Rows
// are thinned out some at a time, each time in a transaction of its own: whoever is interrupted, or opens the database
// meanwhile, goes on where the last one stopped. A row that was not reached yet is read as it is.

/** So many that a step takes some hundredths of a second, and others can write between two of them. */
const ROWS_AT_ONCE = 1_000;

/** Called between two steps: how many places of calls were looked at, and how many there are. */
export type ThinningProgress = (done: number, of: number) => void;

export function thinCalls(db: Database, onProgress?: ThinningProgress): void {
  if (!isThinning(db)) return;
  const last = Number(db.prepare("select max(place) as place from calls").get()?.["place"] ?? 0);
  // Freed bytes are overwritten: what an erased entry said must not stay behind in a row.
  db.exec("pragma secure_delete = on");
  try {
    for (let done = 0; done < last; ) {
      const next = thinSome(db);
      if (next === undefined) return;
      done = next;
      onProgress?.(Math.min(done, last), last);
    }
    db.exec("begin immediate; delete from thinning; commit");
    // The log still holds the rows as they were. Somebody who reads just now keeps it so until the next checkpoint.
    db.prepare("pragma wal_checkpoint(truncate)").get();
  } finally {
    db.exec("pragma secure_delete = off");
  }
}

function isThinning(db: Database): boolean {
  return db.prepare("select 1 from thinning limit 1").get() !== undefined;
}

const ENTRY =
  "(select max(place) from entries where entries.call = calls.id and kind = 'call.decided' " +
  "and entries.place / 1099511627776 = calls.space)";
const THIN =
  `update calls set decided = ${ENTRY}, row = json_remove(row, '$.effect', '$.decision', '$.cwd') ` +
  `where place > ? and place <= ? and decided is null and ${ENTRY} is not null`;

/** The place up to which every row is thinned out now; undefined where somebody else has come to the end. */
function thinSome(db: Database): number | undefined {
  db.exec("begin immediate");
  try {
    const from = db.prepare("select place from thinning limit 1").get()?.["place"];
    if (from === undefined) {
      db.exec("rollback");
      return undefined;
    }
    const to = Number(from) + ROWS_AT_ONCE;
    db.prepare(THIN).run(Number(from), to);
    db.prepare("update thinning set place = ?").run(to);
    db.exec("commit");
    return to;
  } catch (error) {
    if (db.inTransaction) db.exec("rollback");
    throw error;
  }
}
