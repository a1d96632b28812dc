import type { Entry } from "../../core/ledger.ts";
import type { EntryFilter, Query } from "../../ports.ts";
import { agentColumn, type SqlValue, SUBJECT_COLUMNS } from "../sql/columns.ts";
import { ENTRY_COLUMNS, entryIn } from "../sql/found.ts";
import { placeOf } from "../sql/places.ts";
import type { Database } from "./file/driver.ts";

export function entriesOf(db: Database, space: number, query: Extract<Query, { ask: "entries" }>): readonly Entry[] {
  const { sql, values } = conditions(db, space, query.where);
  const order = query.order === "newest" ? "desc" : "asc";
  return db
    .prepare(`select ${ENTRY_COLUMNS} from entries where ${sql} order by place ${order} limit ?`)
    .all(...values, query.limit)
    .map((found) => entryIn(query.workspace, found));
}

function conditions(db: Database, space: number, where: EntryFilter): { sql: string; values: SqlValue[] } {
  const { first, beyond } = spanOf(db, space, where);
  const parts: [sql: string, ...values: SqlValue[]][] = [
    ["place >= ?", placeOf(space, first)],
    ["place < ?", placeOf(space, beyond)],
  ];
  if (where.actor !== undefined) parts.push(["actor = ?", where.actor]);
  if (where.kinds !== undefined) {
    parts.push([`kind in (${where.kinds.map(() => "?").join(", ")})`, ...where.kinds]);
  }
  for (const [name, value] of Object.entries(where.subject ?? {})) {
    if (value === undefined) continue;
    const column = SUBJECT_COLUMNS[name];
    if (column !== undefined) parts.push([`${column} = ?`, name === "agent" ? agentColumn(value) : value]);
    // Compared as JSON, because that is how it is stored there, including NUL.
    else parts.push(["subject -> ? = ?", `$.${JSON.stringify(name)}`, JSON.stringify(value)]);
  }
  return { sql: parts.map(([sql]) => sql).join(" and "), values: parts.flatMap(([, ...values]) => values) };
}

/** Entries are in order of time, so a range of time is a range of indexes. */
function spanOf(db: Database, space: number, where: EntryFilter): { first: number; beyond: number } {
  const head = db.prepare("select entry from chains where space = ?").get(space);
  const end = Number(head?.["entry"] ?? 0) + 1;
  const since = where.fromMs === undefined ? 1 : firstNotBefore(db, space, end, where.fromMs);
  const until = where.toMs === undefined ? end : firstNotBefore(db, space, end, where.toMs + 1);
  return {
    first: Math.max(since, (where.afterIndex ?? 0) + 1),
    beyond: Math.min(until, where.beforeIndex ?? end),
  };
}

/** Binary search for the first entry at or after this time. */
function firstNotBefore(db: Database, space: number, end: number, atMs: number): number {
  let low = 1;
  let high = end;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = db.prepare("select at_ms from entries where place = ?").get(placeOf(space, middle));
    if (Number(found?.["at_ms"]) < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
