import type { Approval } from "../core/approval.ts";
import type { CallRow } from "../core/rows.ts";
import type { Deps } from "../gate/deps.ts";
import { find } from "../gate/find-row.ts";
import { Failure, orFail, usage } from "./failure.ts";

export type FoundRow = Extract<Awaited<ReturnType<typeof find>>, { ok: true }>["value"];

const ID = /^[a-z]{3,5}_[0-9a-f]*$/;

/** Any row by its id or the start of it. Never "the latest": what is answered has to be named. */
export async function findAny(deps: Deps, id: string): Promise<FoundRow> {
  if (!ID.test(id))
    throw usage(`\`${id}\` is not an id`, "ids look like apr_019a8b3c4d5e; `leeway log` and `leeway inbox` show them");
  return orFail(await find(deps, id)).value;
}

/** The question that is meant, whichever of its rows was named. */
export async function findApproval(deps: Deps, id: string): Promise<Approval> {
  const found = await findAny(deps, id);
  if (found.table === "approvals") return found.row;
  const approvalId =
    found.table === "calls" ? found.row.approvalId : found.table === "executions" ? found.row.approval : undefined;
  const held = approvalId === undefined ? undefined : await rowOf(deps, "approvals", approvalId);
  if (held === undefined)
    throw new Failure(1, `nobody was asked about ${id}`, `\`leeway why ${id}\` says what happened instead`);
  return held;
}

export async function callOfRow(deps: Deps, id: string): Promise<CallRow> {
  const row = await rowOf(deps, "calls", id);
  if (row === undefined)
    throw new Failure(1, `the call ${id} is not in this database`, "look at `leeway status` for which one it is");
  return row;
}

async function rowOf<T extends "calls" | "approvals" | "executions">(deps: Deps, table: T, id: string) {
  const held = await deps.store.read({ ask: "row", workspace: deps.workspace, table, id });
  return held?.row;
}
