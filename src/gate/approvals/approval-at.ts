import { type Refused, refused } from "../../core/codes.ts";
import type { Versioned } from "../../core/rows.ts";
import type { Deps } from "../deps.ts";

export function approvalAt(deps: Deps, id: string): Promise<Versioned<"approvals"> | undefined> {
  return deps.store.read({ ask: "row", workspace: deps.workspace, table: "approvals", id });
}

export function noApproval(id: string): Refused {
  return refused("LEEWAY_NOT_FOUND", `there is no approval ${id}`, "`leeway inbox` lists the open ones");
}
