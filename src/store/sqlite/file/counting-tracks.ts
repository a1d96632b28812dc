import type { EntryKind } from "../../../core/ledger.ts";
import { indexAt, placeOf } from "../../sql/places.ts";
import { tracksKept } from "../tracks.ts";
import type { Database } from "./driver.ts";
import type { MovingProgress } from "./moving-calls.ts";

// The entries of an older database were never counted. They are counted once, when it is opened. Each step is a
// transaction that records its progress, so an interrupted or concurrent process continues from there. The database
// is not used before all are counted.

/** A step takes some hundredths of a second, and others can write between two steps. */
const ENTRIES_AT_ONCE = 5_000;

export function countTracks(db: Database, onProgress?: MovingProgress): void {
  const tracks = tracksKept();
  const isThere = () => db.prepare("select 1 from sqlite_schema where name = 'tracking'").get() !== undefined;
  while (isThere()) {
    db.exec("begin immediate");
    try {
      // Another process may have finished.
      if (isThere()) countSome(db, tracks, onProgress);
      db.exec("commit");
    } catch (error) {
      if (db.inTransaction) db.exec("rollback");
      throw error;
    }
  }
}

const SOME =
  "select place, at_ms, kind, actor, subject, body from entries where place > ? and place <= ? order by place limit ?";

function countSome(db: Database, tracks: ReturnType<typeof tracksKept>, onProgress: MovingProgress | undefined): void {
  const next = db.prepare("select tracking.space, place, entry from tracking join chains using (space) limit 1").get();
  if (next === undefined) {
    db.exec("drop table tracking");
    return;
  }
  const [space, place, entry] = [Number(next["space"]), Number(next["place"]), Number(next["entry"])];
  tracks.begin(false);
  const entries = db.prepare(SOME).all(place, placeOf(space, entry), ENTRIES_AT_ONCE);
  for (const one of entries) {
    tracks.count(db, space, {
      place: Number(one["place"]),
      atMs: Number(one["at_ms"]),
      kind: String(one["kind"]) as EntryKind,
      actor: String(one["actor"]),
      subject: JSON.parse(String(one["subject"])),
      text: one["body"] === null || one["body"] === undefined ? null : String(one["body"]),
    });
  }
  tracks.write(db);
  if (entries.length < ENTRIES_AT_ONCE) {
    db.prepare("delete from tracking where space = ?").run(space);
    return;
  }
  const last = Number(entries.at(-1)?.["place"]);
  db.prepare("update tracking set place = ? where space = ?").run(last, space);
  onProgress?.(indexAt(last), entry);
}
