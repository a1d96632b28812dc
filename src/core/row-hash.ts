import type { Rows, Table } from "./rows.ts";
import { canonical } from "./values/canonical.ts";
import { type Hash, sha256 } from "./values/hash.ts";
import { isObject, type JsonObject } from "./values/json.ts";

// Rows decide, and the chain covers only entries. So an entry that makes a row says what the row is, by its hash: then
// a row that somebody edits beside the ledger shows, and so does a step that started from such a row.

/** What one entry says about one row: its hash after the entry, and before it where there was one. */
export type Vouched = { table: Table; id: string; is?: Hash; was?: Hash };

/** The row that this step makes, and the one it makes it from. */
export function madeRow<T extends Table>(table: T, row: Rows[T], before?: Rows[T]): Vouched {
  const is = rowHashOf(table, row);
  return { table, id: rowId(row), is, ...(before === undefined ? {} : { was: rowHashOf(table, before) }) };
}

/** The row that this step uses up: what it becomes is told by the entry's kind. */
export function usedRow<T extends Table>(table: T, before: Rows[T]): Vouched {
  return { table, id: rowId(before), was: rowHashOf(table, before) };
}

/** Bookkeeping that no entry tells of. None of it lets anything run. */
const UNSAID: { readonly [table: string]: readonly string[] } = {
  approvals: ["remind", "insisted"],
  tokens: ["usedMs"],
};

export function rowHashOf<T extends Table>(table: T, row: Rows[T]): Hash {
  const unsaid = UNSAID[table] ?? [];
  const said = Object.fromEntries(Object.entries(row).filter(([name]) => !unsaid.includes(name)));
  return sha256(canonical(said as JsonObject));
}

export function rowId(row: Rows[Table]): string {
  return "id" in row ? row.id : row.name;
}

/** What an entry's body says about rows. */
export function vouchedIn(body: JsonObject): readonly Vouched[] {
  const { rows } = body;
  return Array.isArray(rows) ? rows.filter(isVouched) : [];
}

function isVouched(value: unknown): value is Vouched {
  if (!isObject(value as JsonObject)) return false;
  const { table, id, is, was } = value as JsonObject;
  return [table, id, is ?? "", was ?? ""].every((text) => typeof text === "string");
}
