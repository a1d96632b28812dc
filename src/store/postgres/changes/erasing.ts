import type { Execution } from "../../../core/execution.ts";
import type { CallId } from "../../../core/ids.ts";
import { erasedCall, keptRight } from "../../../core/rows/stored-call.ts";
import { callIn } from "../../sql/found.ts";
import { storedText } from "../../sql/text.ts";
import { bornRightOf, callColumns, entryAt, secretsIn, setCall, type Writing } from "./rights.ts";
import { contentOf, patchRow } from "./rows.ts";

/** Erases salt and body of an entry; for the deciding entry of a call also everything else about its content. */
export function eraseEntry(of: Writing, place: number): void {
  const entry = entryAt(of.view, place);
  if (entry === undefined) return;
  if (entry.kind === "call.decided" && entry.call !== null) eraseCall(of, entry.call as CallId, place, entry.subject);
  of.view.erase(place);
}

function eraseCall(of: Writing, id: CallId, decided: number, subject: string): void {
  const { view } = of;
  // The result of the execution of this decision, if it is stored separately.
  const { execution } = JSON.parse(subject);
  if (typeof execution === "string") eraseOwnResult(of, id, execution);
  const call = view.get("call", storedText(id));
  // A call that was decided again since then uses the later entry.
  if (call === null || (call.decided ?? call.place) !== decided) return;
  const { row } = callIn(secretsIn(of), callColumns(view, id, call));
  const born = bornRightOf(of, id);
  const { approvalId, executionId } = row;
  const approval = approvalId === undefined ? null : contentOf(view, "approvals", storedText(approvalId));
  const asked = approval === null ? undefined : JSON.parse(approval.row);
  const right = executionId ?? (asked?.state === "approved" ? asked.executionId : undefined);
  if (right !== undefined) eraseOwnResult(of, id, right);
  const kept = JSON.stringify(erasedCall(row));
  const erased = { version: call.version + 1, row: kept, args: null, result: null };
  const left = born === undefined ? {} : bareRight(born.row, born.version);
  setCall(view, storedText(id), { ...call, ...erased, ...left, write: call.write ?? "content" });
}

/** The execution stored with the call is written out completely, because it can no longer be derived from the entry. */
function bareRight(right: Execution, version: number): { execution: string; executionVersion: number } {
  const { result, ...bare } = { result: undefined, ...right };
  return {
    execution: JSON.stringify(keptRight(bare as Execution)),
    executionVersion: result === undefined ? version : version + 1,
  };
}

/** Another call may depend on the same question; its data stays. */
function eraseOwnResult({ view }: Writing, id: CallId, right: string): void {
  const found = contentOf(view, "executions", storedText(right));
  if (found === null || found.call !== storedText(id)) return;
  const { result, ...bare } = JSON.parse(found.row);
  if (result !== undefined) patchRow(view, "executions", storedText(right), JSON.stringify(bare));
}
