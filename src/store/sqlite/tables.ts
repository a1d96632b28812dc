import { idOf, type Put, put } from "../../core/change.ts";
import { keptCall, wholeCall } from "../../core/record/decided-call.ts";
import { type CallRow, factsOf, type Queue, type Rows, type Table, type Versioned } from "../../core/rows.ts";
import type { RowFilter } from "../../ports.ts";
import type { Database, SqlRow, SqlValue } from "./driver.ts";

// One description of how rows lie in the database; every statement on them is made from it. All tables have the same
// columns: what `factsOf` takes from the row, and the row itself as JSON. Their indexes differ (migrations.ts), and a call
// has the place of the entry that decided it, which holds the rest of its row.

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
  const columns = table === "calls" ? [...WRITTEN, "decided"] : WRITTEN;
  const marks = columns.map(() => "?").join(", ");
  const updates = columns.slice(2).map((column) => `${column} = excluded.${column}`);
  return (
    `insert into ${table} (version, ${columns.join(", ")}) values (1, ${marks}) ` +
    `on conflict (space, id) do update set version = version + 1, ${updates.join(", ")}`
  );
}

/** A row ready to be written, all but its space: made before the lock is taken, so that the lock is held shorter. */
export type ReadyPut = { do: "put"; sql: string; values: readonly SqlValue[]; bytes: number };
/** `entry`: which entry of the same Change holds the rest of the row; none where the row is kept whole. */
export type ReadyCall = Omit<ReadyPut, "do"> & { do: "put call"; entry: number | undefined };

export function readyCall(row: CallRow, entry: number | undefined): ReadyCall {
  const { sql, values, bytes } = readyPut(put("calls", row), entry === undefined ? row : keptCall(row));
  return { do: "put call", sql, values, bytes, entry };
}

export function readyPut(put: Put, kept: object = put.row): ReadyPut {
  const facts = factsOf(put.table, put.row);
  const row = JSON.stringify(kept);
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
  const found = db.prepare(`select ${columnsOf(table)} from ${table} where space = ? and id = ?`).get(space, id);
  return found === undefined ? undefined : versioned(found);
}

/** What a row is read from: a call from the entry that decided it as well. */
export function columnsOf(table: Table): string {
  return table === "calls" ? CALL_COLUMNS : "row, version";
}

/** Whoever makes it point to the entry of another call finds nothing there. */
const ENTRY = "from entries where place = calls.decided and entries.call = calls.id and kind = 'call.decided'";
const CALL_COLUMNS = `row, version, decided, (select subject ${ENTRY}) as subject, (select body ${ENTRY}) as body`;

export function versioned<T extends Table>(found: SqlRow): Versioned<T> {
  return { row: rowIn(found) as Rows[T], version: Number(found["version"]) };
}

function rowIn({ row, decided = null, subject = null, body = null }: SqlRow): unknown {
  const kept = JSON.parse(String(row));
  if (decided === null) return kept;
  const said = subject === null ? {} : JSON.parse(String(subject));
  return wholeCall(kept, said, body === null ? undefined : JSON.parse(String(body)));
}
