import type { Approval } from "../../core/approval.ts";
import type { Digest } from "../../core/call.ts";
import type { Piece } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { ApprovalId } from "../../core/ids.ts";
import { say } from "../../core/messages/message.ts";
import type { Versioned } from "../../core/rows/rows.ts";
import { whyNotRemembered } from "../../core/say/not-remembered.ts";
import { endMs, type Grant, type GrantCover } from "../../core/standing/grant.ts";
import type { Circle } from "../../core/steps/quorum.ts";
import { type GivenReview, review as reviewStep } from "../../core/steps/reviewing.ts";
import { boundedBy, createGrant, type Lasting } from "../../core/steps/standing/granting.ts";
import { canonical } from "../../core/values/canonical.ts";
import type { Json } from "../../core/values/json.ts";
import { unvouchedQuestion } from "../calls/vouched.ts";
import type { Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import type { HeldStanding } from "../people/acting.ts";
import { mayGrant } from "../standing/grants.ts";
import { circleFor } from "../standing/owner.ts";
import { approvalAt, noApproval } from "./approval-at.ts";
import { coversCall, coversOffered, suggestedFor } from "./covering.ts";

type Remembering = {
  asked: Versioned<"approvals">;
  answer: GivenReview;
  remember: Remember;
  circle: Circle;
  inForce: HeldStanding;
  nowMs: number;
};

/** The deciding approval and its grant in one Change; and the other questions that it names, answered with it. */
export async function rememberPieces(deps: Deps, r: Remembering): Promise<Step<Approval>> {
  const { asked, answer, remember, circle, nowMs } = r;
  const no = unrememberable(asked.row, answer);
  if (no !== undefined) return no;
  const covers = remember.covers ?? (await narrowestOffer(deps, asked.row));
  if ("code" in covers) return covers;
  const id = deps.mint.next("grt");
  const step = reviewStep(asked, answer, circle, deps.mint, nowMs, { grant: id });
  if (!step.ok) return step;
  if (step.approval.state !== "approved") {
    const hint = say("hint.last_can_remember");
    return refused("LEEWAY_BAD_INPUT", say("refusal.not_deciding"), hint);
  }
  const granted = await grantFor(deps, r, { id, covers });
  if (!granted.ok) return granted;
  const others = await alsoPieces(deps, r, granted.value);
  if (!others.ok) return others;
  return {
    ok: true,
    pieces: [step.piece, createGrant(granted.value, deps.mint), ...others.pieces],
    value: step.approval,
  };
}

/** The narrowest grant that the question offers. If there is none, the person is told why. */
async function narrowestOffer(deps: Deps, approval: Approval): Promise<GrantCover | Refused> {
  const { drafts, none } = await suggestedFor(deps, approval);
  if (drafts[0] !== undefined) return drafts[0].covers;
  const why = none === undefined ? say("refusal.no_grant_fits") : whyNotRemembered(none);
  return refused("LEEWAY_BAD_INPUT", say("refusal.cannot_remember", { why }), say("hint.approve_without_remembering"));
}

/** A person who may give grants can remember anything that covers this call. Others can remember what is offered, for a limited time. */
async function grantFor(
  deps: Deps,
  { asked, answer, remember, inForce, nowMs }: Remembering,
  { id, covers }: Pick<Grant, "id" | "covers">,
): Promise<{ ok: true; value: Grant } | Refused> {
  // A sub-agent can have any name, so the owner of the agent above it is responsible.
  const { agent, root = agent } = asked.row;
  const mayGiveAny = (await mayGrant(deps, inForce, answer.by, { agent: root })) === undefined;
  if (!mayGiveAny && !(await isOffered(deps, asked.row, covers))) {
    const hint = say("hint.choose_offered");
    return refused("LEEWAY_FORBIDDEN", say("refusal.remember_offered_only", { person: answer.by }), hint);
  }
  const lasting = mayGiveAny ? remember : { untilMs: endMs({ covers, createdMs: nowMs }), ...remember };
  const grant = grantFrom(asked.row, { id, covers, by: answer.by, note: answer.note, remember: lasting, nowMs });
  if (await coversCall(deps, grant, asked.row)) return { ok: true, value: grant };
  const hint = say("hint.leave_covers_out");
  return refused("LEEWAY_BAD_INPUT", say("refusal.grant_misses_call"), hint);
}

async function isOffered(deps: Deps, approval: Approval, covers: Grant["covers"]): Promise<boolean> {
  const wanted = canonical(covers as unknown as Json);
  return (await coversOffered(deps, approval)).some((one) => canonical(one as unknown as Json) === wanted);
}

function unrememberable(approval: Approval, answer: GivenReview): Refused | undefined {
  if (answer.verdict === "deny")
    return refused("LEEWAY_BAD_INPUT", say("refusal.denial_not_remembered"), say("hint.write_rule"));
  if (approval.plan !== undefined)
    return refused("LEEWAY_BAD_INPUT", say("refusal.plan_remembered"), say("hint.approve_without_remembering"));
  if (!approval.needsHuman) return undefined;
  return refused("LEEWAY_NEEDS_HUMAN", say("refusal.human_not_granted"), say("hint.approve_without_remembering"));
}

function grantFrom(
  approval: Approval,
  g: { id: Grant["id"]; covers: Grant["covers"]; by: string; note: string; remember: Remember; nowMs: number },
): Grant {
  const session = g.remember.session === true ? approval.session : undefined;
  return {
    id: g.id,
    workspace: approval.workspace,
    subject: { agent: approval.agent, ...(session === undefined ? {} : { session }) },
    covers: g.covers,
    tier: "auto",
    grantedBy: { person: g.by },
    fromApproval: approval.id,
    because: g.note,
    createdMs: g.nowMs,
    ...boundedBy(g.remember, g.covers, g.nowMs),
    state: "live",
  };
}

/** Only the questions that the answer names, and only if the grant would have covered them. */
async function alsoPieces(deps: Deps, r: Remembering, grant: Grant): Promise<{ ok: true; pieces: Piece[] } | Refused> {
  const pieces: Piece[] = [];
  for (const { id, digest } of r.remember.also ?? []) {
    const other = await approvalAt(deps, id);
    if (other === undefined) return noApproval(id);
    const unvouched = await unvouchedQuestion(deps, other.row);
    if (unvouched !== undefined) return unvouched;
    if (other.row.agent !== r.asked.row.agent || !(await coversCall(deps, grant, other.row))) {
      return refused("LEEWAY_BAD_INPUT", say("refusal.grant_misses", { id }), say("hint.answer_alone"));
    }
    const circle = await circleFor(deps, r.inForce, other.row);
    const step = reviewStep(other, { ...r.answer, digest, bulk: true }, circle, deps.mint, r.nowMs);
    if (!step.ok) return refused(step.code, step.reason, step.hint);
    pieces.push(step.piece);
  }
  return { ok: true, pieces };
}

/** Approves, and gives a grant. Without limits it is valid for 24 hours; without a cover it is the narrowest suggestion. */
export type Remember = Lasting & {
  covers?: GrantCover;
  /** Only for this session of the agent. */
  session?: true;
  /** Other open questions that this approval answers too, each named with the digest that the person saw. */
  also?: readonly { id: ApprovalId; digest: Digest }[];
};
