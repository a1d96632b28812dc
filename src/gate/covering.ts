import type { Approval } from "../core/approval.ts";
import type { ToolCall } from "../core/call.ts";
import { covers } from "../core/decide/cover.ts";
import { suggestGrants } from "../core/decide/suggest.ts";
import type { Effect } from "../core/effect.ts";
import type { Grant, GrantCover } from "../core/grant.ts";
import { openArgs } from "./args.ts";
import type { Deps } from "./deps.ts";

/** The narrowest grant that would have covered the call of this question, if there is a safe one. */
export async function coverOf(deps: Deps, approval: Approval): Promise<GrantCover | undefined> {
  const { call, effect } = await askedCall(deps, approval);
  return suggestGrants(call, effect)[0]?.covers;
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
