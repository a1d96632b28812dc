import type { CallRow } from "../../../core/rows/rows.ts";
import { type CallPlace, type KeptCall, keptCall, wholeCall } from "../../../core/rows/stored-call.ts";
import { ERASED_SECRET } from "../../../core/secret.ts";
import { canonical } from "../../../core/values/canonical.ts";
import type { Json, JsonObject } from "../../../core/values/json.ts";
import type { SqlRow } from "../../sql/columns.ts";
import { inSpace } from "../calls.ts";
import type { Database } from "./driver.ts";

// Calls of an older database are in a table of their own, `calls_before`, and are moved to the new place. Each step
// is a transaction, so an interrupted or concurrent process continues with the rest. The database is not used before
// all are moved.

/** A step takes some hundredths of a second, and others can write between two steps. */
const ROWS_AT_ONCE = 1_000;

/** Called between two steps: how many calls were moved, and how many there were. */
export type MovingProgress = (done: number, of: number) => void;

export function moveCalls(db: Database, onProgress?: MovingProgress): void {
  const count = countOf(db);
  if (count === undefined) return;
  // Freed bytes are overwritten, so that erased content does not stay in a row.
  db.exec("pragma secure_delete = on");
  try {
    for (let left = count; left > 0; ) {
      const now = moveSome(db);
      if (now === undefined) return;
      left = now;
      onProgress?.(count - left, count);
    }
    db.exec("begin immediate; drop table if exists calls_before; commit");
    // The log still contains the old rows. A process that is reading keeps it so until the next checkpoint.
    db.prepare("pragma wal_checkpoint(truncate)").get();
  } finally {
    db.exec("pragma secure_delete = fast");
  }
}

/** How many are to be moved; undefined if there are none. One transaction, because another process may finish in between. */
function countOf(db: Database): number | undefined {
  if (!isThere(db)) return undefined;
  db.exec("begin");
  try {
    return isThere(db) ? Number(db.prepare("select count(*) as count from calls_before").get()?.["count"]) : undefined;
  } finally {
    db.exec("rollback");
  }
}

function isThere(db: Database): boolean {
  return db.prepare("select 1 from sqlite_schema where name = 'calls_before'").get() !== undefined;
}

/** How many are left; undefined if another process has finished. */
function moveSome(db: Database): number | undefined {
  db.exec("begin immediate");
  try {
    if (!isThere(db)) {
      db.exec("rollback");
      return undefined;
    }
    const rows = db.prepare("select * from calls_before order by place limit ?").all(ROWS_AT_ONCE);
    for (const row of rows) moveOne(db, row);
    const left = Number(db.prepare("select count(*) as count from calls_before").get()?.["count"]);
    db.exec("commit");
    return left;
  } catch (error) {
    if (db.inTransaction) db.exec("rollback");
    throw error;
  }
}

const ENTRIES =
  "select place, subject, body from entries where call = ? and place > ? and place < ? and kind = 'call.decided' order by place";
const MOVE =
  "insert into calls (place, space, version, key, sort_ms, decided, row, args) " +
  "values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing";

function moveOne(db: Database, before: SqlRow): void {
  const { place: at, space, version, decided: lastAt } = before as { [name: string]: number | null };
  const { args, ...row } = JSON.parse(String(before["row"])) as Omit<CallRow, "args"> & { args: string };
  const entries = db.prepare(ENTRIES).all(...inSpace(Number(space), row.id));
  const [first] = entries;
  const last = entries.find(({ place }) => place === lastAt) ?? entries.at(-1);
  const place = first === undefined ? -Number(at) : Number(first["place"]);
  const decided = last === undefined || last["place"] === place ? null : Number(last["place"]);
  const kept = JSON.stringify(last === undefined ? row : keptOf(row, last));
  const put = (key: string) =>
    db
      .prepare(MOVE)
      .run(
        place,
        Number(space),
        Number(version),
        key,
        Number(before["sort_ms"]),
        decided,
        kept,
        args === ERASED ? null : args,
      );
  // No version allowed two calls with one key; if there are two, the newer one loses only the key.
  if (put(String(before["key"])) !== 1 && put(`${before["key"]}\n${row.id}`) !== 1) {
    throw new Error(`the call ${row.id} lies in the place of another one`);
  }
  db.prepare("delete from calls_before where place = ?").run(at ?? null);
}

/** How erased arguments were stored. */
const ERASED = "sealed:";

const TOLD = ["approvalId", "callId", "chain", "digest"] as const;

/** What the row must keep so that row and entry together say the same as before. */
function keptOf(row: Omit<CallRow, "args">, { subject, body }: SqlRow): KeptCall {
  const kept: KeptCall = { ...keptCall(row), claims: row.claims };
  if (row.described !== undefined) kept.described = row.described;
  const said = body === null || body === undefined ? undefined : (JSON.parse(String(body)) as JsonObject);
  const { id, workspace, key, atMs } = row;
  const place: CallPlace = { id, workspace, key, atMs, args: ERASED_SECRET };
  const whole = wholeCall(place, kept, JSON.parse(String(subject)), said);
  for (const name of TOLD) {
    const [was, is] = [row[name], whole[name]].map((value) => (value === undefined ? "" : canonical(value as Json)));
    if (was !== is && row[name] !== undefined) Object.assign(kept, { [name]: row[name] });
  }
  return kept;
}
