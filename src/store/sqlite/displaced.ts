import { rowId } from "../../core/row-hash.ts";
import { factsOf, type Table } from "../../core/rows.ts";
import type { Query } from "../../ports.ts";
import { rowValues, type SqlRow, type SqlValue } from "../sql/columns.ts";
import { type Database, textFrom } from "./driver.ts";

// A row is found by its columns and believed for its JSON. Whoever edits one of the two by hand hides a row from those
// who look for it, or shows it to those who would not have found it.

/** The columns made of the row, in the order in which it is written. When it wakes is not among them: a taker moves that. */
const COLUMNS = ["id", "key", "state", "agent", "digest", "call", "collect", "sort_ms"] as const;

type Placed = Extract<Query, { ask: "displaced" }>["table"];

/**
 * Tables as long as the history: SQLite itself sorts out the rows that agree, at half the cost of reading them. It takes
 * the first of two equal names and we the last, and names can be spelt in escapes: rows with such things are read.
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

/** Ids of rows whose columns are not those of the row, and of rows that cannot be read at all. */
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
    // Not swallowed: what is no JSON, or no row of this table, is reported as lying where it should not.
    return undefined;
  }
}
