import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { StoreUnavailable } from "../../../ports.ts";
import { openDatabase } from "./driver.ts";
import { faultOf } from "./faults.ts";
import { versionOf } from "./migrations.ts";

/**
 * Copies the database as it is at one moment, while others write. The copy is one file and is checked before it
 * counts.
 */
export function backupDatabase(from: string, to: string): void {
  speaking(() => {
    if (!existsSync(from)) throw new StoreUnavailable(`there is no database at ${from}; check the path`);
    copyInto(from, to);
  });
}

/** What is wrong with a database file, in SQLite's words; empty if it is valid and ours. */
export function checkDatabase(path: string): readonly string[] {
  return speaking(() => {
    const db = openDatabase(path, { readOnly: true });
    try {
      versionOf(db);
      return db
        .prepare("pragma integrity_check")
        .all()
        .map((found) => String(found["integrity_check"]))
        .filter((line) => line !== "ok");
    } finally {
      db.close();
    }
  });
}

/** Replaces the database with a checked copy of a backup. Nobody may be using it. */
export function restoreDatabase(from: string, to: string): void {
  speaking(() => {
    const problems = checkDatabase(from);
    if (problems.length > 0) throw new StoreUnavailable(`the backup is damaged (${problems[0]}); use another one`);
    retire(to);
    const beside = join(dirname(to), `.restore-${process.pid}.db`);
    copyInto(from, beside);
    renameSync(beside, to);
    sync(dirname(to));
  });
}

function copyInto(from: string, to: string): void {
  if (existsSync(to)) throw new StoreUnavailable(`there is a file at ${to} already; name another one`);
  // Created by us first, so that the file mode is right from the beginning and nothing is overwritten.
  closeSync(openSync(to, "wx", 0o600));
  try {
    const db = openDatabase(from);
    try {
      versionOf(db);
      db.prepare("vacuum into ?").run(to);
    } finally {
      db.close();
    }
    chmodSync(to, 0o600);
    sync(to);
    sync(dirname(to));
    const problems = checkDatabase(to);
    if (problems.length > 0) throw new StoreUnavailable(`the copy came out damaged (${problems[0]}); check the disk`);
  } catch (error) {
    rmSync(to, { force: true });
    throw error;
  }
}

/** Only the last user of a file can leave WAL mode: this shows whether anybody still uses it. */
function retire(path: string): void {
  if (existsSync(path)) {
    const db = openDatabase(path);
    try {
      db.exec("pragma journal_mode = delete");
    } catch (error) {
      // A damaged database may be replaced; one in use may not.
      if (faultOf(error)?.busy !== false) throw error;
    } finally {
      db.close();
    }
  }
  // The old database's log must never be applied to the new one.
  for (const side of ["-wal", "-shm"]) rmSync(`${path}${side}`, { force: true });
}

function sync(path: string): void {
  const file = openSync(path, "r");
  fsyncSync(file);
  closeSync(file);
}

function speaking<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    const fault = faultOf(error);
    throw fault === undefined ? error : new StoreUnavailable(fault.message, { cause: error, hint: fault.hint });
  }
}
