import type { Committed, Need } from "../../core/change.ts";
import type { WorkspaceId } from "../../core/ids.ts";
import { headAfter, linkHashOf } from "../../core/ledger.ts";
import { erasedCall } from "../../core/record/decided-call.ts";
import { addTo, sumOf } from "./counters.ts";
import type { Database } from "./driver.ts";
import { agentColumn } from "./entries.ts";
import { isOfOne, Unfit } from "./faults.ts";
import { placeOf, type Stand, type Stands, writeStand } from "./heads.ts";
import { known, remember } from "./known.ts";
import type { Ready, ReadyEntry, ReadyWrite } from "./prepare.ts";
import type { Pruner } from "./prune.ts";

/**
 * Applies Changes one after the other in one transaction with one sync. A Change whose need fails is stale alone and
 * leaves no trace; one whose id is known answers as it did. Either all of this is on disk afterwards or nothing. Throws
 * `Unfit` for one that cannot be applied at all: the batch has to come again without it.
 */
export function applyBatch(db: Database, batch: readonly Ready[], { stands, prune }: Kept): Committed[] {
  const erases = batch.some((ready) => ready.erases);
  // What is erased must be gone from the file, not only out of reach.
  if (erases) db.exec("pragma secure_delete = on");
  db.prepare("begin immediate").run();
  stands.begin(db);
  const moving = new Map<WorkspaceId, Moving>();
  const answers = batch.map((ready, place) => {
    try {
      return applyOne(db, ready, moving, stands);
    } catch (error) {
      throw isOfOne(error) ? new Unfit(place, error) : error;
    }
  });
  const moved = [...moving.values()].filter((stand) => stand.moved);
  for (const stand of moved) writeStand(db, stand);
  if (moved.length > 0) prune(db, { count: batch.length, nowMs: batch[0]?.atMs ?? 0 });
  // Nothing but stale and known Changes: there is nothing to sync.
  db.prepare(moved.length === 0 ? "rollback" : "commit").run();
  if (moved.length > 0) stands.see(moving);
  if (erases) db.exec("pragma secure_delete = off");
  return answers;
}

/** What is kept between one batch and the next. */
type Kept = { stands: Stands; prune: Pruner };

type Moving = Stand & { moved: boolean };

function applyOne(db: Database, ready: Ready, moving: Map<WorkspaceId, Moving>, stands: Stands): Committed {
  let stand = moving.get(ready.workspace);
  if (stand === undefined) {
    const { space, epoch, mark, head } = stands.at(db, ready.workspace);
    stand = { moved: false, space, epoch, mark, head };
    moving.set(ready.workspace, stand);
  }
  for (const need of ready.needs) {
    // A Change that was applied before usually fails its own needs: it answers as it did then.
    if (!holds(db, stand, need, ready.atMs)) return known(db, stand, ready) ?? { ok: false, stale: need };
  }
  const before = ready.once ? undefined : known(db, stand, ready);
  if (before !== undefined) return before;
  const firstIndex = stand.head.index + 1;
  stand.moved = true;
  remember(db, stand, ready);
  for (const write of ready.writes) applyWrite(db, stand, write, ready.atMs);
  for (const entry of ready.entries) append(db, stand, entry, ready);
  return { ok: true, firstIndex };
}

function holds(db: Database, stand: Stand, need: Need, nowMs: number): boolean {
  const { space } = stand;
  switch (need.is) {
    case "version": {
      const found = db
        .prepare(`select version from ${need.ref.table} where space = ? and id = ?`)
        .get(space, need.ref.id);
      return Number(found?.["version"] ?? 0) === need.version;
    }
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

function applyWrite(db: Database, stand: Stand, write: ReadyWrite, nowMs: number): void {
  switch (write.do) {
    case "put":
      db.prepare(write.sql).run(stand.space, ...write.values);
      break;
    case "put call": {
      // Entries follow the writes of their Change, so the place of each is known before it is appended.
      const decided = write.entry === undefined ? null : placeOf(stand.space, stand.head.index + 1 + write.entry);
      db.prepare(write.sql).run(stand.space, ...write.values, decided);
      break;
    }
    case "lead":
      db.prepare(LEAD).run(write.to, stand.space, write.call);
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
      erase(db, stand.space, placeOf(stand.space, write.index));
      break;
  }
}

function erase(db: Database, space: number, place: number): void {
  const of = "from calls where space = ? and decided = ? and id = (select call from entries where place = ?)";
  const call = db.prepare(`select place, row ${of}`).get(space, place, place);
  if (call !== undefined) {
    const row = JSON.stringify(erasedCall(JSON.parse(String(call["row"]))));
    db.prepare("update calls set version = version + 1, row = ? where place = ?").run(row, call["place"] ?? null);
  }
  db.prepare("update entries set salt = null, body = null where place = ?").run(place);
}

const LEAD =
  "update calls set version = version + 1, row = json_set(row, '$.approvalId', ?) where space = ? and id = ?";

const APPEND =
  "insert into entries (place, at_ms, kind, actor, subject, call, change, approval, grant_id, person, agent, " +
  "body_hash, previous, hash, salt, body) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

/** Gives the entry its place. The lock on the database is the lock of the head: two entries never share a parent. */
function append(db: Database, stand: Stand, entry: ReadyEntry, change: Ready): void {
  const index = stand.head.index + 1;
  // A clock that went back must not make history run backwards.
  const atMs = Math.max(change.atMs, stand.head.atMs);
  const { kind, actor, subject, bodyHash, about } = entry;
  const previous = stand.head.hash;
  const hash = linkHashOf({ workspace: change.workspace, index, atMs, kind, actor, subject, bodyHash, previous });
  db.prepare(APPEND).run(
    placeOf(stand.space, index),
    atMs,
    kind,
    actor,
    subject,
    about.call ?? null,
    about.call === undefined ? null : change.id,
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
  stand.head = headAfter(stand.head, { index, atMs, hash });
}
