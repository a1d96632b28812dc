import { canonical } from "../values/canonical.ts";
import { type Hash, sha256 } from "../values/hash.ts";
import { isObject, type JsonObject } from "../values/json.ts";
import type { Rows, Table } from "./rows.ts";

// Decisions depend on rows, but the chain covers only entries. So an entry that makes a row records the row's hash.
// Then an edited row is detected, and so is a step that started from an edited row.

/** What one entry records about one row: its hash after the entry, and before it if the row existed. */
export type Vouched = { table: Table; id: string; is?: Hash; was?: Hash };

/** The row that this step makes, and the row that it starts from. */
export function madeRow<T extends Table>(table: T, row: Rows[T], before?: Rows[T]): Vouched {
  const is = rowHashOf(table, row);
  return { table, id: rowId(row), is, ...(before === undefined ? {} : { was: rowHashOf(table, before) }) };
}

/** The row that this step ends; the kind of the entry says what it becomes. */
export function usedRow<T extends Table>(table: T, before: Rows[T]): Vouched {
  return { table, id: rowId(before), was: rowHashOf(table, before) };
}

/** Fields for bookkeeping that no entry records. None of them allows anything to run. */
const UNSAID: { readonly [table: string]: readonly string[] } = {
  approvals: ["remind", "insisted", "repliesTold", "snoozed"],
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

/** The row hashes in the body of an entry. */
export function vouchedIn(body: JsonObject): readonly Vouched[] {
  const { rows } = body;
  return Array.isArray(rows) ? rows.filter(isVouched) : [];
}

function isVouched(value: unknown): value is Vouched {
  if (!isObject(value as JsonObject)) return false;
  const { table, id, is, was } = value as JsonObject;
  return [table, id, is ?? "", was ?? ""].every((text) => typeof text === "string");
}
