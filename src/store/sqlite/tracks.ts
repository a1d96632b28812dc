import type { EntryKind } from "../../core/ledger.ts";
import { emptyRecord, foldTrust, type TrustRecord, trackedBy, trustKey } from "../../core/trust/trust.ts";
import type { Query } from "../../ports.ts";
import { placeOf } from "../sql/places.ts";
import { type AboutQuestion, type AppendedEntry, bookOver, countedEntry } from "../sql/tracks.ts";
import type { Database } from "./file/driver.ts";

export type Tracks = {
  /**
   * Called inside the transaction, before anything is appended. `isOurs`: nobody else has written since the last one.
   */
  begin(isOurs: boolean): void;
  count(db: Database, space: number, entry: AppendedEntry): void;
  /** Writes what changed. */
  write(db: Database): void;
  /** Called after the commit: the remembered rows are valid. */
  keep(): void;
};

type Track = { record: TrustRecord; place: number | undefined; space: number };

/** Enough for the agents that are active now; rows of others are read again. */
const REMEMBERED_MAX = 5_000;

export function tracksKept(): Tracks {
  const known = new Map<string, Track>();
  const changed = new Set<Track>();
  let isKept = false;
  return {
    begin: (isOurs) => {
      if (!isOurs || !isKept || known.size > REMEMBERED_MAX) known.clear();
      changed.clear();
      isKept = false;
    },
    count: (db, space, entry) => {
      if (trackedBy(entry) === undefined) return;
      const track = (of: Pick<TrustRecord, "agent" | "class" | "tool">) => {
        const key = `${space} ${trustKey(of)}`;
        const found = known.get(key) ?? trackAt(db, space, of);
        known.set(key, found);
        changed.add(found);
        return found.record;
      };
      foldTrust(bookOver(questionIn(db, space, entry.place), track), countedEntry(entry));
    },
    write: (db) => {
      for (const one of changed) writeTrack(db, one);
      changed.clear();
    },
    keep: () => {
      isKept = true;
    },
  };
}

function trackAt(db: Database, space: number, of: Pick<TrustRecord, "agent" | "class" | "tool">): Track {
  const found = db
    .prepare("select place, row from tracks where space = ? and agent = ? and class = ? and tool = ?")
    .get(space, of.agent, of.class, of.tool);
  if (found === undefined) return { record: emptyRecord(of), place: undefined, space };
  return { record: JSON.parse(String(found["row"])), place: Number(found["place"]), space };
}

function writeTrack(db: Database, track: Track): void {
  const { record, place, space } = track;
  const row = JSON.stringify(record);
  if (place !== undefined) {
    db.prepare("update tracks set row = ? where place = ?").run(row, place);
    return;
  }
  const made = db
    .prepare("insert into tracks (space, agent, class, tool, row) values (?, ?, ?, ?, ?) returning place")
    .get(space, record.agent, record.class, record.tool, row);
  track.place = Number(made?.["place"]);
}

/** The entries about a question before this place. */
function questionIn(db: Database, space: number, place: number): (approval: string) => readonly AboutQuestion[] {
  return (approval) =>
    db
      .prepare(ABOUT_QUESTION)
      .all(approval, placeOf(space, 0), place)
      .map(({ kind, at_ms, subject }) => ({
        kind: kind as EntryKind,
        atMs: Number(at_ms),
        subject: String(subject),
      }));
}

/** Newest first. */
const ABOUT_QUESTION =
  "select kind, at_ms, subject from entries where approval = ? and place > ? and place < ? order by place desc";

export function trustOf(
  db: Database,
  space: number,
  { agent }: Extract<Query, { ask: "trust" }>,
): readonly TrustRecord[] {
  const [sql, values] = agent === undefined ? ["", [space]] : [" and agent = ?", [space, agent]];
  return db
    .prepare(`select row from tracks where space = ?${sql} order by place`)
    .all(...values)
    .map((found) => JSON.parse(String(found["row"])));
}
