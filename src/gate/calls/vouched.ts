import type { Approval } from "../../core/approval.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { Execution } from "../../core/execution.ts";
import { type Entry, linkOf } from "../../core/ledger.ts";
import { say } from "../../core/messages/message.ts";
import type { SignIn } from "../../core/people.ts";
import {
  approvalVerdict,
  callVerdict,
  executionVerdict,
  type RowVerdict,
  signInVerdict,
} from "../../core/record/call-rows.ts";
import { rowFaultMessage, takenRow } from "../../core/record/row-fault.ts";
import { entryFault } from "../../core/record/verify.ts";
import type { CallRow, Rows, Table } from "../../core/rows/rows.ts";
import { busy } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { freshReads } from "../record/sealing.ts";
import { entriesOfCall, entriesOfSignIn } from "../record/verify-rows.ts";

// Before an approval counts or is used, its rows are compared with the entries that made them. A row that somebody wrote
// without the gate, or put back after it was used, is refused. The compared rows are the ones that are used then, so that
// a row cannot be changed in between.

export async function unvouchedRight(deps: Deps, row: Execution): Promise<Refused | undefined> {
  const uses = (await deps.seals?.uses(deps.workspace, row.id)) ?? 0;
  const wrong = (): RowVerdict => ({ is: "wrong", fault: takenRow("executions", row.id) });
  return comparedAbout(deps, "executions", row, row.call, (entries) =>
    uses > row.attempts ? wrong() : executionVerdict(row, entries),
  );
}

/** The call as it was decided, and the folder and files that the reviewers saw. */
export function unvouchedCall(deps: Deps, row: CallRow): Promise<Refused | undefined> {
  return comparedAbout(deps, "calls", row, row.id, (entries) => callVerdict(row, entries));
}

export function unvouchedApproval(deps: Deps, row: Approval): Promise<Refused | undefined> {
  return comparedAbout(deps, "approvals", row, row.call, (entries) => approvalVerdict(row, entries));
}

/** An open question with the call on its card. */
export async function unvouchedQuestion(deps: Deps, row: Approval): Promise<Refused | undefined> {
  const { store, workspace } = deps;
  const call = await store.read({ ask: "row", workspace, table: "calls", id: row.call });
  return (await unvouchedApproval(deps, row)) ?? (call && (await unvouchedCall(deps, call.row)));
}

/** An edited entry proves nothing: its text must match its hash. */
async function comparedAbout<T extends "executions" | "calls" | "approvals">(
  deps: Deps,
  table: T,
  row: Rows[T],
  call: string,
  verdict: (entries: readonly Entry[]) => RowVerdict,
): Promise<Refused | undefined> {
  const entries = await entriesOfCall(deps, call);
  for (const entry of entries) {
    const why = entryFault(linkOf(entry));
    if (why === undefined) continue;
    return refused("LEEWAY_TAMPERED", say("refusal.entry_faulty", { index: entry.index, why }), say("hint.run_verify"));
  }
  const no = tampered(verdict(entries));
  return no !== undefined && (await hasMovedOn(deps, table, row)) ? busy() : no;
}

/** Somebody else changed the row after it was read and before its entries were: then the verb has to start over. */
async function hasMovedOn(deps: Deps, table: Table, row: { id: string }): Promise<boolean> {
  await freshReads(deps);
  const now = await deps.store.read({ ask: "row", workspace: deps.workspace, table, id: row.id });
  return JSON.stringify(now?.row) !== JSON.stringify(row);
}

/** Whether this is the sign-in as it was last recorded. If its entry was erased, the person must sign in again. */
export async function isVouchedSignIn(deps: Deps, row: SignIn): Promise<boolean> {
  const entries = await entriesOfSignIn(deps, row);
  return (
    entries.every((entry) => entryFault(linkOf(entry)) === undefined) && signInVerdict(row, entries).is === "proved"
  );
}

function tampered(verdict: RowVerdict): Refused | undefined {
  if (verdict.is !== "wrong") return undefined;
  const { fault } = verdict;
  return refused("LEEWAY_TAMPERED", say("refusal.row_faulty", { fault: rowFaultMessage(fault) }), fault.hint);
}
