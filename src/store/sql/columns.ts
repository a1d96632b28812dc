import { idOf, type Put, type PutTable } from "../../core/change.ts";
import { type Facts, factsOf, type Queue, type Table, type Versioned } from "../../core/rows.ts";
import type { RowFilter } from "../../ports.ts";
import { bornRightOf, callOf, type Of } from "./calls.ts";
import type { Database, SqlRow, SqlValue } from "./driver.ts";

// One description of how rows lie in the database; every statement on them is made from it. All tables have the same
// columns: what `factsOf` takes from the row, and the row itself as JSON. Their indexes differ (migrations.ts). Calls lie
// otherwise (calls.ts), and so do the rights that were born with them.

const WRITTEN = [
  "space",
  "id",
  "key",
  "state",
  "agent",
  "digest",
  "call",
  "collect",
  "sort_ms",
  "queue",
  "wake_ms",
  "row",
] as const;

/** The facts one may filter by and their columns. */
export const FILTERS: { readonly [F in Exclude<keyof RowFilter, "idPrefix">]-?: string } = {
  key: "key",
  state: "state",
  agent: "agent",
  digest: "digest",
  call: "call",
  collect: "collect",
};

/**
 * Of executions almost all have ended, and only the states that somebody looks for are indexed. SQLite sees that an
 * index of some rows will do only where the condition is spelled out.
 */
export const EXECUTIONS_BY_STATE: ReadonlyMap<string, string> = new Map([
  ["ready", " and state = 'ready'"],
  ["unknown", " and state = 'unknown'"],
]);

/** Tables of which the database keeps how many rows are in each state (migrations.ts). */
export const TALLIED: ReadonlySet<Table> = new Set(["approvals", "notices"]);

/** Which tables can hold rows of a queue. */
export const QUEUE_TABLES: { readonly [Q in Queue]: readonly Table[] } = {
  notices: ["notices"],
  timers: ["approvals", "executions", "grants"],
  executions: ["executions"],
};

function putSql(table: Table): string {
  const marks = WRITTEN.map(() => "?").join(", ");
  const updates = WRITTEN.slice(2).map((column) => `${column} = excluded.${column}`);
  return (
    `insert into ${table} (version, ${WRITTEN.join(", ")}) values (1, ${marks}) ` +
    `on conflict (space, id) do update set version = version + 1, ${updates.join(", ")}`
  );
}

/** What is written of a row besides its space. */
export type RowValues = readonly SqlValue[];

/** A row ready to be written, all but its space: made before the lock is taken, so that the lock is held shorter. */
export type ReadyPut = { do: "put"; sql: string; values: RowValues; bytes: number };

export function readyPut(put: Put): ReadyPut {
  const row = JSON.stringify(put.row);
  return {
    do: "put",
    sql: PUTS[put.table],
    values: rowValues(idOf(put), factsOf(put.table, put.row), row),
    bytes: row.length,
  };
}

export function rowValues(id: string, facts: Facts, row: string): RowValues {
  return [
    id,
    facts.key ?? null,
    facts.state ?? null,
    facts.agent ?? null,
    facts.digest ?? null,
    facts.call ?? null,
    facts.collect ?? null,
    facts.sortMs,
    facts.alarm?.queue ?? null,
    facts.alarm?.atMs ?? null,
    row,
  ];
}

const PUTS: { readonly [T in PutTable]: string } = {
  approvals: putSql("approvals"),
  grants: putSql("grants"),
  agents: putSql("agents"),
  people: putSql("people"),
  pauses: putSql("pauses"),
  promotions: putSql("promotions"),
  declarations: putSql("declarations"),
  policies: putSql("policies"),
  notices: putSql("notices"),
  tokens: putSql("tokens"),
  signins: putSql("signins"),
  buckets: putSql("buckets"),
};

/** A right by itself: new, or unless it changed since it was read. */
export const NEW_RIGHT = `insert into executions (version, ${WRITTEN.join(", ")}) values (?, ${WRITTEN.map(() => "?").join(", ")}) on conflict do nothing`;
export const NEXT_RIGHT = `update executions set version = version + 1, ${WRITTEN.slice(2)
  .map((column) => `${column} = ?`)
  .join(", ")} where space = ? and id = ? and version = ?`;

export function rowOf<T extends Table>(db: Database, of: Of, table: T, id: string): Versioned<T> | undefined {
  if (table === "calls") return callOf(db, of, id) as Versioned<T> | undefined;
  const born = table === "executions" ? bornRightOf(db, of, id) : undefined;
  if (born !== undefined) return born as Versioned<Table> as Versioned<T>;
  const found = db.prepare(`select row, version from ${table} where space = ? and id = ?`).get(of.space, id);
  return found === undefined ? undefined : versioned(of, found);
}

export function versioned<T extends Table>({ seals }: Pick<Of, "seals">, found: SqlRow): Versioned<T> {
  const row = JSON.parse(String(found["row"]));
  // Of all rows only rights have a secret in them.
  if (row.result !== undefined) row.result = seals.read(row.result, row.id);
  return { row, version: Number(found["version"]) };
}
