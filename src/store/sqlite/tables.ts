import { idOf, type Put } from "../../core/change.ts";
import { factsOf, type Queue, type Table, type Versioned } from "../../core/rows.ts";
import type { RowFilter } from "../../ports.ts";
import type { Database, SqlRow, SqlValue } from "./driver.ts";

// One description of how rows lie in the database; every statement on them is made from it. All tables have the same
// columns: what `factsOf` takes from the row, and the row itself as JSON. Only their indexes differ (migrations.ts).

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
 * index of some rows will do only where the condition is spelled out; what is claimed is found by its alarm.
 */
export const EXECUTIONS_BY_STATE: ReadonlyMap<string, string> = new Map([
  ["ready", " and state = 'ready'"],
  ["unknown", " and state = 'unknown'"],
  ["claimed", " and queue = 'timers'"],
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

/** A row ready to be written, all but its space: made before the lock is taken, so that the lock is held shorter. */
export type ReadyPut = { do: "put"; sql: string; values: readonly SqlValue[]; bytes: number };

export function readyPut(put: Put): ReadyPut {
  const facts = factsOf(put.table, put.row);
  const row = JSON.stringify(put.row);
  const values = [
    idOf(put),
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
  return { do: "put", sql: PUTS[put.table], values, bytes: row.length };
}

const PUTS: { readonly [T in Table]: string } = {
  calls: putSql("calls"),
  approvals: putSql("approvals"),
  executions: putSql("executions"),
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
};

export function rowOf<T extends Table>(db: Database, space: number, table: T, id: string): Versioned<T> | undefined {
  const found = db.prepare(`select row, version from ${table} where space = ? and id = ?`).get(space, id);
  return found === undefined ? undefined : versioned(found);
}

export function versioned<T extends Table>(found: SqlRow): Versioned<T> {
  return { row: JSON.parse(String(found["row"])), version: Number(found["version"]) };
}
