import { type Change, idOf, type Need, type Put, type Write } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { WorkspaceId } from "../../core/ids.ts";
import { chain, EMPTY_HEAD } from "../../core/ledger.ts";
import { ledgerIdOf } from "../../core/record/checkpoint.ts";
import { rowHashOf, rowId } from "../../core/row-hash.ts";
import { STANDING_TABLES, type StandingTable } from "../../core/rows.ts";
import type { Hash } from "../../core/values/hash.ts";
import { type Found, type Query, type Sealer, type StandingRows, type Store, StoreUnavailable } from "../../ports.ts";
import { ledgerId } from "../record/sealing.ts";

// What is in force carries the gate's mark: a keyed hash over every row of it, the epoch and the ledger's id. Whoever
// writes the database without the key can plant, change or delete a row, or put older rows back; the mark then does
// not fit, and nothing is decided by what lies there.

type Marking = {
  store: Store;
  sealer: Sealer;
  /** Marks a database of before, where it may be marked. */
  adopt?: (workspace: WorkspaceId) => Promise<void>;
  /** What is being adopted: it carries no mark, and was compared with the ledger. */
  adopts?: StandingRows;
};

/** The rows of the standing by table and id, each as its hash. */
type Marked = { epoch: number; hashes: ReadonlyMap<string, Hash> };

const ROW_TRIES = 5;

/** The epoch of a workspace in which nothing was ever in force. */
const FIRST_EPOCH = 1;

export function markedStore(given: Marking): Store {
  const { store } = given;
  const { known, ledgerOf, verified, current } = reading(given);
  /** What a verb makes from a row is marked in turn: so the row it starts from has to be the one that was marked. */
  const rowAsMarked = async (query: Extract<Query, { ask: "row" }> & { table: StandingTable }) => {
    for (let tries = 0; tries < ROW_TRIES; tries++) {
      const found = await store.read(query);
      const { hashes } = await current(query.workspace);
      const is = found && rowHashOf(query.table, found.row);
      if (hashes.get(keyOf(query.table, query.id)) === is) return found;
      // Another process may have changed it between the two reads: then both are read again.
    }
    throw new StoreUnavailable(TAMPERED);
  };
  return {
    ...store,
    read: async (query) => {
      if (query.ask === "row" && isStanding(query.table)) {
        return (await rowAsMarked({ ...query, table: query.table })) as Found<typeof query>;
      }
      const found = await store.read(query);
      if (query.ask !== "standing" || found === undefined) return found;
      return (await verified(query.workspace, found as StandingRows)).rows as unknown as typeof found;
    },
    commit: async (change) => {
      if (!change.writes.some(isOfStanding)) return store.commit(change);
      const before = await current(change.workspace);
      const after = afterChange(before, change);
      // A token that was used is the same token: nothing that is marked changes.
      if (after === before) return store.commit(change);
      const ledger = await ledgerOf(change.workspace);
      const committed = await store.commit(withMark(given, change, { before, after, ledger }));
      if (committed.ok) known.set(change.workspace, after);
      else known.delete(change.workspace);
      return committed;
    },
  };
}

/** What was read and fitted its mark. */
function reading(given: Marking) {
  const { store, adopts, adopt } = given;
  const known = new Map<WorkspaceId, Marked>();
  const ledgers = new Map<WorkspaceId, string>();
  const ledgerOf = async (workspace: WorkspaceId) => {
    const found = ledgers.get(workspace) ?? (await ledgerId({ store, workspace }));
    if (found !== undefined) ledgers.set(workspace, found);
    return found;
  };
  const adopted = async (workspace: WorkspaceId, rows: StandingRows): Promise<StandingRows> => {
    if (rows.mark !== null || rows.epoch === FIRST_EPOCH || adopt === undefined) return rows;
    await adopt(workspace);
    return (await store.read({ ask: "standing", workspace })) ?? rows;
  };
  const verified = async (workspace: WorkspaceId, found: StandingRows) => {
    const rows = await adopted(workspace, found);
    const marked = markedOf(rows);
    known.delete(workspace);
    const whole = { workspace, ledger: await ledgerOf(workspace), marked };
    if (hasDoubles(rows, marked) || !isMarked(given, whole, rows.mark)) {
      throw new StoreUnavailable(TAMPERED);
    }
    known.set(workspace, marked);
    return { rows, marked };
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

const TAMPERED: Refused = refused(
  "LEEWAY_TAMPERED",
  "nothing runs, because what is in force (people, grants, pauses, tokens, promotions or policies) was not written with the key that this gate has",
  "if LEEWAY_KEY or the key file is another than before, give the former one; if not, somebody changed the database: `leeway verify` names the rows, `leeway restore` brings a backup back",
);

function isOfStanding(write: Write): boolean {
  return write.do === "turn" || (write.do === "put" && isStanding(write.table));
}

function isStanding(table: string): table is StandingTable {
  return (STANDING_TABLES as readonly string[]).includes(table);
}

function markedOf(rows: StandingRows): Marked {
  const hashes = new Map<string, Hash>();
  for (const table of STANDING_TABLES) {
    for (const row of rows[table]) hashes.set(keyOf(table, rowId(row)), rowHashOf(table, row));
  }
  return { epoch: rows.epoch, hashes };
}

/** A second row under the name of a marked one would be found in its place, and the mark knows one of each. */
function hasDoubles(rows: StandingRows, { hashes }: Marked): boolean {
  return hashes.size !== STANDING_TABLES.reduce((sum, table) => sum + rows[table].length, 0);
}

function keyOf(table: string, id: string): string {
  return `${table}\n${id}`;
}

function afterChange(before: Marked, { writes }: Change): Marked {
  const turns = writes.filter((write) => write.do === "turn").length;
  const puts = writes.filter((write): write is Put => write.do === "put" && isStanding(write.table));
  const hashes = new Map(before.hashes);
  let isChanged = turns > 0;
  for (const put of puts) {
    const [key, hash] = [keyOf(put.table, idOf(put)), rowHashOf(put.table, put.row)];
    isChanged ||= hashes.get(key) !== hash;
    hashes.set(key, hash);
  }
  return isChanged ? { epoch: before.epoch + turns, hashes } : before;
}

type Step = { before: Marked; after: Marked; ledger: string | undefined };

/** The Change holds only while the standing is the one that was marked before. The first of all makes the ledger's id. */
function withMark(given: Marking, change: Change, { before, after, ledger }: Step): Change {
  const { workspace, entries, atMs } = change;
  const [first] = entries;
  const id = ledger ?? (first && ledgerIdOf(chain(EMPTY_HEAD, first, { workspace, nowMs: atMs }).hash));
  const needs: Need[] = [{ is: "epoch", epoch: before.epoch }, ...(ledger === undefined ? [EMPTY] : [])];
  const mark = markOf(given, { workspace, ledger: id, marked: after });
  return { ...change, needs: [...change.needs, ...needs], writes: [...change.writes, { do: "mark", mark }] };
}

const EMPTY: Need = { is: "empty" };

type Whole = { workspace: WorkspaceId; ledger: string | undefined; marked: Marked };

function markOf({ sealer }: Marking, { workspace, ledger = "", marked }: Whole): string {
  const lines = [...marked.hashes].map(([key, hash]) => `${JSON.stringify(key)} ${hash}`).sort();
  return sealer.mark([`standing ${JSON.stringify(workspace)} ${ledger} ${marked.epoch}`, ...lines].join("\n"));
}

function isMarked(given: Marking, whole: Whole, mark: string | null): boolean {
  // Where nothing was ever in force there is nothing to mark.
  if (mark === null) return whole.marked.epoch === FIRST_EPOCH && whole.marked.hashes.size === 0;
  return mark === markOf(given, whole);
}
