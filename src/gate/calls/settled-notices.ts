import { requestersOf } from "../../core/approval.ts";
import type { Write } from "../../core/change.ts";
import type { Execution } from "../../core/execution.ts";
import { say } from "../../core/messages/message.ts";
import { tell } from "../../core/steps/notices.ts";
import { approvalAt } from "../approvals/approval-at.ts";
import type { Deps } from "../deps.ts";
import { circleFor } from "../standing/owner.ts";

/**
 * How it ended is told to the owner, else to the admins, who answer for an agent that nobody owns, and to everybody who
 * asked for it; the agent finds it by its call.
 */
export async function settledNotices(deps: Deps, execution: Execution, nowMs: number): Promise<Write[]> {
  const circle = await circleFor(deps, await deps.standing.current(), execution);
  const { id: ref, workspace, requestedBy, approval } = execution;
  const asked = approval === undefined ? undefined : await approvalAt(deps, approval);
  const to = [circle.owner ?? "admins", requestedBy, ...(asked === undefined ? [] : requestersOf(asked.row))];
  const text = execution.state === "failed" ? say("notice.failed") : say("notice.succeeded");
  return tell(deps.mint, circle, { kind: "ran", to, ref, workspace, nowMs, about: execution, text });
}
