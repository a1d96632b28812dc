import { type Change, idOf, type Need, type Put, put, type Write } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { WorkspaceId } from "../../core/ids.ts";
import { chain, EMPTY_HEAD } from "../../core/ledger.ts";
import { say } from "../../core/messages/message.ts";
import { ledgerIdOf } from "../../core/record/checkpoint.ts";
import { rowHashOf } from "../../core/row-hash.ts";
import {
  BUCKETED_TABLES,
  type BucketedTable,
  type BucketId,
  bucketOf,
  isInForce,
  type Rows,
  STANDING_TABLES,
  type StandingTable,
  tokenBucket,
  type Versioned,
} from "../../core/rows.ts";
import type { Hash } from "../../core/values/hash.ts";
import { type Found, type Query, type Sealer, type StandingRows, type Store, StoreUnavailable } from "../../ports.ts";
import { ledgerId } from "../record/sealing.ts";
import {
  type BucketRows,
  bucketRow,
  bucketRows,
  FIRST_EPOCH,
  hasDoubles,
  isBucketMarked,
  isMarked,
  keyOf,
  type Marked,
  markedOf,
  markOf,
} from "./mark.ts";

// What is in force carries the gate's mark. Whoever writes the database without the key can plant, change or delete a row,
// or put older rows back; the mark then does not fit, and nothing is decided by what lies there. A row that is over is not
// marked: nothing is decided by it, and who makes it look in force has made the mark wrong.

type Marking = {
  store: Store;
  sealer: Sealer;
  /** Marks a database of before, where it may be marked. */
  adopt?: (workspace: WorkspaceId) => Promise<void>;
  /** What is being adopted: it carries no mark of this kind, and was compared with the ledger or with its mark of before. */
  adopts?: StandingRows;
};

/** Another process may have changed what is read in two reads, between them: then both are read again. */
const TRIES = 5;

export function markedStore(given: Marking): Store {
  const { store } = given;
  const reads = reading(given);
  const proving = provingRows(store, reads.current);
  return {
    ...store,
    read: async (query) => {
      if (query.ask === "row" && (isStanding(query.table) || isBucketed(query.table))) {
        return (await proving.row(query)) as Found<typeof query>;
      }
      if (query.ask === "rows" && isBucketed(query.table) && query.where.collect !== undefined) {
        const { workspace, table, where } = query;
        return (await proving.bucket(workspace, table, where.collect as BucketId)).rows as Found<typeof query>;
      }
      const found = await store.read(query);
      if (query.ask !== "standing" || found === undefined) return found;
      return (await reads.verified(query.workspace, found as StandingRows)).rows as unknown as typeof found;
    },
    commit: async (change) => {
      if (!change.writes.some(isOfStanding)) return store.commit(change);
      const before = await reads.current(change.workspace);
      const buckets = await changedBuckets(given, proving, change);
      const after = afterChange(before, change, buckets);
      // A token that was used is the same token: nothing that is marked changes.
      if (after === before) return store.commit(change);
      const ledger = await reads.ledgerOf(change.workspace);
      const committed = await store.commit(withMark(given, change, { before, after, buckets, ledger }));
      if (committed.ok) reads.known.set(change.workspace, after);
      else reads.known.delete(change.workspace);
      return committed;
    },
  };
}

/** What was read and fitted its mark. */
function reading(given: Marking) {
  const { store, sealer, adopts, adopt } = given;
  const known = new Map<WorkspaceId, Marked>();
  const ledgers = new Map<WorkspaceId, string>();
  const ledgerOf = async (workspace: WorkspaceId) => {
    const found = ledgers.get(workspace) ?? (await ledgerId({ store, workspace }));
    if (found !== undefined) ledgers.set(workspace, found);
    return found;
  };
  const fitting = async (workspace: WorkspaceId, rows: StandingRows) => {
    const marked = markedOf(rows);
    const whole = { workspace, ledger: await ledgerOf(workspace), marked };
    return hasDoubles(rows, marked) || !isMarked(sealer, whole, rows.mark) ? undefined : { rows, marked };
  };
  const adopted = async (workspace: WorkspaceId, rows: StandingRows) => {
    if (rows.epoch === FIRST_EPOCH || adopt === undefined) return undefined;
    await adopt(workspace);
    return fitting(workspace, (await store.read({ ask: "standing", workspace })) ?? rows);
  };
  const verified = async (workspace: WorkspaceId, found: StandingRows) => {
    known.delete(workspace);
    const fits = (await fitting(workspace, found)) ?? (await adopted(workspace, found));
    if (fits === undefined) throw new StoreUnavailable(TAMPERED);
    known.set(workspace, fits.marked);
    return fits;
  };
  const current = async (workspace: WorkspaceId): Promise<Marked> => {
    if (adopts !== undefined) return markedOf(adopts);
    const held = known.get(workspace);
    const rows = await store.read({ ask: "standing", workspace, ...(held && { knownEpoch: held.epoch }) });
    if (rows === undefined && held !== undefined) return held;
    return (await verified(workspace, rows as StandingRows)).marked;
  };
  return { known, ledgerOf, verified, current };
}

const TAMPERED: Refused = refused("LEEWAY_TAMPERED", say("refusal.standing_tampered"), say("hint.former_key"));

type RowQuery = Extract<Query, { ask: "row" }>;
type AnyRow = Versioned<StandingTable | BucketedTable>;
type ProvenBucket<T extends BucketedTable> = { rows: readonly Versioned<T>[]; held: BucketRows };
type Proving = {
  row(query: RowQuery): Promise<AnyRow | undefined>;
  bucket<T extends BucketedTable>(workspace: WorkspaceId, table: T, id: BucketId): Promise<ProvenBucket<T>>;
};

/** What a verb makes from a row is marked in turn: so the row it starts from has to be the one that was marked. */
function provingRows(store: Store, current: (workspace: WorkspaceId) => Promise<Marked>): Proving {
  const bucket = async <T extends BucketedTable>(workspace: WorkspaceId, table: T, id: BucketId) => {
    for (let tries = 0; tries < TRIES; tries++) {
      const rows = await bucketIn(store, workspace, table, id);
      const held = bucketRows(
        table,
        id,
        rows.map(({ row }) => row),
      );
      if (held !== undefined && isBucketMarked(await current(workspace), id, held)) return { rows, held };
    }
    throw new StoreUnavailable(TAMPERED);
  };
  /** A row of a bucket is proved with all of its bucket. */
  const inBucket = async (query: RowQuery, table: BucketedTable, found: AnyRow): Promise<boolean> => {
    const row = found.row as Rows[typeof table];
    const id = bucketOf(table, row);
    if (id === undefined) return true;
    const { held } = await bucket(query.workspace, table, id);
    return held.get(query.id) === rowHashOf(table, row);
  };
  const row = async (query: RowQuery): Promise<AnyRow | undefined> => {
    const { table } = query;
    for (let tries = 0; tries < TRIES; tries++) {
      const found = (await store.read(query)) as AnyRow | undefined;
      const { hashes } = await current(query.workspace);
      const isSo = !isStanding(table) || hashes.get(keyOf(table, query.id)) === markedHash(table, found);
      if (isSo && (found === undefined || !isBucketed(table) || (await inBucket(query, table, found)))) return found;
    }
    throw new StoreUnavailable(TAMPERED);
  };
  return { row, bucket };
}

/** What the mark has to know of a row; nothing where there is none, or it is over. */
function markedHash<T extends StandingTable>(table: T, found: AnyRow | undefined): Hash | undefined {
  const row = found?.row as Rows[T] | undefined;
  return row === undefined || !isInForce(table, row) ? undefined : rowHashOf(table, row);
}

const ALL_OF_IT = Number.MAX_SAFE_INTEGER;

async function bucketIn<T extends BucketedTable>(
  store: Store,
  workspace: WorkspaceId,
  table: T,
  collect: BucketId,
): Promise<readonly Versioned<T>[]> {
  const where = { collect };
  const query = { ask: "rows", workspace, table, where, limit: ALL_OF_IT, order: "oldest" } as const;
  return (await store.read(query)) as readonly Versioned<T>[];
}

function isOfStanding(write: Write): boolean {
  return write.do === "turn" || (write.do === "put" && (isStanding(write.table) || isBucketed(write.table)));
}

function isStanding(table: string): table is StandingTable {
  return (STANDING_TABLES as readonly string[]).includes(table);
}

function isBucketed(table: string): table is BucketedTable {
  return (BUCKETED_TABLES as readonly string[]).includes(table);
}

type BucketPut = Extract<Put, { table: "buckets" }>;

/** The buckets that are others after this Change. Where a database is adopted, all there are. */
async function changedBuckets(given: Marking, proving: Proving, change: Change): Promise<readonly BucketPut[]> {
  const { workspace } = change;
  if (given.adopts !== undefined) return allBuckets(given.store, workspace);
  const changed = new Map<BucketId, Map<string, Hash>>();
  for (const write of change.writes) {
    if (write.do !== "put" || !(write.table === "tokens" || write.table === "policies")) continue;
    const { table, row } = write;
    const is = bucketOf(table, row);
    // A token that is over was in the bucket of its holder; what was accepted never was in any.
    const id = is ?? (write.table === "tokens" ? tokenBucket(write.row.holder) : undefined);
    if (id === undefined) continue;
    const held = changed.get(id) ?? new Map((await proving.bucket(workspace, table, id)).held);
    if (is === undefined) held.delete(row.id);
    else held.set(row.id, rowHashOf(table, row));
    changed.set(id, held);
  }
  return [...changed].map(([id, held]) => put("buckets", bucketRow(workspace, id, held)) as BucketPut);
}

async function allBuckets(store: Store, workspace: WorkspaceId): Promise<readonly BucketPut[]> {
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

function afterChange(before: Marked, { writes }: Change, buckets: readonly BucketPut[]): Marked {
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

type Step = { before: Marked; after: Marked; buckets: readonly BucketPut[]; ledger: string | undefined };

/** The Change holds only while the standing is the one that was marked before. The first of all makes the ledger's id. */
function withMark({ sealer }: Marking, change: Change, { before, after, buckets, ledger }: Step): Change {
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
