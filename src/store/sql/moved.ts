import { StoreUnavailable } from "../../ports.ts";

// A database that is moved to another engine is closed for everybody while it is copied, and stays closed afterwards. Its
// version number says so, because every version of leeway refuses to use a database with a newer one.

/** The version number of a closed database. */
export const CLOSED_VERSION = 1_000_000;

/**
 * What a closed database says about itself. `place`: the other database. `version`: the schema's version. `role`: whether
 * its content goes there or comes from there.
 */
export type StoreMove = { id: string; role: "from" | "to"; place: string; version: number; isDone: boolean };

/** For both engines. The table exists only in databases that were moved. */
export const MOVED_TABLE =
  "create table if not exists moved (id text not null, role text not null, place text not null, version integer not null, done integer not null)";
export const MOVED_COLUMNS = ["id", "role", "place", "version", "done"] as const;

export function moveIn(found: { readonly [column: string]: unknown } | undefined): StoreMove | undefined {
  if (found === undefined) return undefined;
  return {
    id: String(found["id"]),
    role: found["role"] === "to" ? "to" : "from",
    place: String(found["place"]),
    version: Number(found["version"]),
    isDone: Number(found["done"]) === 1,
  };
}

export function moveValues({ id, role, place, version, isDone }: StoreMove): readonly (string | number)[] {
  return [id, role, place, version, isDone ? 1 : 0];
}

/** Why a closed database cannot be used, and what to do. */
export function closedBy(move: StoreMove | undefined): StoreUnavailable {
  if (move === undefined) return new StoreUnavailable("the database is closed; restore a backup of it");
  const { role, place, isDone } = move;
  if (role === "to") {
    return new StoreUnavailable(
      `the database is being filled from ${place}, and this is not finished; run \`leeway migrate-store\` again on that machine`,
    );
  }
  return isDone
    ? new StoreUnavailable(`the database was moved to ${place}; set LEEWAY_DB to it`)
    : new StoreUnavailable(
        `the database is being moved to ${place}; run \`leeway migrate-store\` again to finish, or with --cancel to go on here`,
      );
}
