import type { WorkspaceId } from "../../core/ids.ts";
import { rowHashOf, rowId } from "../../core/row-hash.ts";
import {
  type Bucket,
  type BucketedTable,
  type BucketId,
  bucketOf,
  type Rows,
  STANDING_TABLES,
} from "../../core/rows.ts";
import { type Hash, sha256 } from "../../core/values/hash.ts";
import type { Sealer, StandingRows } from "../../ports.ts";

// The gate's mark: a keyed hash over every row that is in force, the epoch and the ledger's id. Tokens and policy texts that
// were loaded are covered by way of their buckets.

/** The rows in force by table and id, each as its hash; of each bucket the hash over its rows. */
export type Marked = {
  epoch: number;
  hashes: ReadonlyMap<string, Hash>;
  buckets: ReadonlyMap<string, Hash>;
};

/** The epoch of a workspace in which nothing was ever in force. */
export const FIRST_EPOCH = 1;

export function markedOf(rows: StandingRows): Marked {
  const hashes = new Map<string, Hash>();
  for (const table of STANDING_TABLES) {
    for (const row of rows[table]) hashes.set(keyOf(table, rowId(row)), rowHashOf(table, row));
  }
  return { epoch: rows.epoch, hashes, buckets: new Map(rows.buckets.map(({ id, hash }) => [id, hash])) };
}

/** A second row under the name of a marked one would be found in its place, and the mark knows one of each. */
export function hasDoubles(rows: StandingRows, { hashes }: Marked): boolean {
  return hashes.size !== STANDING_TABLES.reduce((sum, table) => sum + rows[table].length, 0);
}

export function keyOf(table: string, id: string): string {
  return `${table}\n${id}`;
}

export type Whole = { workspace: WorkspaceId; ledger: string | undefined; marked: Marked };

export function markOf(sealer: Sealer, { workspace, ledger = "", marked }: Whole): string {
  return sealer.mark(
    [`in force ${JSON.stringify(workspace)} ${ledger} ${marked.epoch}`, ...linesOf(marked.hashes)].join("\n"),
  );
}

export function isMarked(sealer: Sealer, whole: Whole, mark: string | null): boolean {
  // Where nothing was ever in force there is nothing to mark.
  if (mark === null) return whole.marked.epoch === FIRST_EPOCH && whole.marked.hashes.size === 0;
  return mark === markOf(sealer, whole);
}

/** The tables of which the mark of before covered every row, also those that were over. */
export const MARKED_BEFORE = [
  "grants",
  "people",
  "pauses",
  "promotions",
  "declarations",
  "policies",
  "tokens",
] as const;

/** Whether this is the mark that an earlier version made over these rows: all of each of those tables. */
export function isMarkedAsBefore(
  sealer: Sealer,
  of: { workspace: WorkspaceId; ledger: string | undefined; epoch: number; mark: string },
  rows: readonly (readonly [key: string, hash: Hash])[],
): boolean {
  const { workspace, ledger = "", epoch, mark } = of;
  const hashes = new Map(rows);
  if (hashes.size !== rows.length) return false;
  const text = [`standing ${JSON.stringify(workspace)} ${ledger} ${epoch}`, ...linesOf(hashes)].join("\n");
  return mark === sealer.mark(text);
}

function linesOf(hashes: ReadonlyMap<string, Hash>): readonly string[] {
  return [...hashes].map(([key, hash]) => `${JSON.stringify(key)} ${hash}`).sort();
}

/** The rows of a bucket by id, each as its hash. */
export type BucketRows = ReadonlyMap<string, Hash>;

/** Undefined where two rows have one name: then nobody can say which of them is proved. */
export function bucketRows<T extends BucketedTable>(
  table: T,
  id: BucketId,
  rows: readonly Rows[T][],
): BucketRows | undefined {
  const held = new Map<string, Hash>();
  for (const row of rows) {
    // A row that lies in a bucket which is not its own is no row of either.
    if (bucketOf(table, row) !== id || held.has(rowId(row))) return undefined;
    held.set(rowId(row), rowHashOf(table, row));
  }
  return held;
}

/** A bucket that never held anything has no row, and one that is empty again is the same. */
export function isBucketMarked({ buckets }: Marked, id: BucketId, rows: BucketRows): boolean {
  return (buckets.get(id) ?? EMPTY_BUCKET) === bucketHash(rows);
}

export function bucketRow(workspace: WorkspaceId, id: BucketId, rows: BucketRows): Bucket {
  return { id, workspace, hash: bucketHash(rows) };
}

function bucketHash(rows: BucketRows): Hash {
  return sha256(linesOf(rows).join("\n"));
}

const EMPTY_BUCKET = bucketHash(new Map());
