import type { Approval } from "../core/approval.ts";
import type { ToolCall } from "../core/call.ts";
import { covers } from "../core/decide/cover.ts";
import { type Suggestions, suggestGrants } from "../core/decide/suggest.ts";
import type { Effect } from "../core/effect.ts";
import type { Grant, GrantCover } from "../core/grant.ts";
import { openArgs } from "./args.ts";
import type { Deps } from "./deps.ts";

/** What the grants cover that the question offers, narrow to wide; none where none is safe. */
export async function coversOffered(deps: Deps, approval: Approval): Promise<readonly GrantCover[]> {
  return (await suggestedFor(deps, approval)).drafts.map(({ covers }) => covers);
}

export async function suggestedFor(deps: Deps, approval: Approval): Promise<Suggestions & { call: ToolCall }> {
  const { call, effect } = await askedCall(deps, approval);
  return { call, ...suggestGrants(call, effect, deps.policies.current().project) };
}

/** Whether the grant would have let this very call pass. */
export async function coversCall(deps: Deps, grant: Grant, approval: Approval): Promise<boolean> {
  const { call, effect } = await askedCall(deps, approval);
  return covers(grant, call, effect, deps.clock.nowMs());
}

export async function askedCall(deps: Deps, approval: Approval): Promise<{ call: ToolCall; effect: Effect }> {
  const found = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "calls", id: approval.call });
  if (found === undefined) throw new Error(`the call of ${approval.id} is gone (this is a bug)`);
  const opened = openArgs(deps, found.row);
  if (!opened.ok) throw new Error(`the call of ${approval.id} does not open: ${opened.why}`);
  return { call: opened.call, effect: found.row.effect };
}
