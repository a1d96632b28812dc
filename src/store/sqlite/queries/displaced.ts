import { rowId } from "../../../core/rows/row-hash.ts";
import { factsOf, type Table } from "../../../core/rows/rows.ts";
import type { Query } from "../../../ports.ts";
import { rowValues, type SqlRow, type SqlValue } from "../../sql/columns.ts";
import { type Database, textFrom } from "../file/driver.ts";

// A row is found by its columns, but its JSON is used. Editing one of the two by hand would hide a row from lookups,
// or show it in wrong ones.

/**
 * The columns computed from the row, in the order of writing. The alarm is not among them, because taking a row
 * changes it.
 */
const COLUMNS = ["id", "key", "state", "agent", "digest", "call", "collect", "sort_ms"] as const;

type Placed = Extract<Query, { ask: "displaced" }>["table"];

/**
 * For tables as long as the history, SQLite itself skips the rows that match, at half the cost of reading them.
 * SQLite takes the first of two equal keys and we take the last, and keys can be escaped: such rows are read here.
 */
const UNLIKE: { readonly [T in Placed]?: string } = { approvals: unlike(), executions: unlike() };

function unlike(): string {
  const columns = ["id", "state", "agent", "digest", "call"];
  const plain = ["json_valid(row)", "instr(row, '\\u') = 0", ...columns.map((name) => once(name))];
  const unequal = columns.map((name) => `json_extract(row, '$.${name}') is not ${name}`);
  return ` and case when ${plain.join(" and ")} then ${unequal.join(" or ")} else 1 end`;
}

function once(name: string): string {
  const quoted = `"${name}"`;
  return `octet_length(row) - octet_length(replace(row, '${quoted}', '')) = ${quoted.length}`;
}

const PAGE = 1000;

/** Ids of rows whose columns do not match the row, and of unreadable rows. */
export function displacedOf(db: Database, space: number, table: Placed, limit: number): readonly string[] {
  const doubtful = db.prepare(
    `select place, ${COLUMNS.join(", ")}, row from ${table} ` +
      `where space = ? and place > ?${UNLIKE[table] ?? ""} order by place limit ?`,
  );
  const ids: string[] = [];
  for (let after = 0; ; ) {
    const page = doubtful.all(space, after, PAGE);
    for (const one of page) if (!isInPlace(table, one)) ids.push(textFrom(one["id"]));
    if (page.length < PAGE || ids.length >= limit) return ids.slice(0, limit);
    after = Number(page.at(-1)?.["place"]);
  }
}

function isInPlace(table: Table, found: SqlRow): boolean {
  const values = columnsOf(table, String(found["row"]));
  return COLUMNS.every((column, at) => {
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
