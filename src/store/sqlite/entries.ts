import type { Entry } from "../../core/ledger.ts";
import type { EntryFilter, Query } from "../../ports.ts";
import type { SqlRow, SqlValue } from "../sql/columns.ts";
import { type Database, textFrom } from "./file/driver.ts";
import { indexAt, placeOf } from "./heads.ts";

/** Fields of the subject used for lookups have a column with an index; the rest is read from the JSON. */
export const SUBJECT_COLUMNS: { readonly [name: string]: string } = {
  call: "call",
  approval: "approval",
  grant: "grant_id",
  person: "person",
  agent: "agent",
};

/** An agent chooses its own name, so the column has the quoted form, as in the subject. */
export function agentColumn(name: string | undefined): string | null {
  return name === undefined ? null : JSON.stringify(name);
}

const COLUMNS = "place, at_ms, kind, actor, subject, body_hash, previous, hash, salt, body";

export function entriesOf(db: Database, space: number, query: Extract<Query, { ask: "entries" }>): readonly Entry[] {
  const { sql, values } = conditions(db, space, query.where);
  const order = query.order === "newest" ? "desc" : "asc";
  return db
    .prepare(`select ${COLUMNS} from entries where ${sql} order by place ${order} limit ?`)
    .all(...values, query.limit)
    .map((found) => entryOf(query.workspace, found));
}

function entryOf(workspace: string, found: SqlRow): Entry {
  const { salt, body } = found;
  return {
    workspace,
    index: indexAt(Number(found["place"])),
    atMs: Number(found["at_ms"]),
    kind: found["kind"],
    actor: textFrom(found["actor"]),
    subject: JSON.parse(String(found["subject"])),
    bodyHash: found["body_hash"],
    previous: found["previous"],
    hash: found["hash"],
    ...(salt === null || body === null ? {} : { body: { salt, json: JSON.parse(String(body)) } }),
  } as Entry;
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
