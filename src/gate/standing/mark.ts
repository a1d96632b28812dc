import { type Change, idOf, type Need, type Put, put } from "../../core/change.ts";
import type { WorkspaceId } from "../../core/ids.ts";
import { chain, EMPTY_HEAD } from "../../core/ledger.ts";
import { ledgerIdOf } from "../../core/record/checkpoint.ts";
import { rowHashOf, rowId } from "../../core/rows/row-hash.ts";
import {
  BUCKETED_TABLES,
  type Bucket,
  type BucketedTable,
  type BucketId,
  bucketOf,
  isInForce,
  type Rows,
  STANDING_TABLES,
  type StandingTable,
  type Versioned,
} from "../../core/rows/rows.ts";
import { type Hash, sha256 } from "../../core/values/hash.ts";
import type { Sealer, StandingRows, Store } from "../../ports.ts";

// The gate's mark: a keyed hash over all rows in force, the epoch and the ledger's id. Tokens and loaded policy texts are
// covered through their buckets.

/** The rows in force by table and id, each as its hash; for each bucket, the hash over its rows. */
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

/** A second row with the same name could be found instead of the marked one, and the mark contains each name once. */
export function hasDoubles(rows: StandingRows, { hashes }: Marked): boolean {
  return hashes.size !== STANDING_TABLES.reduce((sum, table) => sum + rows[table].length, 0);
}

export function keyOf(table: string, id: string): string {
  return `${table}\n${id}`;
}

export type MarkInput = { workspace: WorkspaceId; ledger: string | undefined; marked: Marked };

function markOf(sealer: Sealer, { workspace, ledger = "", marked }: MarkInput): string {
  return sealer.mark(
    [`in force ${JSON.stringify(workspace)} ${ledger} ${marked.epoch}`, ...linesOf(marked.hashes)].join("\n"),
  );
}

export function isMarked(sealer: Sealer, whole: MarkInput, mark: string | null): boolean {
  // If nothing was ever in force, there is no mark.
  if (mark === null) return whole.marked.epoch === FIRST_EPOCH && whole.marked.hashes.size === 0;
  return mark === markOf(sealer, whole);
}

/** The tables of which the mark of earlier versions covered every row, also rows that had ended. */
export const MARKED_BEFORE = [
  "grants",
  "people",
  "pauses",
  "promotions",
  "declarations",
  "policies",
  "tokens",
] as const;

/** Whether this is the mark that an older version made over these rows: all rows of each of those tables. */
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

/** Undefined if two rows have the same name, because then it is unknown which one was marked. */
export function bucketRows<T extends BucketedTable>(
  table: T,
  id: BucketId,
  rows: readonly Rows[T][],
): BucketRows | undefined {
  const held = new Map<string, Hash>();
  for (const row of rows) {
    // A row that is stored in the wrong bucket counts for none.
    if (bucketOf(table, row) !== id || held.has(rowId(row))) return undefined;
    held.set(rowId(row), rowHashOf(table, row));
  }
  return held;
}

/** A bucket that was never used and one that is empty again have the same hash. */
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

const ALL_OF_IT = Number.MAX_SAFE_INTEGER;

export async function bucketIn<T extends BucketedTable>(
  store: Store,
  workspace: WorkspaceId,
  table: T,
  collect: BucketId,
): Promise<readonly Versioned<T>[]> {
  const where = { collect };
  const query = { ask: "rows", workspace, table, where, limit: ALL_OF_IT, order: "oldest" } as const;
  return (await store.read(query)) as readonly Versioned<T>[];
}

export function isStanding(table: string): table is StandingTable {
  return (STANDING_TABLES as readonly string[]).includes(table);
}

export function isBucketed(table: string): table is BucketedTable {
  return (BUCKETED_TABLES as readonly string[]).includes(table);
}

export type BucketPut = Extract<Put, { table: "buckets" }>;

export async function allBuckets(store: Store, workspace: WorkspaceId): Promise<readonly BucketPut[]> {
  const found = new Map<BucketId, Map<string, Hash>>();
  for (const table of BUCKETED_TABLES) {
    const query = { ask: "rows", workspace, table, where: {}, limit: ALL_OF_IT, order: "oldest" } as const;
    for (const { row } of await store.read(query)) {
      const id = bucketOf(table, row);
      if (id === undefined) continue;
      const held = found.get(id) ?? new Map<string, Hash>();
      found.set(id, held.set(row.id, rowHashOf(table, row)));
    }
  }
  return [...found].map(([id, held]) => put("buckets", bucketRow(workspace, id, held)) as BucketPut);
}

/** What the mark covers after a Change. */
export function afterChange(before: Marked, { writes }: Change, buckets: readonly BucketPut[]): Marked {
  const turns = writes.filter((write) => write.do === "turn").length;
  const puts = writes.filter((write): write is Put => write.do === "put" && isStanding(write.table));
  const hashes = new Map(before.hashes);
  let isChanged = turns > 0;
  for (const one of [...puts, ...buckets]) {
    const { table, row } = one as Put & { table: StandingTable };
    const key = keyOf(table, idOf(one));
    const hash = isInForce(table, row) ? rowHashOf(table, row) : undefined;
    isChanged ||= hashes.get(key) !== hash;
    if (hash === undefined) hashes.delete(key);
    else hashes.set(key, hash);
  }
  if (!isChanged) return before;
  const marked = new Map([...before.buckets, ...buckets.map(({ row }) => [row.id, row.hash] as const)]);
  return { epoch: before.epoch + turns, hashes, buckets: marked };
}

type Marking = { before: Marked; after: Marked; buckets: readonly BucketPut[]; ledger: string | undefined };

/** The Change is stale if the standing is not the one that was marked before. The first Change creates the ledger's id. */
export function withMark(sealer: Sealer, change: Change, { before, after, buckets, ledger }: Marking): Change {
  const { workspace, entries, atMs } = change;
  const [first] = entries;
  const id = ledger ?? (first && ledgerIdOf(chain(EMPTY_HEAD, first, { workspace, nowMs: atMs }).hash));
  const needs: Need[] = [{ is: "epoch", epoch: before.epoch }, ...(ledger === undefined ? [EMPTY] : [])];
  const mark = markOf(sealer, { workspace, ledger: id, marked: after });
  return {
    ...change,
    needs: [...change.needs, ...needs],
    writes: [...change.writes, ...buckets, { do: "mark", mark }],
  };
}

const EMPTY: Need = { is: "empty" };
