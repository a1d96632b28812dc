import type { Write } from "../core/change.ts";
import type { Execution } from "../core/execution.ts";
import { tell } from "../core/steps/notices.ts";
import type { Deps } from "./deps.ts";
import { circleFor } from "./owner.ts";

/** How it ended is told to the owner and to who asked for it; the agent finds it by its call. */
export async function settledNotices(deps: Deps, execution: Execution, nowMs: number): Promise<Write[]> {
  const circle = await circleFor(deps, await deps.standing.current(), execution);
  const { id: ref, workspace, requestedBy } = execution;
  const to = [circle.owner, requestedBy];
  return tell(deps.mint, circle, { kind: "ran", to, ref, workspace, nowMs, about: execution, text: execution.state });
}
