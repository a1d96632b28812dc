import { ERASED_SECRET, type Sealed, Secret } from "../../core/secret.ts";
import type { Sealer } from "../../ports.ts";
import type { SqlValue } from "../sql/columns.ts";
import type { Database } from "./file/driver.ts";

// Secrets that are committed in one transaction are encrypted together. They are in a table of their own, and a row
// contains the number of the seal and of the line in it. Rows are rewritten often, and old content may stay in the
// file; a seal is written once, and again only to erase a line. Each line says what it belongs to, so that a row
// cannot be changed to point to another secret.

export type Seals = {
  /** Called before a batch is applied. */
  begin(db: Database): void;
  /** What to write instead of a secret. A secret that was read here stays where it is. */
  keep(secret: Secret, about: string): SqlValue;
  /** A position to return to, if what was added since is not written. */
  mark(): number;
  rewind(mark: number): void;
  /** Called after the batch was applied, in the same transaction. */
  end(): void;
  /** Called at the end of every batch: nothing of it is waiting to be written. */
  leave(): void;
  /** Rows of earlier versions contain the encrypted text itself. */
  read(value: SqlValue | undefined, about: string): Secret;
  /** Erases it completely; the other lines of its seal stay. */
  erase(db: Database, value: SqlValue | undefined): void;
};

/** More lines than a batch can have. */
const LINES_MAX = 1024;
/** A seal must be decrypted as a whole to read one line, so a large batch makes several. */
const SEAL_LENGTH_MAX = 256 * 1024;

type Line = readonly [about: string, text: string];

/** The secrets of the current batch that are not written yet. */
type Batch = { db: Database | undefined; place: number; lines: Line[]; length: number };

export function sealsOf(given: Sealer | undefined, database: () => Database): Seals {
  const sealer = given ?? NO_SEALER;
  const batch: Batch = { db: undefined, place: 0, lines: [], length: 0 };
  /** The locations of secrets that were read here: they may be decrypted later, so they are not moved. */
  const places = new WeakMap<Secret, SqlValue>();
  return {
    begin: (db) => {
      batch.db = db;
      batch.lines = [];
      batch.length = 0;
      batch.place = lastPlace(db) + 1;
    },
    keep: (secret, about) => places.get(secret) ?? keepLine(sealer, batch, [endOf(about), secret.open()]),
    mark: () => batch.place * LINES_MAX + batch.lines.length,
    rewind: (mark) => {
      const left = Math.floor(mark / LINES_MAX) === batch.place ? mark % LINES_MAX : 0;
      while (batch.lines.length > left) batch.length -= batch.lines.pop()?.[1].length ?? 0;
    },
    end: () => writeLines(sealer, batch),
    leave: () => {
      batch.lines = [];
    },
    read: (value, about) => {
      if (value === null || value === undefined) return ERASED_SECRET;
      const secret =
        typeof value === "number"
          ? new Secret(() => lineAt(sealer, database(), batch, value, about))
          : new Secret(() => sealer.open(String(value) as Sealed, about));
      places.set(secret, value);
      return secret;
    },
    erase: (db, value) => {
      if (typeof value !== "number") return;
      const at = Math.floor(value / LINES_MAX);
      const left = linesAt(sealer, db, batch, at).map((line, i): Line => (i === value % LINES_MAX ? GONE : line));
      if (isWaiting(batch, at)) batch.lines = left;
      else db.prepare("update seals set text = ? where place = ?").run(sealed(sealer, left, at), at);
    },
  };
}

function keepLine(sealer: Sealer, batch: Batch, line: Line): number {
  if (batch.length + line[1].length > SEAL_LENGTH_MAX) writeLines(sealer, batch);
  batch.lines.push(line);
  batch.length += line[1].length;
  return batch.place * LINES_MAX + batch.lines.length - 1;
}

/** Later secrets get a new seal. */
function writeLines(sealer: Sealer, batch: Batch): void {
  const { db, lines, place } = batch;
  if (lines.length === 0) return;
  db?.prepare("insert into seals (place, text) values (?, ?)").run(place, sealed(sealer, lines, place));
  batch.lines = [];
  batch.length = 0;
  batch.place += 1;
}

const GONE: Line = ["", ""];

function isWaiting({ place, lines }: Batch, at: number): boolean {
  return at === place && lines.length > 0;
}

function linesAt(sealer: Sealer, db: Database, batch: Batch, at: number): readonly Line[] {
  if (isWaiting(batch, at)) return batch.lines;
  const found = db.prepare("select text from seals where place = ?").get(at)?.["text"];
  if (typeof found !== "string") throw new Error("its seal is gone");
  return JSON.parse(sealer.open(found as Sealed, aboutOf(at)));
}

function lineAt(sealer: Sealer, db: Database, batch: Batch, value: number, about: string): string {
  const [of, text] = linesAt(sealer, db, batch, Math.floor(value / LINES_MAX))[value % LINES_MAX] ?? [];
  if (of !== endOf(about) || text === undefined) throw new Error("it is about something else");
  return text;
}

/** The end of a hash or id, which nobody can choose: enough to identify a row in its batch. */
function endOf(about: string): string {
  return about.slice(-16);
}

function sealed(sealer: Sealer, lines: readonly Line[], place: number): Sealed {
  return sealer.seal(JSON.stringify(lines), aboutOf(place));
}

function lastPlace(db: Database): number {
  return Number(db.prepare("select max(place) as place from seals").get()?.["place"] ?? 0);
}

function aboutOf(place: number): string {
  return `seal ${place}`;
}

/** A store opened without the key, for reading: it can neither store nor decrypt secrets. */
const NO_SEALER: Sealer = {
  seal: () => refuse(),
  open: () => refuse(),
  mark: () => refuse(),
};

function refuse(): never {
  throw new Error("the database was opened without its key");
}
