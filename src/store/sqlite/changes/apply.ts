import type { Committed, Need } from "../../../core/change.ts";
import type { WorkspaceId } from "../../../core/ids.ts";
import { headAfter, linkHashOf } from "../../../core/ledger.ts";
import { Unfit } from "../../grouping.ts";
import { agentColumn } from "../../sql/columns.ts";
import { placeOf, type WorkspaceState } from "../../sql/places.ts";
import type { Ready, ReadyEntry, ReadyStart, ReadyStep, ReadyWrite } from "../../sql/prepare.ts";
import { FIRST_DECIDED, inSpace } from "../calls.ts";
import { addTo, sumOf } from "../counters.ts";
import type { Database } from "../file/driver.ts";
import { isOfOne } from "../file/faults.ts";
import { type WorkspaceStates, writeStand } from "../heads.ts";
import type { Seals } from "../seals.ts";
import type { Tracks } from "../tracks.ts";
import { eraseEntry } from "./erasing.ts";
import { known, remember } from "./known.ts";
import type { Pruner } from "./prune.ts";
import { PUTS } from "./puts.ts";
import type { Quiet } from "./quiet.ts";
import { applyStart, applyStep, versionOf, type WritableWorkspace } from "./rights.ts";

/**
 * Applies Changes one after the other in one transaction with one sync. A Change whose need fails is stale and leaves
 * no trace; one whose id is known returns its earlier answer. Either all of it is on disk afterwards or nothing.
 * Throws `Unfit` for a Change that can never be applied: then the batch must be sent again without it.
 */
export function applyBatch(db: Database, batch: readonly Ready[], kept: ApplyState): Committed[] {
  const { stands, prune, quiet, seals, tracks } = kept;
  const erases = batch.some((ready) => ready.erases);
  // Erased data must be gone from the file, not only unreachable.
  if (erases) db.exec("pragma secure_delete = on");
  db.prepare("begin immediate").run();
  const isOurs = stands.begin(db);
  if (!isOurs) quiet.forget();
  tracks.begin(isOurs);
  const moving = new Map<WorkspaceId, Moving>();
  seals.begin(db);
  const answers = batch.map((ready, place) => {
    try {
      return applyOne(db, ready, standIn(moving, db, ready.workspace, stands), kept);
    } catch (error) {
      throw isOfOne(error) ? new Unfit(place, error) : error;
    }
  });
  seals.end();
  tracks.write(db);
  const moved = [...moving.values()].filter((stand) => stand.moved);
  for (const stand of moved) writeStand(db, stand);
  if (moved.length > 0) prune(db, { count: batch.length, nowMs: batch[0]?.atMs ?? 0 });
  // Only stale and known Changes: there is nothing to sync.
  db.prepare(moved.length === 0 ? "rollback" : "commit").run();
  if (moved.length > 0) stands.see(moving);
  tracks.keep();
  if (erases) db.exec("pragma secure_delete = fast");
  return answers;
}

/** State kept between batches. */
export type ApplyState = { stands: WorkspaceStates; prune: Pruner; quiet: Quiet; seals: Seals; tracks: Tracks };

type Moving = WorkspaceState & { moved: boolean };

function standIn(
  moving: Map<WorkspaceId, Moving>,
  db: Database,
  workspace: WorkspaceId,
  stands: WorkspaceStates,
): Moving {
  const found = moving.get(workspace);
  if (found !== undefined) return found;
  const { space, epoch, mark, head } = stands.at(db, workspace);
  const stand = { moved: false, space, epoch, mark, head };
  moving.set(workspace, stand);
  return stand;
}

function applyOne(db: Database, ready: Ready, stand: Moving, { quiet, seals, tracks }: ApplyState): Committed {
  for (const need of ready.needs) {
    const isSo = need.is === "quiet" ? quiet.holds(db, stand.space, need) : holds(db, stand, need, ready.atMs);
    // A Change that was applied before usually fails its own needs; it returns its earlier answer.
    if (!isSo) return known(db, stand, ready) ?? { ok: false, stale: need };
  }
  const before = ready.once ? undefined : known(db, stand, ready);
  if (before !== undefined) return before;
  const firstIndex = stand.head.index + 1;
  const { proving, workspace } = ready;
  const kept = seals.mark();
  const of = { space: stand.space, workspace, seals };
  if (proving !== undefined && !applyVersioned(db, of, stand, proving.write)) {
    seals.rewind(kept);
    return known(db, stand, ready) ?? { ok: false, stale: proving.need };
  }
  stand.moved = true;
  if (ready.wakesAgents) quiet.forget();
  remember(db, stand, ready);
  for (const write of ready.writes) applyWrite(db, of, stand, write, ready.atMs);
  for (const entry of ready.entries) append(db, stand, entry, ready, tracks);
  return { ok: true, firstIndex };
}

function holds(db: Database, stand: WorkspaceState, need: Exclude<Need, { is: "quiet" }>, nowMs: number): boolean {
  const { space } = stand;
  switch (need.is) {
    case "version":
      return versionOf(db, space, need.ref) === need.version;
    case "unique":
      return (
        db.prepare(`select 1 from ${need.table} where space = ? and key = ? limit 1`).get(space, need.key) === undefined
      );
    case "epoch":
      return stand.epoch === need.epoch;
    case "empty":
      return stand.head.index === 0;
    case "room":
      return need.counters.reduce((sum, id) => sum + sumOf(db, space, id, nowMs), 0) + need.add <= need.max;
  }
}

function applyWrite(
  db: Database,
  of: WritableWorkspace,
  stand: WorkspaceState,
  write: ReadyWrite,
  nowMs: number,
): void {
  switch (write.do) {
    case "put":
      db.prepare(PUTS[write.table]).run(stand.space, ...write.values);
      break;
    case "start":
    case "step":
      // Its version was checked by the needs, so this can fail only because of a bug.
      if (!applyVersioned(db, of, stand, write))
        throw new Error("a right or a call is not as it was needed (this is a bug)");
      break;
    case "lead":
      db.prepare(LEAD).run(write.to, ...inSpace(stand.space, write.call));
      break;
    case "turn":
      stand.epoch += 1;
      break;
    case "mark":
      stand.mark = write.mark;
      break;
    case "add":
      addTo(db, stand.space, write, nowMs);
      break;
    case "erase":
      eraseEntry(db, of, placeOf(stand.space, write.index));
      break;
  }
}

const LEAD = `update calls set version = version + 1, row = json_set(row, '$.approvalId', ?) where place = ${FIRST_DECIDED}`;

function applyVersioned(
  db: Database,
  of: WritableWorkspace,
  { head }: WorkspaceState,
  write: ReadyStart | ReadyStep,
): boolean {
  // Entries are appended after the writes of their Change, but their index is already known.
  return write.do === "start" ? applyStart(db, of, write, head.index + 1 + write.entry) : applyStep(db, of, write);
}

const APPEND =
  "insert into entries (place, at_ms, kind, actor, subject, call, change, approval, grant_id, person, agent, " +
  "body_hash, previous, hash, salt, body) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

/** Appends the entry. The database lock also protects the head, so two entries never have the same parent. */
function append(db: Database, stand: WorkspaceState, entry: ReadyEntry, change: Ready, tracks: Tracks): void {
  const index = stand.head.index + 1;
  // If the clock was set back, the entries must still be in order of time.
  const atMs = Math.max(change.atMs, stand.head.atMs);
  const { kind, actor, subject, bodyHash, about } = entry;
  const previous = stand.head.hash;
  const place = placeOf(stand.space, index);
  const hash = linkHashOf({ workspace: change.workspace, index, atMs, kind, actor, subject, bodyHash, previous });
  db.prepare(APPEND).run(
    place,
    atMs,
    kind,
    actor,
    subject,
    about.call ?? null,
    about.call === undefined || about.call === change.starts ? null : change.id,
    about.approval ?? null,
    about.grant ?? null,
    about.person ?? null,
    agentColumn(about.agent),
    bodyHash,
    previous,
    hash,
    entry.salt,
    entry.text,
  );
  stand.head = headAfter({ index, atMs, hash });
  tracks.count(db, stand.space, { place, atMs, kind, actor, subject: about, text: entry.text });
}
