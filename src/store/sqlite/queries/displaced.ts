import type { Query } from "../../../ports.ts";
import { isInPlace, PLACED_COLUMNS } from "../../sql/displaced.ts";
import { textFrom } from "../../sql/text.ts";
import type { Database } from "../file/driver.ts";

// A row is found by its columns, but its JSON is used. Editing one of the two by hand would hide a row from lookups,
// or show it in wrong ones.

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
    `select place, ${PLACED_COLUMNS.join(", ")}, row from ${table} ` +
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
