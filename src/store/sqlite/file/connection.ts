import { chmodSync, closeSync, existsSync, mkdirSync, openSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { StoreUnavailable } from "../../../ports.ts";
import { countTracks } from "./counting-tracks.ts";
import type { Database, OpenDatabase } from "./driver.ts";
import { faultOf } from "./faults.ts";
import { migrate, versionOf } from "./migrations.ts";
import { type MovingProgress, moveCalls } from "./moving-calls.ts";

/**
 * The single connection of a store: opened on first use, closed after a failure and opened again on the next use, so
 * that a full disk or a lost lock needs no restart.
 */
export type Connection = {
  /** The file of the database. */
  path: string;
  /** For writing: checks that it is still the file at the path. */
  open(): Database;
  /** For reading. */
  current(): Database;
  /** Rolls back an open transaction; a connection that cannot even do that is dropped. */
  rollBack(): void;
  /** Closing rolls back what was open. */
  drop(): void;
};

/** Enough for the upper levels of the indexes of some million rows; SQLite's default of two megabytes is not. */
const CACHE_KIB = 16_384;

/** Our own checkpoints come earlier; this one only limits the log if they do not run. */
const AUTOCHECKPOINT_PAGES = 32_768;

export function connection(path: string, openDatabase: OpenDatabase, onProgress?: MovingProgress): Connection {
  let held: { db: Database; file: Stats } | undefined;
  // After the first opening, a missing file is reported as a loss, and never replaced by an empty database.
  let created = false;
  const drop = () => {
    const old = held;
    held = undefined;
    try {
      old?.db.close();
    } catch (error) {
      // The handle is lost, but nothing committed was in it.
      if (faultOf(error) === undefined) throw error;
    }
  };
  const current = () => {
    if (held !== undefined) return held.db;
    if (!created) createFile(path);
    const db = prepared(openDatabase(path), onProgress);
    created = true;
    held = { db, file: statSync(path) };
    return db;
  };
  return {
    path,
    drop,
    current,
    rollBack: () => {
      if (held?.db.inTransaction !== true) return;
      try {
        held.db.prepare("rollback").run();
      } catch (error) {
        if (faultOf(error) === undefined) throw error;
        drop();
      }
    },
    open: () => {
      const there = statSync(path, { throwIfNoEntry: false });
      if (held !== undefined && !isSameFile(held.file, there)) drop();
      if (created && there === undefined) {
        throw new StoreUnavailable("the database file was moved or deleted while in use; put it back");
      }
      return current();
    },
  };
}

function prepared(db: Database, onProgress: MovingProgress | undefined): Database {
  try {
    // The old content of a rewritten row must not stay in its page.
    db.exec(`pragma synchronous = full; pragma secure_delete = fast; pragma cache_size = -${CACHE_KIB}`);
    // Checked before anything is written, so that a foreign file stays unchanged.
    versionOf(db);
    if (db.prepare("pragma journal_mode").get()?.["journal_mode"] !== "wal") db.exec("pragma journal_mode = wal");
    db.exec(`pragma wal_autocheckpoint = ${AUTOCHECKPOINT_PAGES}`);
    migrate(db);
    moveCalls(db, onProgress);
    countTracks(db, onProgress);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Only the owner may read the state. SQLite gives its side files the mode of the main file. */
function createFile(path: string): void {
  if (!existsSync(dirname(path))) mkdirSync(dirname(path), { mode: 0o700 });
  closeSync(openSync(path, "a", 0o600));
  const { mode } = statSync(path);
  if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700);
}

/** SQLite keeps writing into a file that was deleted or replaced, and nobody would find that data. */
function isSameFile(ours: Stats, there: Stats | undefined): boolean {
  return there !== undefined && ours.ino === there.ino && ours.dev === there.dev;
}
