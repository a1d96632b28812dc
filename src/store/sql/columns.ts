import { idOf, type Put, type PutTable } from "../../core/change.ts";
import { type Facts, factsOf, type Queue, type Table } from "../../core/rows/rows.ts";
import type { RowFilter } from "../../ports.ts";

// The columns of every table, for all engines that speak SQL. All tables have the same columns: what `factsOf` takes
// from the row, and the row as JSON. Calls, and the executions created with them, are stored differently.

/** What a column can hold. */
export type SqlValue = null | number | bigint | string | Uint8Array;
export type SqlRow = { readonly [column: string]: SqlValue };

/** The columns that are written with a row, besides its version. */
export const WRITTEN = [
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

/** The columns of a row except its workspace. */
export type RowValues = readonly SqlValue[];

/**
 * A row ready to be written, except its workspace: prepared before the lock is taken, so that the lock is held for a
 * shorter time.
 */
export type ReadyPut = {
  do: "put";
  table: PutTable;
  values: RowValues;
  /** Not among the values: some engines read it from the row. */
  dueMs: number | null;
  bytes: number;
};

export function readyPut(put: Put): ReadyPut {
  const row = JSON.stringify(put.row);
  const facts = factsOf(put.table, put.row);
  return {
    do: "put",
    table: put.table,
    values: rowValues(idOf(put), facts, row),
    dueMs: facts.dueMs ?? null,
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
