import type { Approval } from "../../core/approval.ts";
import type { Piece } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import { say } from "../../core/messages/message.ts";
import type { Grant } from "../../core/standing/grant.ts";
import { PLAN_TOOL, type PlanStep, planIn } from "../../core/standing/plan.ts";
import type { GivenReview } from "../../core/steps/reviewing.ts";
import { unproved } from "../../core/steps/reviewing.ts";
import { createGrant } from "../../core/steps/standing/granting.ts";
import { planSubject } from "../../core/steps/standing/plan-step.ts";
import { openArgs } from "../calls/args.ts";
import { callAt } from "../calls/call-at.ts";
import { execute } from "../calls/execute.ts";
import { planRunner } from "../calls/plan.ts";
import type { Deps } from "../deps.ts";

/** The grants that the deciding approval of a plan gives, in the same Change: one for each step that it covers. */
export async function planPieces(
  deps: Deps,
  reviewed: Approval,
  answer: GivenReview,
  nowMs: number,
): Promise<{ ok: true; pieces: readonly Piece[] } | Refused> {
  if (reviewed.plan === undefined || answer.verdict !== "approve") return { ok: true, pieces: [] };
  // As with every grant, allowing more than exactly what was shown needs a recent proof of who the person is.
  if (answer.stale === true && reviewed.plan === "wider") return unproved(say("act.approving_widths"));
  if (reviewed.state !== "approved") return { ok: true, pieces: [] };
  const row = await callAt(deps, reviewed.call);
  const opened = row === undefined ? undefined : openArgs(row);
  if (opened?.ok !== true) {
    const why = opened?.why ?? say("reason.call_gone");
    return refused("LEEWAY_TAMPERED", say("refusal.plan_unreadable", { why }), say("hint.run_verify"));
  }
  const { steps } = planIn(opened.args);
  const pieces = steps.flatMap((step) =>
    step.covers === undefined ? [] : [createGrant(grantFor(deps, reviewed, step.covers, answer, nowMs), deps.mint)],
  );
  return { ok: true, pieces };
}

function grantFor(
  { mint }: Deps,
  { id, workspace, agent, session, permitMs }: Approval,
  covers: NonNullable<PlanStep["covers"]>,
  { by, note }: GivenReview,
  nowMs: number,
): Grant {
  return {
    id: mint.next("grt"),
    workspace,
    subject: planSubject({ agent, ...(session === undefined ? {} : { session }) }),
    covers,
    tier: "auto",
    grantedBy: { person: by },
    fromApproval: id,
    because: note,
    createdMs: nowMs,
    untilMs: nowMs + permitMs,
    usesMax: 1,
    state: "live",
  };
}

/** The call that asked about the plan ends with its approval, so that whoever waits for it goes on. */
export async function endPlan(deps: Deps, reviewed: Approval): Promise<void> {
  if (reviewed.plan === undefined || reviewed.state !== "approved") return;
  deps.runners.set(PLAN_TOOL, planRunner());
  await execute(deps, reviewed.executionId);
}
