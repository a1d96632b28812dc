import { ERASED_SECRET, type Sealed, Secret } from "../../core/secret.ts";
import type { Sealer } from "../../ports.ts";
import type { SqlValue } from "../sql/columns.ts";
import type { Database } from "./driver.ts";

// Secrets are sealed together: one use of the cipher for those that are committed in one transaction. They lie in a table of
// their own, and a row holds the number of the seal and of the line in it. Rows are written again and again, and what
// was in them before may stay behind in the file; a seal is written once, and again only to erase a line of it. Each line says
// what it is about, so that nobody can let a row point to the secret of another.

export type Seals = {
  /** Before a batch is applied. */
  begin(db: Database): void;
  /** What to write in the place of a secret. One that was read here stays where it lies. */
  keep(secret: Secret, about: string): SqlValue;
  /** How much was kept so far; and back to that, where what was kept since is not written after all. */
  mark(): number;
  rewind(mark: number): void;
  /** After the batch was applied, in the same transaction. */
  end(): void;
  /** Whatever became of the batch, nothing of it is waiting to be written any more. */
  leave(): void;
  /** A row of an earlier version holds the sealed text itself. */
  read(value: SqlValue | undefined, about: string): Secret;
  /** No byte of it stays; the others in its seal do. */
  erase(db: Database, value: SqlValue | undefined): void;
};

/** More than a batch can hold. */
const LINES_MAX = 1024;
/** A seal is opened whole for any of its lines; a batch with more than this makes several. */
const SEAL_LENGTH_MAX = 256 * 1024;

type Line = readonly [about: string, text: string];

/** The secrets of the batch that is being applied, as far as they are not written yet. */
type Batch = { db: Database | undefined; place: number; lines: Line[]; length: number };

export function sealsOf(given: Sealer | undefined, database: () => Database): Seals {
  const sealer = given ?? NO_SEALER;
  const batch: Batch = { db: undefined, place: 0, lines: [], length: 0 };
  /** Where secrets lie that were read here: whoever holds one may open it later, so it is not moved. */
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

/** What comes after it gets a seal of its own. */
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

/** The end of a hash or an id, which nobody can choose: enough to tell a row from the others of its batch. */
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

/** A store that was opened to look at, without the key: it keeps no secret and opens none. */
const NO_SEALER: Sealer = {
  seal: () => refuse(),
  open: () => refuse(),
  mark: () => refuse(),
};

function refuse(): never {
  throw new Error("the database was opened without its key");
}
