import type { Execution } from "../../../core/execution.ts";
import type { CallId } from "../../../core/ids.ts";
import { bornNames, erasedCall, keptRight } from "../../../core/rows/stored-call.ts";
import { bornRightOf, callAt, FIRST_DECIDED, inSpace } from "../calls.ts";
import type { Database } from "../file/driver.ts";
import { rowOf } from "../queries/row-at.ts";
import type { WritableWorkspace } from "./rights.ts";

/** Erases salt and body of an entry; for the deciding entry of a call also everything else about its content. */
export function eraseEntry(db: Database, of: WritableWorkspace, place: number): void {
  const entry = db.prepare("select call, kind from entries where place = ?").get(place);
  const id = entry?.["kind"] === "call.decided" ? entry["call"] : null;
  if (typeof id === "string") eraseCall(db, of, id, place);
  db.prepare("update entries set salt = null, body = null where place = ?").run(place);
}

const AT = `select place, coalesce(decided, place) as decided, args, result from calls where place = ${FIRST_DECIDED}`;
const NO_RESULT =
  "update executions set row = json_remove(row, '$.result'), version = version + 1 where space = ? and id = ?";
const OWN_RESULT = "select row ->> '$.result' as result from executions where space = ? and id = ? and call = ?";

function eraseCall(db: Database, of: WritableWorkspace, id: string, decided: number): void {
  const found = db.prepare(AT).get(...inSpace(of.space, id));
  eraseResultOf(db, of, id, decided);
  // A call that was decided again since then uses the later entry.
  if (found === undefined || found["decided"] !== decided) return;
  const place = Number(found["place"]);
  const call = callAt(db, of, place);
  if (call === undefined) return;
  eraseBornResult(db, of, place, id);
  const { approvalId, executionId } = call.row;
  const approval = approvalId === undefined ? undefined : rowOf(db, of, "approvals", approvalId)?.row;
  const right = executionId ?? (approval?.state === "approved" ? approval.executionId : undefined);
  if (right !== undefined) eraseOwnResult(db, of, id, right);
  const kept = JSON.stringify(erasedCall(call.row));
  of.seals.erase(db, found["args"]);
  of.seals.erase(db, found["result"]);
  db.prepare("update calls set version = version + 1, row = ?, args = null, result = null where place = ?").run(
    kept,
    place,
  );
}

/** The execution stored with the call is written out completely, because it can no longer be derived from the entry. */
function eraseBornResult(db: Database, of: WritableWorkspace, place: number, id: string): void {
  const born = bornRightOf(db, of, bornNames(id as CallId).execution);
  if (born === undefined) return;
  const { result, ...right } = { result: undefined, ...born.row };
  db.prepare("update calls set execution = ?, execution_version = ? where place = ?").run(
    JSON.stringify(keptRight(right as Execution)),
    result === undefined ? born.version : born.version + 1,
    place,
  );
}

/** The result of the execution of this decision, if it is stored separately. */
function eraseResultOf(db: Database, of: WritableWorkspace, id: string, decided: number): void {
  const execution = db.prepare("select subject ->> '$.execution' as id from entries where place = ?").get(decided)?.[
    "id"
  ];
  if (typeof execution === "string") eraseOwnResult(db, of, id, execution);
}

/** Another call may depend on the same question; its data stays. */
function eraseOwnResult(db: Database, of: WritableWorkspace, id: string, right: string): void {
  const result = db.prepare(OWN_RESULT).get(of.space, right, id)?.["result"] ?? null;
  if (result === null) return;
  of.seals.erase(db, result);
  db.prepare(NO_RESULT).run(of.space, right);
}
