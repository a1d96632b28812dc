import { idOf, type Put, type PutTable } from "../../core/change.ts";
import { type Facts, factsOf, type Queue, type Table } from "../../core/rows/rows.ts";
import type { RowFilter } from "../../ports.ts";

// The columns of every table, for all engines that speak SQL. All tables have the same columns: what `factsOf` takes
// from the row, and the row as JSON. Calls, and the executions created with them, are stored differently.

/** What a column can hold. */
export type SqlValue = null | number | bigint | string | Uint8Array;
export type SqlRow = { readonly [column: string]: SqlValue };

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

/** The facts that can be used as filters, and their columns. */
export const FILTERS: { readonly [F in Exclude<keyof RowFilter, "idPrefix">]-?: string } = {
  key: "key",
  state: "state",
  agent: "agent",
  digest: "digest",
  call: "call",
  collect: "collect",
};

/** Which tables can hold rows of a queue. */
export const QUEUE_TABLES: { readonly [Q in Queue]: readonly Table[] } = {
  notices: ["notices"],
  deliveries: ["notices"],
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

/** The columns of a row except its workspace. */
export type RowValues = readonly SqlValue[];

/**
 * A row ready to be written, except its workspace: prepared before the lock is taken, so that the lock is held for a
 * shorter time.
 */
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

/** A separately stored execution: new, or only if unchanged since it was read. */
export const NEW_RIGHT = `insert into executions (version, ${WRITTEN.join(", ")}) values (?, ${WRITTEN.map(() => "?").join(", ")}) on conflict do nothing`;
export const NEXT_RIGHT = `update executions set version = version + 1, ${WRITTEN.slice(2)
  .map((column) => `${column} = ?`)
  .join(", ")} where space = ? and id = ? and version = ?`;
