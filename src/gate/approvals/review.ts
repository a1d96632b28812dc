import type { Approval } from "../../core/approval.ts";
import type { Digest } from "../../core/call.ts";
import type { Piece } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import { say } from "../../core/messages/message.ts";
import { insteadOf } from "../../core/show/changes/changes-card.ts";
import { type GivenReview, refusal, review as reviewStep, unproved } from "../../core/steps/reviewing.ts";
import { badBounds } from "../../core/steps/standing/granting.ts";
import { blockedChanges, isAboutChanges } from "../boxes/seen-changes.ts";
import { unvouchedQuestion } from "../calls/vouched.ts";
import type { Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { actStep } from "../people/acting.ts";
import { circleFor } from "../standing/owner.ts";
import { approvalAt, noApproval } from "./approval-at.ts";
import { askedCall } from "./covering.ts";
import { endPlan, planPieces } from "./plan-grants.ts";
import { noteRefusedReview } from "./refusal-entries.ts";
import { type Remember, rememberPieces } from "./remember.ts";

type Given = GivenReview & {
  remember?: Remember;
  /** The name of something that can be used for one answer only, such as a button of a message. */
  once?: string;
};
type ReviewedApproval = { ok: true; value: Approval } | Refused;

/** One person's answer, from any door. An answer that does not count is recorded too. */
export async function review(deps: Deps, id: string, given: Given): Promise<ReviewedApproval> {
  const done = await reviewed(deps, id, given);
  if (!done.ok) return noteRefusedReview(deps, id, given, done);
  await endPlan(deps, done.value);
  return done;
}

function reviewed(deps: Deps, id: string, given: Given): Promise<ReviewedApproval> {
  return actStep(deps, async (nowMs, inForce): Promise<Step<Approval>> => {
    const asked = await approvalAt(deps, id);
    if (asked === undefined) return noApproval(id);
    const unvouched = await unvouchedQuestion(deps, asked.row);
    if (unvouched !== undefined) return unvouched;
    const unappliable = await unappliableChanges(deps, asked.row, given);
    if (unappliable !== undefined) return unappliable;
    const circle = await circleFor(deps, inForce, asked.row);
    const { remember, once, ...answer } = given;
    const used = once === undefined ? undefined : await usedBefore(deps, asked.row, once, nowMs);
    if (used !== undefined) return used;
    if (remember === undefined) {
      const step = await withPlan(deps, reviewStep(asked, answer, circle, deps.mint, nowMs), answer, nowMs);
      return step.ok ? { ...step, pieces: [...step.pieces, usingUp(asked.row, once)] } : step;
    }
    const no = badBounds(remember, nowMs) ?? refusal(asked.row, answer, circle, nowMs);
    if (no !== undefined) return no;
    if (given.stale === true) return unproved(say("act.remembering"));
    return rememberPieces(deps, { asked, answer, remember, circle, inForce, nowMs });
  });
}

/** Changed files can be approved only while they are there and can be applied. */
async function unappliableChanges(
  deps: Deps,
  approval: Approval,
  { verdict }: Pick<GivenReview, "verdict">,
): Promise<Refused | undefined> {
  if (verdict !== "approve" || approval.state !== "pending" || !isAboutChanges(approval)) return undefined;
  const { call } = await askedCall(deps, approval);
  const blocked = await blockedChanges(deps, call);
  return blocked === undefined ? undefined : refused("LEEWAY_VOID", blocked, insteadOf(blocked));
}

/** The deciding approval of a plan gives its grants in the same Change. */
async function withPlan(
  deps: Deps,
  step: ReturnType<typeof reviewStep>,
  answer: GivenReview,
  nowMs: number,
): Promise<Step<Approval>> {
  if (!step.ok) return step;
  const plan = await planPieces(deps, step.approval, answer, nowMs);
  return plan.ok ? { ok: true, pieces: [step.piece, ...plan.pieces], value: step.approval } : plan;
}

/** If the same button is pressed twice, even at the same time, only one press counts. */
function usingUp({ answerByMs }: Approval, once: string | undefined): Piece {
  if (once === undefined) return {};
  return {
    needs: [{ is: "room", counters: [once], add: 1, max: 1 }],
    writes: [{ do: "add", counter: once, by: 1, untilMs: answerByMs }],
  };
}

async function usedBefore(deps: Deps, asked: Approval, once: string, nowMs: number): Promise<Refused | undefined> {
  const { workspace } = deps;
  const [used = 0] = await deps.store.read({ ask: "counters", workspace, counters: [once], nowMs });
  if (used === 0) return undefined;
  return refused("LEEWAY_ALREADY_REVIEWED", say("refusal.button_used", { id: asked.id }), say("hint.nothing_to_do"));
}

export type BulkItem = { id: string; digest: Digest };
type BulkReview = Omit<GivenReview, "digest" | "bulk">;
export type BulkOutcome = { id: string } & ReviewedApproval;

/** One answer to several named questions. It needs the quorum of the strictest one, and is never enough for needs-human. */
export async function reviewAll(
  deps: Deps,
  items: readonly BulkItem[],
  answer: BulkReview,
): Promise<readonly BulkOutcome[]> {
  const done = await actStep(deps, async (nowMs, inForce): Promise<Step<readonly BulkOutcome[]>> => {
    const asked = await Promise.all(items.map((item) => approvalAt(deps, item.id)));
    const quorum = Math.max(...asked.map((one) => (one?.row.state === "pending" ? one.row.quorum : 0)), 0);
    const outcomes: BulkOutcome[] = [];
    const pieces: Piece[] = [];
    for (const [at, item] of items.entries()) {
      const one = asked[at];
      if (one === undefined || items.findIndex((other) => other.id === item.id) !== at) {
        outcomes.push({ id: item.id, ...noApproval(item.id) });
        continue;
      }
      const not = (await unvouchedQuestion(deps, one.row)) ?? (await unappliableChanges(deps, one.row, answer));
      if (not !== undefined) {
        outcomes.push({ id: item.id, ...not });
        continue;
      }
      const circle = await circleFor(deps, inForce, one.row);
      const given = { ...answer, digest: item.digest, bulk: items.length > 1 };
      const counted = reviewStep(one, given, circle, deps.mint, nowMs, { quorum });
      const step = await withPlan(deps, counted, given, nowMs);
      outcomes.push({ id: item.id, ...(step.ok ? { ok: true, value: step.value } : withoutRow(step)) });
      if (step.ok) pieces.push(...step.pieces);
    }
    return { ok: true, pieces, value: outcomes };
  });
  if (!done.ok) return items.map((item) => ({ id: item.id, ...done }));
  for (const [at, outcome] of done.value.entries()) {
    const digest = items[at]?.digest;
    if (outcome.ok) await endPlan(deps, outcome.value);
    if (outcome.ok || digest === undefined) continue;
    await noteRefusedReview(deps, outcome.id, { ...answer, digest, bulk: items.length > 1 }, outcome);
  }
  return done.value;
}

function withoutRow(step: Refused): Refused {
  return refused(step.code, step.reason, step.hint);
}
