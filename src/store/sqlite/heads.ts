import type { WorkspaceId } from "../../core/ids.ts";
import { EMPTY_HEAD, type Head } from "../../core/ledger.ts";
import type { Hash } from "../../core/values/hash.ts";
import { StoreUnavailable } from "../../ports.ts";
import type { SqlRow } from "../sql/columns.ts";
import { ENTRIES_MAX, FIRST_EPOCH, placeOf, SPACES_MAX, type WorkspaceState } from "../sql/places.ts";
import type { Database } from "./file/driver.ts";
import { refuseOtherVersion } from "./file/migrations.ts";

/** The head as it is stored. `verify` compares it with the last entry. */
export function headAt(db: Database, workspace: WorkspaceId): (Head & { epoch: number }) | undefined {
  const found = db.prepare("select * from chains where workspace = ?").get(workspace);
  return found === undefined ? undefined : { ...headIn(found), epoch: Number(found["epoch"]) };
}

const WITH_LAST =
  "select c.space, c.epoch, c.mark, c.entry, coalesce(e.at_ms, c.at_ms) as at_ms, coalesce(e.hash, c.hash) as hash " +
  `from chains c left join entries e on e.place = c.space * ${ENTRIES_MAX} + c.entry where c.workspace = ?`;

/** The next entry follows the last one, whatever somebody wrote to the head: nothing protects that table. */
function standOf(db: Database, workspace: WorkspaceId): WorkspaceState | undefined {
  const found = db.prepare(WITH_LAST).get(workspace);
  if (found === undefined) return undefined;
  const { space, epoch, mark } = found;
  return { space: Number(space), epoch: Number(epoch), mark: mark as string | null, head: headIn(found) };
}

function headIn(found: SqlRow): Head {
  return { index: Number(found["entry"]), atMs: Number(found["at_ms"]), hash: found["hash"] as Hash | null };
}

function firstStand(db: Database, workspace: WorkspaceId): WorkspaceState {
  const made = db
    .prepare("insert into chains (workspace, epoch, entry, at_ms) values (?, ?, 0, 0) returning space")
    .get(workspace, FIRST_EPOCH);
  const space = Number(made?.["space"]);
  if (space >= SPACES_MAX) throw new StoreUnavailable(`one database holds ${SPACES_MAX} workspaces; use another one`);
  return { space, epoch: FIRST_EPOCH, mark: null, head: EMPTY_HEAD };
}

const WRITE = "update chains set epoch = ?, mark = ?, entry = ?, at_ms = ?, hash = ? where space = ?";

export function writeStand(db: Database, { space, epoch, mark, head }: WorkspaceState): void {
  db.prepare(WRITE).run(epoch, mark, head.index, head.atMs, head.hash, space);
}

/**
 * The state of workspaces after the last commit of this process. As long as no other connection has written, it is
 * still valid; otherwise it is read again, and must contain what this process appended.
 */
export type WorkspaceStates = {
  /**
   * Called inside the transaction, before anything is written: whether everything since the last time was written by
   * us. After any failure the next call reads again.
   */
  begin(db: Database): boolean;
  at(db: Database, workspace: WorkspaceId): WorkspaceState;
  see(stands: ReadonlyMap<WorkspaceId, WorkspaceState>): void;
};

export function standsKept(): WorkspaceStates {
  const heads = new Map<WorkspaceId, Head>();
  let last: { db: Database; version: unknown; stands: ReadonlyMap<WorkspaceId, WorkspaceState> } | undefined;
  let asked: { db: Database; version: unknown } | undefined;
  let seen = NO_STANDS;
  return {
    begin: (db) => {
      // A commit of another connection changes it; our own does not.
      const version = db.prepare("pragma data_version").get()?.["data_version"];
      const isOurs = last?.db === db && last.version === version;
      // Only another connection can have changed the version of the database.
      if (!isOurs) refuseOtherVersion(db);
      seen = isOurs ? (last?.stands ?? NO_STANDS) : NO_STANDS;
      last = undefined;
      asked = { db, version };
      return isOurs;
    },
    at: (db, workspace) => {
      const known = seen.get(workspace);
      if (known !== undefined) return known;
      const found = standOf(db, workspace);
      refuseOlder(db, found, heads.get(workspace));
      return found ?? firstStand(db, workspace);
    },
    see: (stands) => {
      if (asked !== undefined) last = { ...asked, stands };
      for (const [workspace, { head }] of stands) heads.set(workspace, head);
    },
  };
}

const NO_STANDS: ReadonlyMap<WorkspaceId, WorkspaceState> = new Map();

/** Appended and synced entries cannot disappear by themselves: the database was replaced by an older copy. */
function refuseOlder(db: Database, found: WorkspaceState | undefined, head: Head | undefined): void {
  if (head === undefined || head.index === 0) return;
  const place = found === undefined ? undefined : placeOf(found.space, head.index);
  const there = place === undefined ? undefined : db.prepare("select hash from entries where place = ?").get(place);
  if (there?.["hash"] === head.hash) return;
  throw new StoreUnavailable(
    `the database went back while it was in use: entry ${head.index} is not the one that was appended; ` +
      "stop this process, and see what `leeway doctor` says",
    head.hash === null ? {} : { lost: { index: head.index, hash: head.hash } },
  );
}
