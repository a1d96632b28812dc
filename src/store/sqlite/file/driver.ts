import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { SqlRow, SqlValue } from "../../sql/columns.ts";
import { storedText } from "../../sql/text.ts";

// The only file that knows which SQLite is used: built into Node from 24.15 on, before that a package with the same
// API.

type Statement = {
  /** How many rows it changed. */
  run(...values: readonly SqlValue[]): number;
  get(...values: readonly SqlValue[]): SqlRow | undefined;
  all(...values: readonly SqlValue[]): readonly SqlRow[];
};

export type Database = {
  readonly inTransaction: boolean;
  exec(sql: string): void;
  /** The same text returns the same statement, prepared once. */
  prepare(sql: string): Statement;
  close(): void;
};

export type OpenDatabase = (path: string, mode?: { readOnly: boolean }) => Database;

type NativeStatement = {
  run(...values: SqlValue[]): { changes: number | bigint };
  get(...values: SqlValue[]): SqlRow | undefined;
  all(...values: SqlValue[]): SqlRow[];
};
type NativeDatabase = {
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): NativeStatement;
  close(): void;
};
type NativeModule = {
  DatabaseSync: new (path: string, options: { timeout: number; readOnly: boolean }) => NativeDatabase;
};

const require = createRequire(import.meta.url);

const driver = hasBuiltIn(process.versions.node) ? "node:sqlite" : "@photostructure/sqlite";

/** What another file, such as a worker, must load for the same SQLite. */
export function driverModule(): string {
  return require.resolve(driver);
}

export const openDatabase: OpenDatabase = (path, mode = { readOnly: false }) => {
  const { DatabaseSync } = require(driver) as NativeModule;
  // No waiting inside SQLite, because it would block the event loop. If the database is locked, the caller waits
  // outside and tries again.
  const native = new DatabaseSync(path, { timeout: 0, readOnly: mode.readOnly });
  const statements = new Map<string, Statement>();
  return {
    get inTransaction() {
      return native.isTransaction;
    },
    exec: (sql) => native.exec(sql),
    prepare: (sql) => {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      const made = checkedStatement(native.prepare(sql));
      statements.set(sql, made);
      return made;
    },
    close: () => {
      // The package keeps the file open until its statements are collected, so no transaction may stay open.
      if (native.isTransaction) native.exec("rollback");
      native.close();
    },
  };
};

/**
 * The package keeps a closed file open, with its lock, until the statements are collected, which may be never in a process that
 * has little to do. Nobody could restore or move the database meanwhile. A process that goes on after closing collects them.
 */
export function releaseClosed(): void {
  if (driver === "node:sqlite") return;
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

function checkedStatement(native: NativeStatement): Statement {
  return {
    run: (...values: SqlValue[]) => Number(native.run(...checked(values)).changes),
    get: (...values: SqlValue[]) => native.get(...checked(values)),
    all: (...values: SqlValue[]) => native.all(...checked(values)),
  };
}

/**
 * The drivers silently bind a Date or an object as NULL or as named parameters, and change unusual text; so values
 * are checked here.
 */
function checked(values: SqlValue[]): SqlValue[] {
  for (let i = 0; i < values.length; i++) {
    const value: unknown = values[i];
    if (typeof value === "string") values[i] = storedText(value);
    else if (typeof value !== "number" && value !== null && !isRare(value)) {
      throw new TypeError(`a value of type ${typeof value} cannot be stored (this is a bug)`);
    }
  }
  return values;
}

function isRare(value: unknown): boolean {
  return typeof value === "bigint" || value instanceof Uint8Array;
}

function hasBuiltIn(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 24 || (major === 24 && minor >= 15);
}
