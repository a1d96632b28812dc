import { rowId } from "../../core/rows/row-hash.ts";
import { factsOf, type Table } from "../../core/rows/rows.ts";
import { rowValues, type SqlRow, type SqlValue } from "./columns.ts";
import { textFrom } from "./text.ts";

/**
 * The columns computed from the row, in the order of writing. The alarm is not among them, because taking a row
 * changes it.
 */
export const PLACED_COLUMNS = ["id", "key", "state", "agent", "digest", "call", "collect", "sort_ms"] as const;

/** Whether the columns of a row say what its content says. */
export function isInPlace(table: Table, found: SqlRow): boolean {
  const values = columnsOf(table, String(found["row"]));
  return PLACED_COLUMNS.every((column, at) => {
    const kept = found[column] ?? null;
    return (typeof kept === "string" ? textFrom(kept) : kept) === values?.[at];
  });
}

function columnsOf(table: Table, text: string): readonly SqlValue[] | undefined {
  try {
    const row = JSON.parse(text);
    return rowValues(rowId(row), factsOf(table, row), text);
  } catch {
    // Not ignored: a row that is not JSON, or not of this table, is reported.
    return undefined;
  }
}
