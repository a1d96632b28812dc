import { type Change, put, type Write } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { WorkspaceId } from "../../core/ids.ts";
import type { EntryDraft } from "../../core/ledger.ts";
import { say } from "../../core/messages/message.ts";
import { rowHashOf } from "../../core/rows/row-hash.ts";
import {
  type BucketedTable,
  type BucketId,
  bucketOf,
  isInForce,
  type Rows,
  type StandingTable,
  tokenBucket,
  type Versioned,
} from "../../core/rows/rows.ts";
import type { Hash } from "../../core/values/hash.ts";
import { type Found, type Query, type Sealer, type StandingRows, type Store, StoreUnavailable } from "../../ports.ts";
import type { Deps } from "../deps.ts";
import { keepAdmins } from "../people/admins.ts";
import {
  afterChange,
  allBuckets,
  type BucketPut,
  type BucketRows,
  bucketIn,
  bucketRow,
  bucketRows,
  FIRST_EPOCH,
  hasDoubles,
  isBucketed,
  isBucketMarked,
  isMarked,
  isStanding,
  keyOf,
  type Marked,
  markedOf,
  withMark,
} from "../standing/mark.ts";
import { ledgerId, sealLedger, whyWentBack } from "./sealing.ts";

type Guarding = Pick<Deps, "store" | "seals" | "sealer" | "mint" | "clock"> & {
  /** Stops the processes of other machines too. Only a database that several machines use has it. */
  pauseOthers?: (workspace: WorkspaceId, lastMs: number) => Promise<void>;
};

/**
 * The store as every door uses it.
 *
 * If the database went back, nothing that decisions depend on is read and nothing is written, so nothing runs. What
 * people look at stays readable. After each act of a person, and after each use of a person's approval, a checkpoint is
 * signed before anybody is told that it was done. `unguarded` leaves all this out, for the commands that repair such a
 * database. After `close` nothing can be used any more: a late call must not open the database again.
 */
export function guardedStore(given: Guarding & Pick<Marking, "adopt">, how: { unguarded?: true } = {}): Store {
  const store = markedStore(given);
  const isGuarded = how.unguarded !== true;
  const { admitted, admit, inOrder } = admissions({ ...given, store });
  const sign = signing({ ...given, store });
  const losses = keepingLost(given);
  let closed = false;
  const use = async <T>(workspace: WorkspaceId | undefined, act: () => Promise<T>): Promise<T> => {
    if (closed) throw new StoreUnavailable("the gate is closed");
    try {
      if (workspace !== undefined && isGuarded && !admitted.has(workspace)) await admit(workspace);
      return await act();
    } catch (error) {
      // After a failure the database may be another one, so it is compared again.
      admitted.clear();
      if (workspace !== undefined && isGuarded && error instanceof StoreUnavailable)
        await losses.found(workspace, error);
      throw error;
    }
  };
  return {
    watch: store.watch,
    admission: {
      check: (workspace) => use(workspace, async () => undefined),
      doubt: (workspace) => void admitted.delete(workspace),
    },
    read: <const Q extends Query>(query: Q) => {
      const { ask, workspace } = query;
      if (ask !== "standing" && ask !== "submission") return use(undefined, () => store.read(query));
      const read = () => store.read(query) as Promise<{ epoch: number } | undefined>;
      return use(workspace, () => (isGuarded ? inOrder(workspace, read) : read())) as Promise<Found<Q>>;
    },
    commit: (change) =>
      use(change.workspace, async () => {
        const committed = await store.commit(change);
        if (committed.ok) losses.appended(change);
        if (committed.ok && isGuarded && change.entries.some(isSignedFor)) await sign(change);
        return committed;
      }),
    take: (queue, t) => use(t.workspace, () => store.take(queue, t)),
    close: async () => {
      if (closed) return;
      closed = true;
      await store.close();
    },
  };
}

/**
 * Writes down once what this process finds missing, and stops the other machines, to which nothing is missing. A person may have
 * recovered since: then the others go on, and only this process, which still remembers the entry, refuses until it is started again.
 */
function keepingLost({ seals, pauseOthers }: Guarding) {
  const kept = new Map<WorkspaceId, Hash>();
  const lastMs = new Map<WorkspaceId, number>();
  const told = new Set<WorkspaceId>();
  return {
    appended: ({ workspace, atMs, entries }: Change) => {
      if (entries.length > 0) lastMs.set(workspace, atMs);
    },
    found: async (workspace: WorkspaceId, { lost, refused: why }: StoreUnavailable) => {
      const sinceMs = lastMs.get(workspace);
      if (lost !== undefined && kept.get(workspace) !== lost.hash) {
        await seals?.keepLost(workspace, lost, sinceMs ?? Number.POSITIVE_INFINITY);
        kept.set(workspace, lost.hash);
      }
      const isGone = lost !== undefined || why?.code === "LEEWAY_WENT_BACK";
      if (pauseOthers === undefined || sinceMs === undefined || !isGone || told.has(workspace)) return;
      // If it fails, it is tried again at the next use; what the caller must hear is that the database went back.
      const isTold = await pauseOthers(workspace, sinceMs).then(
        () => true,
        () => false,
      );
      if (isTold) told.add(workspace);
    },
  };
}

/** Compares each workspace with its newest checkpoint before its first use. */
function admissions(given: Guarding) {
  const admitted = new Set<WorkspaceId>();
  const epochs = new Map<WorkspaceId, number>();
  return {
    admitted,
    admit: async (workspace: WorkspaceId) => {
      const why = await whyWentBack({ ...given, workspace });
      if (why !== undefined) throw new StoreUnavailable(why);
      admitted.add(workspace);
    },
    /** Refuses what is older than anything that was seen before it was asked for. A later question may be answered first. */
    inOrder: async <T extends { epoch: number }>(workspace: WorkspaceId, read: () => Promise<T | undefined>) => {
      const seen = () => epochs.get(workspace) ?? 0;
      const before = seen();
      const found = await read();
      if (found === undefined) return undefined;
      if (found.epoch < before) throw new StoreUnavailable(OLDER);
      epochs.set(workspace, Math.max(found.epoch, seen()));
      return found;
    },
  };
}

/** Signs a checkpoint after a Change. Changes that come while one is being signed share the next one. */
function signing(given: Guarding): (change: Change) => Promise<void> {
  const turns = new Map<WorkspaceId, () => Promise<void>>();
  return async (change) => {
    await keepUses(given, change);
    const { workspace } = change;
    const turn = turns.get(workspace) ?? sharing(() => signNow(given, workspace));
    turns.set(workspace, turn);
    await turn();
  };
}

const OLDER = refused("LEEWAY_WENT_BACK", say("refusal.older_than_seen"), say("hint.doctor_and_restart"));

/** An act of a person, or a use of a person's approval. */
function isSignedFor(entry: EntryDraft): boolean {
  return entry.actor.startsWith("person:") || isUse(entry);
}

/** A person's approval was used. In an older state of the database it could be used again. */
function isUse({ kind, subject }: EntryDraft): boolean {
  return (kind === "execution.claimed" || kind === "execution.handed") && subject.approval !== undefined;
}

/** The use is also stored outside the database. An older copy of the database would not know about it. */
async function keepUses({ seals }: Guarding, { workspace, entries, writes }: Change): Promise<void> {
  if (seals === undefined || !entries.some(isUse)) return;
  for (const write of writes) {
    if (write.do !== "step") continue;
    const { id, state, attempts } = write.right;
    if (state === "claimed" || state === "handed") await seals.keepUse(workspace, id, attempts);
  }
}

async function signNow(given: Guarding, workspace: WorkspaceId): Promise<void> {
  if (given.seals === undefined) return;
  const sealed = await sealLedger({ ...given, workspace });
  if (!sealed.ok) throw new StoreUnavailable(unsigned(sealed));
  await keepAdmins({ ...given, seals: given.seals, workspace });
}

function unsigned({ reason, ...rest }: Refused): Refused {
  return { ...rest, reason: say("refusal.not_signed", { reason }) };
}

/** Calls that come while one is running share the next one. */
function sharing(act: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = () => {
    running = act().finally(() => {
      running = undefined;
    });
    return running;
  };
  const after = async (before: Promise<void>) => {
    await Promise.allSettled([before]);
    next = undefined;
    await start();
  };
  return () => {
    if (running === undefined) return start();
    next ??= after(running);
    return next;
  };
}

// Everything in force is covered by the gate's mark. Somebody who writes to the database without the key can add, change or
// delete a row, or put older rows back; then the mark does not match, and nothing is decided by these rows. Rows that have
// ended are not covered, because nothing is decided by them. If one is made to look live, the mark does not match.

type Marking = {
  store: Store;
  sealer: Sealer;
  /** Marks a database that an earlier version wrote, if this is allowed. */
  adopt?: (workspace: WorkspaceId) => Promise<void>;
  /** The rows of such a database. They have no current mark, and were compared with the ledger or with their earlier mark. */
  adopts?: StandingRows;
};

/** If another process changes something between two reads, both are repeated. */
const TRIES = 5;

/** Writes the mark with every Change of what is in force, and refuses rows that do not match it. */
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
      // Using a token does not change anything that is marked.
      if (after === before) return store.commit(change);
      const ledger = await reads.ledgerOf(change.workspace);
      const committed = await store.commit(withMark(given.sealer, change, { before, after, buckets, ledger }));
      if (committed.ok) reads.known.set(change.workspace, after);
      else reads.known.delete(change.workspace);
      return committed;
    },
  };
}

/** Reads what is in force, and compares it with its mark. */
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

/** A changed row gets a mark, so the row before the change must be the one that was marked. */
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
  /** A row in a bucket is proved together with its whole bucket. */
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

/** The hash that the mark must contain for a row; undefined if there is no row, or if it has ended. */
function markedHash<T extends StandingTable>(table: T, found: AnyRow | undefined): Hash | undefined {
  const row = found?.row as Rows[T] | undefined;
  return row === undefined || !isInForce(table, row) ? undefined : rowHashOf(table, row);
}

/** The buckets that this Change changes. For a database of an earlier version: all buckets. */
async function changedBuckets(given: Marking, proving: Proving, change: Change): Promise<readonly BucketPut[]> {
  const { workspace } = change;
  if (given.adopts !== undefined) return allBuckets(given.store, workspace);
  const changed = new Map<BucketId, Map<string, Hash>>();
  for (const write of change.writes) {
    if (write.do !== "put" || !(write.table === "tokens" || write.table === "policies")) continue;
    const { table, row } = write;
    const is = bucketOf(table, row);
    // A token that has ended was in the bucket of its holder. An accepted policy was in no bucket.
    const id = is ?? (write.table === "tokens" ? tokenBucket(write.row.holder) : undefined);
    if (id === undefined) continue;
    const held = changed.get(id) ?? new Map((await proving.bucket(workspace, table, id)).held);
    if (is === undefined) held.delete(row.id);
    else held.set(row.id, rowHashOf(table, row));
    changed.set(id, held);
  }
  return [...changed].map(([id, held]) => put("buckets", bucketRow(workspace, id, held)) as BucketPut);
}

function isOfStanding(write: Write): boolean {
  return write.do === "turn" || (write.do === "put" && (isStanding(write.table) || isBucketed(write.table)));
}
