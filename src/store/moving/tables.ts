import type { Table } from "../../core/rows/rows.ts";
import type { SqlRow, SqlValue } from "../sql/columns.ts";
import { textFrom } from "../sql/text.ts";

// What is moved between the engines: the same tables with the same columns. Secrets are moved encrypted one by one, as
// PostgreSQL keeps them; SQLite reads them so too.

/** `postgres`: a column that SQLite computes itself or does not need. */
type MovedColumn = readonly [name: string, type: "bigint" | "text" | "double precision", only?: "postgres"];
export type MovedTable = { name: string; key: readonly string[]; columns: readonly MovedColumn[] };

/** The key of a row, in the order of the table's key. */
export type RowKey = readonly SqlValue[];

/** All columns are in the order of the table. */
export type MovedRow = SqlRow;

/** Where rows come from. */
export type Source = {
  /** Rows after this key, in the order of the key. */
  page(table: MovedTable, after: RowKey | undefined, limit: number): Promise<readonly MovedRow[]>;
  /** About how many rows there are; only for showing progress. */
  total(): Promise<number>;
};

/** How far a table was copied. */
export type Copied = { last: RowKey | undefined; count: number };

/** Where rows go. */
export type Target = {
  copied(table: MovedTable): Promise<Copied>;
  /** The rows and how far the table is copied now, in one transaction. */
  write(table: MovedTable, rows: readonly MovedRow[], now: Copied): Promise<void>;
};

const ROWS: readonly MovedColumn[] = [
  ["place", "bigint"],
  ["space", "bigint"],
  ["id", "text"],
  ["version", "bigint"],
  ["key", "text"],
  ["state", "text"],
  ["agent", "text"],
  ["digest", "text"],
  ["call", "text"],
  ["collect", "text"],
  ["sort_ms", "bigint"],
  ["due_ms", "bigint", "postgres"],
  ["queue", "text"],
  ["wake_ms", "bigint"],
  ["row", "text"],
];

const ROW_TABLES: readonly Exclude<Table, "calls">[] = [
  "approvals",
  "executions",
  "grants",
  "agents",
  "people",
  "pauses",
  "promotions",
  "declarations",
  "policies",
  "notices",
  "tokens",
  "signins",
  "buckets",
];

const ENTRIES: readonly MovedColumn[] = [
  ["place", "bigint"],
  ["at_ms", "bigint"],
  ["kind", "text"],
  ["actor", "text"],
  ["subject", "text"],
  ["call", "text"],
  ["change", "text"],
  ["approval", "text"],
  ["grant_id", "text"],
  ["person", "text"],
  ["agent", "text"],
  ["body_hash", "text"],
  ["previous", "text"],
  ["hash", "text"],
  ["salt", "text"],
  ["body", "text"],
];

const CALLS: readonly MovedColumn[] = [
  ["place", "bigint"],
  ["space", "bigint"],
  ["version", "bigint"],
  ["key", "text"],
  ["sort_ms", "bigint"],
  ["wake_ms", "bigint"],
  ["decided", "bigint"],
  ["row", "text"],
  ["args", "text"],
  ["execution", "text"],
  ["execution_version", "bigint"],
  ["result", "text"],
];

/** Everything except `tallies`, which each engine counts again, and SQLite's seals, whose secrets are in the rows. */
export const MOVED_TABLES: readonly MovedTable[] = [
  {
    name: "chains",
    key: ["space"],
    columns: [
      ["space", "bigint"],
      ["workspace", "text"],
      ["epoch", "bigint"],
      ["entry", "bigint"],
      ["at_ms", "bigint"],
      ["hash", "text"],
      ["mark", "text"],
      ["stamp", "bigint", "postgres"],
    ],
  },
  { name: "entries", key: ["place"], columns: ENTRIES },
  { name: "calls", key: ["place"], columns: CALLS },
  ...ROW_TABLES.map((name) => ({ name, key: ["place"], columns: ROWS })),
  {
    name: "counters",
    key: ["space", "counter"],
    columns: [
      ["space", "bigint"],
      ["counter", "text"],
      ["sum", "double precision"],
      ["until_ms", "bigint"],
    ],
  },
  {
    name: "changes",
    key: ["id", "space"],
    columns: [
      ["id", "text"],
      ["space", "bigint"],
      ["first_index", "bigint"],
      ["at_ms", "bigint"],
    ],
  },
  {
    name: "tracks",
    key: ["place"],
    columns: [
      ["place", "bigint"],
      ["space", "bigint"],
      ["agent", "text"],
      ["class", "text"],
      ["tool", "text"],
      ["row", "text"],
    ],
  },
];

export function sqliteColumns({ columns }: MovedTable): readonly string[] {
  return columns.flatMap(([name, , only]) => (only === "postgres" ? [] : [name]));
}

export function keyOf(table: MovedTable, row: MovedRow): RowKey {
  return table.key.map((name) => row[name] ?? null);
}

/** The condition and the order for a page; `bind` writes a parameter. */
export function pageOrder({ key }: MovedTable, hasAfter: boolean, bind: (at: number) => string): string {
  const names = key.join(", ");
  const after = hasAfter ? ` where (${names}) > (${key.map((_, i) => bind(i)).join(", ")})` : "";
  return `${after} order by ${names}`;
}

/** A value as the program has it, for a driver that makes the text of a column from it. */
export function plainValue(value: SqlValue): SqlValue {
  return typeof value === "string" ? textFrom(value) : value;
}
