import { type Approval, isOpen, type Pending, type Review, requestersOf, stateAt, stateMessage } from "../approval.ts";
import { type Piece, put, unchanged } from "../change.ts";
import { type Refused, refused } from "../codes.ts";
import type { Execution } from "../execution.ts";
import type { ExecutionId, GrantId, Mint } from "../ids.ts";
import { redactText } from "../masking/redact.ts";
import { type Message, say } from "../messages/message.ts";
import { makerOf } from "../people.ts";
import { madeRow, type Vouched } from "../rows/row-hash.ts";
import type { Versioned } from "../rows/rows.ts";
import type { JsonObject } from "../values/json.ts";
import { draft, subjectOfApproval } from "./draft.ts";
import { tell, updateShown } from "./notices.ts";
import { oneLessOpen } from "./pending.ts";
import { audience, type Circle, countingYeses, handOf, isMet, isOfRequester, mayDeny, mayReview } from "./quorum.ts";

/** One review as it was submitted. The digest is of what the person saw. */
export type GivenReview = Omit<Review, "atMs" | "human"> & {
  /** The person proved who they are, but not recently. */
  stale?: true;
};

type Reviewed =
  | { ok: true; piece: Piece; approval: Approval; execution?: Execution }
  | (Refused & { approval: Approval });

/** Counts one review. Either it changes the question in one Change, or it changes nothing and says why. */
export function review(
  asked: Versioned<"approvals">,
  given: GivenReview,
  circle: Circle,
  mint: Mint,
  nowMs: number,
  /** A bulk review needs the quorum of the strictest question; a remembered one names its grant. */
  with_: { quorum?: number; grant?: GrantId } = {},
): Reviewed {
  const approval = asked.row;
  const quorum = Math.max(approval.quorum, with_.quorum ?? 0);
  const no = refusal(approval, given, circle, nowMs, quorum);
  if (no !== undefined) return { ...no, approval };
  if (!isOpen(approval, nowMs)) throw new Error("a refused review was applied (this is a bug)");
  const { by, verdict, digest, assurance, bulk } = given;
  const more = { ...(approval.needsHuman ? { human: true as const } : {}), ...madeFor(given, circle) };
  const last: Review = { by, verdict, digest, note: redactText(given.note), assurance, bulk, atMs: nowMs, ...more };
  const step: Step = { asked, approval, last, reviews: [...approval.reviews, last], circle, mint, nowMs };
  if (verdict === "deny") return denied(step);
  return isMet(approval, step.reviews, circle, quorum) ? approved(step, with_.grant) : counted(step);
}

type Step = {
  asked: Versioned<"approvals">;
  approval: Pending;
  last: Review;
  reviews: readonly Review[];
  circle: Circle;
  mint: Mint;
  nowMs: number;
};

function counted(step: Step): Reviewed {
  const row: Approval = { ...step.approval, reviews: step.reviews };
  const entries = [entry(step, [madeRow("approvals", row, step.approval)])];
  return {
    ok: true,
    approval: row,
    piece: { ...base(step), writes: [put("approvals", row), ...shownAnew(step)], entries },
  };
}

/** Updates the question wherever it is shown, so that this answer is shown too. */
function shownAnew({ circle, approval, nowMs }: Step) {
  return updateShown(circle, approval, nowMs);
}

function denied(step: Step): Reviewed {
  const { approval, last, reviews, nowMs } = step;
  const row: Approval = { ...approval, reviews, state: "denied", atMs: nowMs, by: last.by, note: last.note };
  const body = { enforcement: "approval_denied", note: last.note };
  const entries = [entry(step), entryOf(step, "approval.denied", body, [madeRow("approvals", row, approval)])];
  return {
    ok: true,
    approval: row,
    piece: {
      ...base(step),
      writes: [
        put("approvals", row),
        oneLessOpen(row),
        ...resolvedNotices(step, say("notice.denied_by", { person: step.last.by })),
        ...shownAnew(step),
      ],
      entries,
    },
  };
}

function approved(step: Step, grant: GrantId | undefined): Reviewed {
  const { approval, reviews, circle, mint, nowMs } = step;
  const alone = reviews.filter((given) => !given.bulk);
  const how = { approving: countingYeses(approval, reviews, circle), inBulk: !isMet(approval, alone, circle) };
  const execution = readyExecution(approval, how, mint.next("exe"), nowMs);
  const row: Approval = {
    ...approval,
    reviews,
    state: "approved",
    atMs: nowMs,
    executionId: execution.id,
    ...(grant === undefined ? {} : { grant }),
  };
  const entries = [
    entry(step),
    entryOf(
      step,
      "approval.approved",
      { by: [...execution.approvers], execution: execution.id, runUntilMs: execution.runUntilMs },
      [madeRow("approvals", row, approval), madeRow("executions", execution)],
    ),
  ];
  const writes = [
    put("approvals", row),
    { do: "step" as const, right: execution, from: 0 },
    oneLessOpen(row),
    ...resolvedNotices(step, say("notice.approved_by", { person: step.last.by })),
    ...shownAnew(step),
  ];
  return { ok: true, approval: row, execution, piece: { ...base(step), writes, entries } };
}

function base(step: Step): Piece {
  return { needs: [unchanged("approvals", step.approval.id, step.asked.version)] };
}

/** The owner and the requester are told how it ended, unless they caused it themselves. */
function resolvedNotices({ approval, last, circle, mint, nowMs }: Step, text: Message) {
  const to = [circle.owner, ...requestersOf(approval)].filter((name) => name !== last.by);
  const { id: ref, workspace } = approval;
  return tell(mint, circle, {
    kind: "resolved",
    to,
    ref,
    workspace,
    nowMs,
    about: approval,
    text,
  });
}

function entry(step: Step, rows?: readonly Vouched[]) {
  const { verdict, note, assurance, bulk, madeBy } = step.last;
  const maker = madeBy === undefined ? {} : { madeBy };
  return entryOf(step, "approval.reviewed", { verdict, note, assurance, bulk, ...maker }, rows);
}

function entryOf(
  { mint, approval, last }: Step,
  kind: "approval.reviewed" | "approval.approved" | "approval.denied",
  body: JsonObject,
  rows?: readonly Vouched[],
) {
  const subject = { ...subjectOfApproval(approval), person: last.by };
  return draft(mint, {
    kind,
    actor: `person:${last.by}`,
    subject,
    body,
    ...(rows === undefined ? {} : { rows }),
  });
}

/** Why this review does not count, if it does not. Changes nothing. */
export function refusal(
  approval: Approval,
  given: GivenReview,
  circle: Circle,
  nowMs: number,
  quorum = approval.quorum,
): Refused | undefined {
  const { id } = approval;
  const state = stateAt(approval, nowMs);
  if (given.verdict !== "approve" && given.verdict !== "deny") {
    return refused(
      "LEEWAY_BAD_INPUT",
      say("refusal.not_an_answer", { verdict: String(given.verdict) }),
      say("hint.approve_or_deny"),
    );
  }
  if (state !== "pending") return alreadyResolved(approval, state);
  if (given.digest !== approval.digest) {
    return refused(
      "LEEWAY_DIGEST_MISMATCH",
      say("refusal.other_digest", { answered: given.digest, asked: approval.digest }),
      say("hint.look_again", { id }),
    );
  }
  const may = given.verdict === "deny" ? mayDeny : mayReview;
  if (given.by === approval.agent || given.by === approval.root || !may(approval, given.by, circle)) {
    const who = given.by === "" ? say("refusal.nameless") : given.by;
    return refused(
      "LEEWAY_NOT_A_REVIEWER",
      say("refusal.may_not_review", { person: who, id }),
      say("hint.it_is_for", { names: audience(approval) }),
    );
  }
  const own = selfReview(approval, given, circle);
  if (own !== undefined) return own;
  if (approval.assurance === "person" && given.assurance === "process") {
    return refused("LEEWAY_ASSURANCE", say("refusal.unproved_person"), say("hint.answer_in_inbox"));
  }
  if (given.bulk && approval.needsHuman) {
    return refused("LEEWAY_NEEDS_HUMAN", say("refusal.own_review"), say("hint.review_alone", { id }));
  }
  if (given.bulk && approval.plan !== undefined && given.verdict === "approve") {
    return refused("LEEWAY_BAD_INPUT", say("refusal.plan_in_bulk"), say("hint.review_alone", { id }));
  }
  if (given.verdict === "approve" && approval.needsHuman && given.stale === true) {
    return unproved(say("act.approving_human"));
  }
  if (given.verdict === "deny" || completes(approval, given, circle, nowMs, quorum)) return undefined;
  return countedAlready(approval, given, circle);
}

/**
 * The requester may not answer: neither under their own name nor with a token or passphrase that they made for
 * somebody else.
 */
function selfReview(approval: Approval, given: GivenReview, circle: Circle): Refused | undefined {
  const { madeBy } = madeFor(given, circle);
  const hint = say("hint.another_or_self_review");
  if (isOfRequester(approval, { by: given.by })) {
    return refused("LEEWAY_SELF_REVIEW", say("refusal.asked_themself", { person: given.by }), hint);
  }
  if (madeBy === undefined || !isOfRequester(approval, { by: given.by, madeBy })) return undefined;
  const made = say("refusal.asked_by_maker", { maker: madeBy, person: given.by });
  return refused("LEEWAY_SELF_REVIEW", made, hint);
}

/**
 * If the answers are enough with this one, it counts, even if the same person approved before. Otherwise a question
 * could stay open forever although it has enough approvals: given in bulk, or by somebody who was removed meanwhile.
 */
function completes(approval: Approval, given: GivenReview, circle: Circle, nowMs: number, quorum: number): boolean {
  const { stale: _, ...said } = given;
  const human = approval.needsHuman ? { human: true as const } : {};
  const last: Review = { ...said, atMs: nowMs, ...human, ...madeFor(given, circle) };
  return isMet(approval, [...approval.reviews, last], circle, quorum);
}

/** One person's approval counts once, whatever name they use. */
function countedAlready(approval: Approval, given: GivenReview, circle: Circle): Refused | undefined {
  const hand = handOf({ by: given.by, ...madeFor(given, circle) });
  const yeses = countingYeses(approval, approval.reviews, circle);
  if (yeses.some(({ by }) => by === given.by)) {
    return refused(
      "LEEWAY_ALREADY_REVIEWED",
      say("refusal.approved_already", { person: given.by }),
      say("hint.another_person"),
    );
  }
  if (yeses.every((earlier) => handOf(earlier) !== hand)) return undefined;
  const named = { maker: hand, person: given.by };
  return refused(
    "LEEWAY_ALREADY_REVIEWED",
    given.assurance === "token" ? say("refusal.same_hand_token", named) : say("refusal.same_hand_passphrase", named),
    say("hint.answer_with_own", { person: given.by }),
  );
}

function madeFor(given: GivenReview, { people }: Circle): Pick<Review, "madeBy"> {
  const maker = makerOf(people.find(({ name }) => name === given.by) ?? { name: given.by }, given);
  return maker === undefined ? {} : { madeBy: maker };
}

export function unproved(act: Message): Refused {
  const hint = say("hint.sign_in_again_repeat");
  return refused("LEEWAY_STALE_SIGN_IN", say("refusal.needs_proof", { act }), hint);
}

export function alreadyResolved(approval: Approval, state: Approval["state"]): Refused {
  const { id } = approval;
  const closed =
    approval.state === "denied" || approval.state === "cancelled"
      ? say("refusal.closed_by", { id, state: stateMessage(state), person: approval.by })
      : say("refusal.closed", { id, state: stateMessage(state) });
  const to =
    approval.state === "superseded" && approval.to !== undefined
      ? say("hint.see", { id: approval.to })
      : say("hint.nothing_left");
  return refused("LEEWAY_ALREADY_RESOLVED", closed, to);
}

/** `inBulk`: without the bulk answers there would not have been enough. */
function readyExecution(
  approval: Pending,
  { approving, inBulk }: { approving: readonly Review[]; inBulk: boolean },
  id: ExecutionId,
  nowMs: number,
): Execution {
  return {
    id,
    workspace: approval.workspace,
    call: approval.call,
    approval: approval.id,
    approvedInBulk: inBulk,
    agent: approval.agent,
    ...(approval.root === undefined ? {} : { root: approval.root }),
    ...(approval.session === undefined ? {} : { session: approval.session }),
    tool: approval.tool,
    class: approval.class,
    tier: approval.tier,
    needsHuman: approval.needsHuman,
    approvers: [...new Set(approving.map((given) => given.by))],
    ...(approval.requestedBy === undefined ? {} : { requestedBy: approval.requestedBy }),
    traceId: approval.traceId,
    digest: approval.digest,
    ...(approval.editedFrom === undefined ? {} : { editedFrom: approval.editedFrom }),
    runBy: approval.runBy,
    idempotent: approval.idempotent,
    attempts: 0,
    runUntilMs: nowMs + approval.permitMs,
    state: "ready",
    readyMs: nowMs,
  };
}
