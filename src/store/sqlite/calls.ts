import type { CallRow, Versioned } from "../../core/rows/rows.ts";
import {
  bornNames,
  type CallPlace,
  callNamed,
  type KeptCall,
  type KeptRight,
  wholeCall,
  wholeRight,
} from "../../core/rows/stored-call.ts";
import type { SqlRow, SqlValue } from "../sql/columns.ts";
import { type Database, textFrom } from "./file/driver.ts";
import { placeOf } from "./heads.ts";
import type { Seals } from "./seals.ts";

// How a call is stored, with the execution created with it: in one row, at the index of the entry that first decided
// it. So the index from a call to its entries also leads to its row. `decided` is the index of the entry that decided
// it last, if that is another one. What the entry says is read from there.

const COLUMNS =
  "c.place, c.version, c.key, c.sort_ms, c.row, c.args, c.execution, c.execution_version, c.result, first.call as id, " +
  "case when c.decided is null then first.subject else last.subject end as subject, " +
  "case when c.decided is null then first.body else last.body end as body";

/** A row that was changed to point to the entry of another call finds nothing there. */
const JOINED =
  " left join entries first on first.place = c.place " +
  "left join entries last on last.place = c.decided and last.call = first.call and last.kind = 'call.decided'";

const FROM = `calls c${JOINED}`;
/** Very few calls have an alarm. Without the hint, SQLite would scan all calls of the workspace. */
const ALARMED = `calls c indexed by calls_wake${JOINED}`;

/** The index of the entry that first decided a call. */
export const FIRST_DECIDED =
  "(select place from entries where call = ? and place > ? and place < ? and kind = 'call.decided' order by place limit 1)";

/** The parameters of `FIRST_DECIDED`. */
export function inSpace(space: number, call: string): readonly [call: string, after: number, before: number] {
  return [call, placeOf(space, 0), placeOf(space + 1, 0)];
}

export function callAt(db: Database, of: WorkspaceRef, place: number): Versioned<"calls"> | undefined {
  const found = db.prepare(`select ${COLUMNS} from ${FROM} where c.place = ?`).get(place);
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
    .prepare(`select ${COLUMNS} from ${FROM} where c.place = ${FIRST_DECIDED}`)
    .get(...inSpace(space, id));
  if (found !== undefined) return found;
  // Rows of an early version without an entry are stored completely, below all others.
  const early = `select ${COLUMNS} from ${FROM} where c.place < 0 and c.space = ? and c.row ->> '$.id' = ?`;
  return db.prepare(early).get(space, id);
}

/** Calls whose id starts with this text; `born`: only those with their execution. */
export function callsNamed(db: Database, { space }: WorkspaceRef, prefix: string, how: Named): readonly SqlRow[] {
  const named = "select place from entries where call >= ? and call < ? and place > ? and place < ?";
  const born = how.born ? " and c.execution is not null" : "";
  const order = how.order === "newest" ? "desc" : "asc";
  const [, after, before] = inSpace(space, prefix);
  return db
    .prepare(`select ${COLUMNS} from ${FROM} where c.place in (${named})${born} order by c.place ${order} limit ?`)
    .all(prefix, `${prefix}\u{10ffff}`, after, before, how.limit);
}

type Named = { born: boolean; limit: number; order: "newest" | "oldest" | "soonest" };

/** Calls whose alarm is due: each has an execution that was claimed and not settled. */
export function callsDue(db: Database, space: SqlValue, nowMs: number, max: number): readonly SqlRow[] {
  return db
    .prepare(
      `select ${COLUMNS}, c.wake_ms from ${ALARMED} where c.wake_ms <= ? and c.space = ? order by c.wake_ms limit ?`,
    )
    .all(nowMs, space, max);
}

export function callIn(of: In, found: SqlRow): Versioned<"calls"> {
  return { row: rowIn(of, found), version: Number(found["version"]) };
}

export function bornRightIn(of: In, found: SqlRow): Versioned<"executions"> {
  const kept = JSON.parse(String(found["execution"])) as KeptRight;
  const { result = null } = found;
  const left = result === null ? undefined : of.seals.read(result, bornIdIn(found));
  return { row: wholeRight(kept, rowIn(of, found), left), version: Number(found["execution_version"]) };
}

type In = Pick<WorkspaceRef, "workspace" | "seals">;

function rowIn({ workspace, seals }: In, found: SqlRow): CallRow {
  const kept = JSON.parse(String(found["row"])) as KeptCall & { id?: CallPlace["id"] };
  const { subject = null, body = null, args } = found;
  const said = subject === null ? {} : JSON.parse(String(subject));
  const told = body === null ? undefined : JSON.parse(String(body));
  const about = String(kept.digest ?? told?.["digest"]);
  // A row of an early version without an entry contains everything.
  if (Number(found["place"]) < 0) return { ...(kept as unknown as CallRow), args: seals.read(args, about) };
  const at: CallPlace = {
    id: String(found["id"]) as CallPlace["id"],
    workspace,
    key: textFrom(found["key"]),
    atMs: Number(found["sort_ms"]),
    args: seals.read(args, about),
  };
  return wholeCall(at, kept, said, told);
}

/** The id of the execution stored with a call. */
export function bornIdIn(found: SqlRow): string {
  return bornNames(String(found["id"]) as CallPlace["id"]).execution;
}
