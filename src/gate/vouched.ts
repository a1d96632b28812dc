import type { Approval } from "../core/approval.ts";
import { type Refused, refused } from "../core/codes.ts";
import type { Execution } from "../core/execution.ts";
import { approvalVerdict, executionVerdict, type RowVerdict } from "../core/record/call-rows.ts";
import { rowFaultText } from "../core/record/row-fault.ts";
import type { Deps } from "./deps.ts";
import { entriesOfCall } from "./verify-rows.ts";

// Before a yes counts or is used, the row that holds it is compared with the entries that made it: one that somebody
// wrote beside the ledger, or put back after it was used, is refused.

export async function unvouchedRight(deps: Deps, row: Execution): Promise<Refused | undefined> {
  return tampered(executionVerdict(row, await entriesOfCall(deps, row.call)));
}

export async function unvouchedQuestion(deps: Deps, row: Approval): Promise<Refused | undefined> {
  return tampered(approvalVerdict(row, await entriesOfCall(deps, row.call)));
}

function tampered(verdict: RowVerdict): Refused | undefined {
  if (verdict.is !== "wrong") return undefined;
  const { fault } = verdict;
  return refused("LEEWAY_TAMPERED", `it does not count: ${rowFaultText(fault)}`, fault.hint);
}
