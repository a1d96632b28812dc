import type { Execution } from "../../../core/execution.ts";
import { factsOf, type Ref } from "../../../core/rows/rows.ts";
import { bornNames, callNamed } from "../../../core/rows/stored-call.ts";
import { rowValues, type SqlValue } from "../../sql/columns.ts";
import { placeOf } from "../../sql/places.ts";
import type { ReadyStart, ReadyStep } from "../../sql/prepare.ts";
import { bornRightOf, FIRST_DECIDED, inSpace, type WorkspaceRef } from "../calls.ts";
import type { Database } from "../file/driver.ts";
import type { Seals } from "../seals.ts";
import { NEW_RIGHT, NEXT_RIGHT } from "./puts.ts";

// Calls and executions are written only from a known version, and each write checks it. An execution created with its
// call stays in the call's row until somebody may look it up; then it moves to `executions` and stays there.

const NEW_CALL =
  "insert into calls (place, space, version, key, sort_ms, wake_ms, row, args, execution, execution_version) " +
  "values (?, ?, 1, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing";
const NEXT_CALL =
  "update calls set version = version + 1, sort_ms = ?, wake_ms = null, decided = ?, row = ?, args = ?, execution = null, " +
  `execution_version = null, result = null where place = ${FIRST_DECIDED} and version = ?`;

/** False if the key is taken, or the call has changed since it was read. */
export function applyStart(db: Database, of: WritableWorkspace, start: ReadyStart, index: number): boolean {
  const { id, key, atMs, wakeMs, row, execution, from } = start;
  const { space } = of;
  const place = placeOf(space, index);
  const args = of.seals.keep(start.args, start.digest);
  if (from === 0) {
    const version = execution === null ? null : 1;
    return db.prepare(NEW_CALL).run(place, space, key, atMs, wakeMs, row, args, execution, version) === 1;
  }
  // The execution can no longer be derived from the new decision, so it moves out, and its result is encrypted again.
  const born = bornRightOf(db, of, bornNames(id).execution);
  const before = db.prepare(SECRETS).get(...inSpace(space, id));
  if (db.prepare(NEXT_CALL).run(atMs, place, row, args, ...inSpace(space, id), from) !== 1) return false;
  // Replaced arguments are not needed any more.
  of.seals.erase(db, before?.["args"]);
  return born === undefined || newRight(db, of, born.row, born.version);
}

const SECRETS = `select args, result from calls where place = ${FIRST_DECIDED}`;

/** The context of a write. */
export type WritableWorkspace = WorkspaceRef & { seals: Seals };

function newRight(db: Database, of: WritableWorkspace, right: Execution, version: number): boolean {
  return db.prepare(NEW_RIGHT).run(version, of.space, right.id, ...ownValues(db, of, right)) === 1;
}

/** A separately stored execution; of its result only the location. */
function ownValues(db: Database, { space, seals }: WritableWorkspace, right: Execution): readonly SqlValue[] {
  const result = "result" in right ? right.result : undefined;
  const { result: _, ...bare } = { result, ...right };
  const isErased = result !== undefined && db.prepare(SECRETS).get(...inSpace(space, right.call))?.["args"] === null;
  const kept = result === undefined || isErased ? bare : { ...bare, result: seals.keep(result, right.id) };
  const [, ...values] = rowValues(right.id, factsOf("executions", right), JSON.stringify(kept));
  return values;
}

const STAY = `update calls set execution = ?, execution_version = execution_version + 1, result = iif(args is null, null, ?), wake_ms = ? where place = ${FIRST_DECIDED} and execution_version = ? returning result`;
const LEAVE = `update calls set execution = null, execution_version = null, result = null, wake_ms = null where place = ${FIRST_DECIDED} and execution_version = ?`;

/** False if the execution has changed since it was read. */
export function applyStep(db: Database, of: WritableWorkspace, step: ReadyStep): boolean {
  const { right, from } = step;
  const { id, call } = right;
  const { space } = of;
  if (from === 0) return versionOf(db, space, { table: "executions", id }) === 0 && newRight(db, of, right, 1);
  if (step.execution !== undefined && stay(db, of, step, step.execution)) return true;
  const isOwn = step.execution === undefined && callNamed(id) === call;
  if (isOwn && db.prepare(LEAVE).run(...inSpace(space, call), from) === 1) return newRight(db, of, right, from + 1);
  return nextRight(db, of, right, from);
}

function nextRight(db: Database, of: WritableWorkspace, right: Execution, from: number): boolean {
  const kept = of.seals.mark();
  if (db.prepare(NEXT_RIGHT).run(...ownValues(db, of, right), of.space, right.id, from) === 1) return true;
  of.seals.rewind(kept);
  return false;
}

function stay(
  db: Database,
  { space, seals }: WritableWorkspace,
  { right, from, wakeMs }: ReadyStep,
  execution: string,
): boolean {
  const secret = "result" in right ? right.result : undefined;
  const mark = seals.mark();
  const result = secret === undefined ? null : seals.keep(secret, right.id);
  const kept = db.prepare(STAY).get(execution, result, wakeMs, ...inSpace(space, right.call), from);
  // If the call was erased meanwhile, no result is stored.
  if (kept === undefined || kept["result"] === null) seals.rewind(mark);
  return kept !== undefined;
}

const CALL_VERSION = `select version from calls where place = ${FIRST_DECIDED}`;
const BORN_VERSION = `select execution_version as version from calls where place = ${FIRST_DECIDED} and execution is not null`;

/** 0 if there is none. */
export function versionOf(db: Database, space: number, { table, id }: Ref): number {
  if (table === "calls") return Number(db.prepare(CALL_VERSION).get(...inSpace(space, id))?.["version"] ?? 0);
  const born =
    table === "executions" ? db.prepare(BORN_VERSION).get(...inSpace(space, callNamed(id)))?.["version"] : undefined;
  if (born !== undefined) return Number(born);
  return Number(db.prepare(`select version from ${table} where space = ? and id = ?`).get(space, id)?.["version"] ?? 0);
}
