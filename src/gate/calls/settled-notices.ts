import { requestersOf } from "../../core/approval.ts";
import { APPLY_TOOL } from "../../core/box.ts";
import type { Write } from "../../core/change.ts";
import type { Execution } from "../../core/execution.ts";
import { say } from "../../core/messages/message.ts";
import { PIN_TOOL } from "../../core/standing/pin.ts";
import { PLAN_TOOL } from "../../core/standing/plan.ts";
import { tell } from "../../core/steps/notices.ts";
import { approvalAt } from "../approvals/approval-at.ts";
import type { Deps } from "../deps.ts";
import { circleFor } from "../standing/owner.ts";

/**
 * The result is told to the owner of the agent (to the admins if it has no owner), and to everybody who requested the call.
 * The agent gets it through its call. When a person has accepted what an MCP server offers, or has approved a plan,
 * nothing runs, so there is no result to tell. That the changes of a command were applied belongs to the command, unless people
 * were asked about them.
 */
export async function settledNotices(deps: Deps, execution: Execution, nowMs: number): Promise<Write[]> {
  if (execution.tool === PIN_TOOL || execution.tool === PLAN_TOOL) return [];
  if (execution.tool === APPLY_TOOL && execution.state === "succeeded" && execution.approval === undefined) return [];
  const circle = await circleFor(deps, await deps.standing.current(), execution);
  const { id: ref, workspace, requestedBy, approval } = execution;
  const asked = approval === undefined ? undefined : await approvalAt(deps, approval);
  const to = [circle.owner ?? "admins", requestedBy, ...(asked === undefined ? [] : requestersOf(asked.row))];
  const text = execution.state === "failed" ? say("notice.failed") : say("notice.succeeded");
  return tell(deps.mint, circle, { kind: "ran", to, ref, workspace, nowMs, about: execution, text });
}
