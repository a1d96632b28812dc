import type { WorkspaceId } from "../../core/ids.ts";
import { EMPTY_HEAD, type Head } from "../../core/ledger.ts";
import type { Hash } from "../../core/values/hash.ts";
import { StoreUnavailable } from "../../ports.ts";
import type { Database } from "./driver.ts";

/** Where a workspace stands: its number in the database, its epoch and the end of its chain. */
export type Stand = { space: number; epoch: number; head: Head };

export const FIRST_EPOCH = 1;

const ENTRIES_MAX = 2 ** 40;
const SPACES_MAX = 2 ** 13;

/** Where an entry lies. One number for workspace and index spares every append an index of its own. */
export function placeOf(space: number, index: number): number {
  return space * ENTRIES_MAX + index;
}

export function indexAt(place: number): number {
  return place % ENTRIES_MAX;
}

export function standOf(db: Database, workspace: WorkspaceId): Stand | undefined {
  const found = db.prepare("select * from heads where workspace = ?").get(workspace);
  if (found === undefined) return undefined;
  return {
    space: Number(found["space"]),
    epoch: Number(found["epoch"]),
    head: {
      index: Number(found["entry"]),
      atMs: Number(found["at_ms"]),
      hash: found["hash"] as Hash | null,
      edge: JSON.parse(String(found["edge"])),
    },
  };
}

export function firstStand(db: Database, workspace: WorkspaceId): Stand {
  const made = db
    .prepare("insert into heads (workspace, epoch, entry, at_ms, edge) values (?, ?, 0, 0, '[]') returning space")
    .get(workspace, FIRST_EPOCH);
  const space = Number(made?.["space"]);
  if (space >= SPACES_MAX) throw new StoreUnavailable(`one database holds ${SPACES_MAX} workspaces; use another one`);
  return { space, epoch: FIRST_EPOCH, head: EMPTY_HEAD };
}

export function writeStand(db: Database, { space, epoch, head }: Stand): void {
  db.prepare("update heads set epoch = ?, entry = ?, at_ms = ?, hash = ?, edge = ? where space = ?").run(
    epoch,
    head.index,
    head.atMs,
    head.hash,
    JSON.stringify(head.edge),
    space,
  );
}

/** Where workspaces stood after the last commit of this connection: as long as no other one has written, they stand there still. */
export type Stands = {
  /** Asked inside the transaction. Whatever fails after it, the next one reads anew. */
  lastSeen(db: Database): ReadonlyMap<WorkspaceId, Stand>;
  see(stands: ReadonlyMap<WorkspaceId, Stand>): void;
};

export function standsKept(): Stands {
  let last: { db: Database; version: unknown; stands: ReadonlyMap<WorkspaceId, Stand> } | undefined;
  let asked: { db: Database; version: unknown } | undefined;
  return {
    lastSeen: (db) => {
      // Another connection's commit changes it, our own does not.
      const version = db.prepare("pragma data_version").get()?.["data_version"];
      const seen = last?.db === db && last.version === version ? last.stands : NO_STANDS;
      last = undefined;
      asked = { db, version };
      return seen;
    },
    see: (stands) => {
      if (asked !== undefined) last = { ...asked, stands };
    },
  };
}

const NO_STANDS: ReadonlyMap<WorkspaceId, Stand> = new Map();
