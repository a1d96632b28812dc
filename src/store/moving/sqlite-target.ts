import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { StoreUnavailable } from "../../ports.ts";
import { MOVED_TABLE, moveValues, type StoreMove } from "../sql/moved.ts";
import { type Database, openDatabase } from "../sqlite/file/driver.ts";
import { migrate, moveOf } from "../sqlite/file/migrations.ts";
import type { MovingTo } from "./move.ts";
import { type MovedRow, type MovedTable, plainValue, sqliteColumns, type Target } from "./tables.ts";

// A new database file into which everything is copied. It gets its name when it is complete; what an interrupted copy
// left is removed and copied again.

export async function sqliteTo(path: string): Promise<MovingTo> {
  const beside = `${path}.moving`;
  let filling: ReturnType<typeof newFile> | undefined;
  const target = () => {
    filling ??= newFile(beside);
    return filling;
  };
  return {
    begin: async (move) => {
      if (!existsSync(path)) return false;
      if (isFilledBy(path, move)) return true;
      throw new StoreUnavailable(`there is a file at ${path} already; move it away, or name another one`);
    },
    copied: async (table) => target().copied(table),
    write: async (...given) => target().write(...given),
    readAt: beside,
    open: async (move) => {
      if (existsSync(path)) return;
      filling?.end();
      filling = undefined;
      settle(beside, { ...move, role: "to", isDone: true });
      renameSync(beside, path);
      removeSides(beside);
      sync(dirname(path));
    },
    end: async () => filling?.end(),
  };
}

/** A new file with everything from a source, synced. */
export async function fillFile(path: string, fill: (target: Target) => Promise<unknown>): Promise<void> {
  const file = newFile(path);
  try {
    await fill(file);
    file.end();
    settle(path, undefined);
    removeSides(path);
  } catch (error) {
    file.end();
    rmSync(path, { force: true });
    removeSides(path);
    throw error;
  }
}

/** Writes everything into the file itself, so that nothing of it is left in the log beside it. */
function settle(path: string, move: StoreMove | undefined): void {
  const db = openDatabase(path);
  if (move !== undefined) {
    db.exec(`${MOVED_TABLE}; delete from moved`);
    db.prepare("insert into moved values (?, ?, ?, ?, ?)").run(...moveValues(move));
  }
  const busy = db.prepare("pragma wal_checkpoint(truncate)").get()?.["busy"];
  db.close();
  if (busy !== 0) throw new StoreUnavailable(`another process uses ${path}; stop it, and try again`);
  chmodSync(path, 0o600);
  sync(path);
}

function removeSides(path: string): void {
  for (const side of ["-journal", "-wal", "-shm"]) rmSync(`${path}${side}`, { force: true });
}

function newFile(path: string): Target & { end(): void } {
  rmSync(path, { force: true });
  removeSides(path);
  closeSync(openSync(path, "wx", 0o600));
  const db = openDatabase(path);
  // It counts only when it is complete, and then it is synced as a whole.
  db.exec("pragma journal_mode = wal; pragma synchronous = off");
  migrate(db);
  let isOpen = true;
  return {
    copied: async () => ({ last: undefined, count: 0 }),
    write: async (table, rows) => insert(db, table, rows),
    end: () => {
      if (isOpen) db.close();
      isOpen = false;
    },
  };
}

/** Text comes as the columns of PostgreSQL have it; the driver makes the same of it again. */
function insert(db: Database, table: MovedTable, rows: readonly MovedRow[]): void {
  const names = sqliteColumns(table);
  const statement = db.prepare(
    `insert into ${table.name} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`,
  );
  db.exec("begin");
  for (const row of rows) statement.run(...names.map((name) => plainValue(row[name] ?? null)));
  db.exec("commit");
}

function isFilledBy(path: string, { id }: StoreMove): boolean {
  const db = openDatabase(path, { readOnly: true });
  try {
    const found = moveOf(db);
    return found?.id === id && found.role === "to";
  } finally {
    db.close();
  }
}

function sync(path: string): void {
  const file = openSync(path, "r");
  fsyncSync(file);
  closeSync(file);
}
