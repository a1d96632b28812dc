import { type Refused, refused } from "../../core/codes.ts";
import { say } from "../../core/messages/message.ts";
import type { Versioned } from "../../core/rows/rows.ts";
import type { Deps } from "../deps.ts";

export function approvalAt(deps: Deps, id: string): Promise<Versioned<"approvals"> | undefined> {
  return deps.store.read({ ask: "row", workspace: deps.workspace, table: "approvals", id });
}

export function noApproval(id: string): Refused {
  return refused("LEEWAY_NOT_FOUND", say("refusal.no_approval", { id }), say("hint.inbox_lists_open"));
}
