import type { Versioned } from "../../core/rows/rows.ts";
import { callNamed } from "../../core/rows/stored-call.ts";
import type { SqlRow, SqlValue } from "../sql/columns.ts";
import { bornRightIn, CALL_COLUMNS, CALL_JOINS, callIn } from "../sql/found.ts";
import { placeOf } from "../sql/places.ts";
import type { Database } from "./file/driver.ts";
import type { Seals } from "./seals.ts";

const FROM = `calls c${CALL_JOINS}`;
/** Very few calls have an alarm. Without the hint, SQLite would scan all calls of the workspace. */
const ALARMED = `calls c indexed by calls_wake${CALL_JOINS}`;

/** The index of the entry that first decided a call. */
export const FIRST_DECIDED =
  "(select place from entries where call = ? and place > ? and place < ? and kind = 'call.decided' order by place limit 1)";

/** The parameters of `FIRST_DECIDED`. */
export function inSpace(space: number, call: string): readonly [call: string, after: number, before: number] {
  return [call, placeOf(space, 0), placeOf(space + 1, 0)];
}

export function callAt(db: Database, of: WorkspaceRef, place: number): Versioned<"calls"> | undefined {
  const found = db.prepare(`select ${CALL_COLUMNS} from ${FROM} where c.place = ?`).get(place);
  return found === undefined ? undefined : callIn(of, found);
}

export function callOf(db: Database, of: WorkspaceRef, id: string): Versioned<"calls"> | undefined {
  const found = foundOf(db, of, id);
  return found === undefined ? undefined : callIn(of, found);
}

/** The execution stored with a call. */
export function bornRightOf(db: Database, of: WorkspaceRef, id: string): Versioned<"executions"> | undefined {
  const found = foundOf(db, of, callNamed(id));
  return found === undefined || found["execution"] === null ? undefined : bornRightIn(of, found);
}

/** The workspace, its number in the database, and what decrypts its secrets. */
export type WorkspaceRef = { space: number; workspace: string; seals: Pick<Seals, "read"> };

function foundOf(db: Database, { space }: WorkspaceRef, id: string): SqlRow | undefined {
  const found = db
    .prepare(`select ${CALL_COLUMNS} from ${FROM} where c.place = ${FIRST_DECIDED}`)
    .get(...inSpace(space, id));
  if (found !== undefined) return found;
  // Rows of an early version without an entry are stored completely, below all others.
  const early = `select ${CALL_COLUMNS} from ${FROM} where c.place < 0 and c.space = ? and c.row ->> '$.id' = ?`;
  return db.prepare(early).get(space, id);
}

/** Calls whose id starts with this text; `born`: only those with their execution. */
export function callsNamed(db: Database, { space }: WorkspaceRef, prefix: string, how: Named): readonly SqlRow[] {
  const named = "select place from entries where call >= ? and call < ? and place > ? and place < ?";
  const born = how.born ? " and c.execution is not null" : "";
  const order = how.order === "newest" ? "desc" : "asc";
  const [, after, before] = inSpace(space, prefix);
  return db
    .prepare(`select ${CALL_COLUMNS} from ${FROM} where c.place in (${named})${born} order by c.place ${order} limit ?`)
    .all(prefix, `${prefix}\u{10ffff}`, after, before, how.limit);
}

type Named = { born: boolean; limit: number; order: "newest" | "oldest" | "soonest" };

/** Calls whose alarm is due: each has an execution that was claimed and not settled. */
export function callsDue(db: Database, space: SqlValue, nowMs: number, max: number): readonly SqlRow[] {
  return db
    .prepare(
      `select ${CALL_COLUMNS}, c.wake_ms from ${ALARMED} where c.wake_ms <= ? and c.space = ? order by c.wake_ms limit ?`,
    )
    .all(nowMs, space, max);
}
