import { resolve } from "node:path";
import { SettingError } from "./setting-error.ts";

// Where the database is: a file, or an address of PostgreSQL.

/** Whether it is an address of PostgreSQL. An address is never a path, so no folder can change its meaning. */
export function isServerAddress(db: string): boolean {
  return /^postgres(ql)?:\/\//i.test(db);
}

/** The database that somebody named: a file with its whole path, or an address that can be read. */
export function databaseAt(named: string): string {
  refuseOtherAddress(named);
  if (!isServerAddress(named)) return resolve(named);
  if (URL.canParse(named)) return withKnownMode(named);
  throw new SettingError(
    "LEEWAY_DB is not an address of PostgreSQL",
    "write it as postgres://NAME@HOST:5432/DATABASE, with % for special characters",
  );
}

const SSL_MODES = ["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"];

/** A mistyped mode must not decide by chance whether the connection can be read by others. */
function withKnownMode(address: string): string {
  const named = new URL(address).searchParams.get("sslmode");
  // The driver takes it from the variable of this process, and takes a mode that it does not know for none.
  const mode = named ?? process.env["PGSSLMODE"] ?? "";
  if (mode === "" || SSL_MODES.includes(mode)) return address;
  const where = named === null ? "PGSSLMODE is" : "LEEWAY_DB has";
  throw new SettingError(`${where} an unknown sslmode: ${mode}`, `use one of ${SSL_MODES.join(", ")}`);
}

/** A mistyped address must not become a new, empty file. Only its first word is shown: the rest may have a password. */
function refuseOtherAddress(named: string): void {
  const [, kind] = /^([a-z][\w+.-]*):\/\//i.exec(named) ?? [];
  if (kind === undefined || isServerAddress(named)) return;
  throw new SettingError(
    `${kind}://… is not an address of a database that Leeway knows`,
    "did you mean postgres://? Name a database file by its path",
  );
}

/** For people and files: without name, password and options. */
export function shownDatabase(db: string): string {
  if (!isServerAddress(db)) return db;
  const { hostname, port, pathname } = new URL(db);
  return `postgres://${hostname}:${port || "5432"}${pathname}`;
}

/** Whether whoever reads the address can sign in to the database. */
export function hasPassword(db: string): boolean {
  if (!isServerAddress(db)) return false;
  const { password, searchParams } = new URL(db);
  return password !== "" || searchParams.has("password");
}
