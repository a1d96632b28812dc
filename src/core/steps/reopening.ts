import { type Approval, isOpen, type Pending } from "../approval.ts";
import { type Piece, put, unchanged } from "../change.ts";
import type { Decision } from "../decision.ts";
import type { Mint } from "../ids.ts";
import { type Message, say } from "../messages/message.ts";
import { madeRow } from "../rows/row-hash.ts";
import { liveKey, type Versioned } from "../rows/rows.ts";
import { draft, subjectOfApproval } from "./draft.ts";
import { recipientsOf, tell } from "./notices.ts";
import { oneMoreOpen } from "./pending.ts";
import { type Circle, countingYeses, isMet, lacking } from "./quorum.ts";
import { voidIt } from "./running.ts";

// An unused approval is checked again before it is used: with the policy in force, and with the people who may review
// now. If more is needed now, it goes back to the reviewers; answers that still count are kept.

export type Approved = Extract<Approval, { state: "approved" }>;

/**
 * The question as the current policy asks it. A question that replaced another stays at least as strict as that one.
 */
export function askedNow(approval: Approved, decision: Decision, nowMs: number): Pending {
  const { atMs: _at, executionId: _execution, grant: _grant, escalate, ...question } = approval;
  const { asking } = decision;
  const edited = approval.from !== undefined;
  const needsHuman = decision.needsHuman || (edited && approval.needsHuman);
  const more = asking.escalate;
  return {
    ...question,
    tier: decision.tier,
    needsHuman,
    action: needsHuman ? `${approval.class}#needs-human` : approval.class,
    quorum: edited ? Math.max(approval.quorum, asking.quorum) : asking.quorum,
    reviewers: reviewersNow(approval, asking.reviewers),
    ...(more === undefined
      ? {}
      : { escalate: { atMs: nowMs + more.afterMs, to: more.to, done: escalate?.done ?? false } }),
    selfReview: asking.selfReview && !(edited && !approval.selfReview),
    assurance: edited && approval.assurance === "person" ? "person" : asking.assurance,
    permitMs: asking.permitMs,
    answerByMs: nowMs + asking.expiresMs,
    remind: { atMs: nowMs + Math.ceil(asking.expiresMs / 2), done: false },
    policyVersion: decision.policyVersion,
    state: "pending",
  };
}

function reviewersNow({ from, reviewers }: Approved, now: Approval["reviewers"]): Approval["reviewers"] {
  if (from === undefined) return now;
  const lists = [...reviewers, ...now];
  return [...new Map(lists.map((list) => [JSON.stringify(list), list])).values()];
}

/** The same question, open again for as long as before. */
export function askedBefore(approval: Approved, nowMs: number): Pending {
  const { atMs: _at, executionId: _execution, grant: _grant, ...question } = approval;
  const givenMs = approval.answerByMs - approval.openedMs;
  const remind = { atMs: nowMs + Math.ceil(givenMs / 2), done: false };
  return { ...question, answerByMs: nowMs + givenMs, remind, state: "pending" };
}

/** What is missing for this question to be approved by the answers that it has, if anything is. */
export function missingFor(question: Pending, circle: Circle): Message | undefined {
  if (isMet(question, question.reviews, circle)) return undefined;
  return say("reason.policy_or_reviewers_changed", { why: lacking(question, circle) });
}

/** Withdraws the unused permission and opens the question again. */
export function reopen(
  asked: Versioned<"approvals">,
  held: Versioned<"executions">,
  again: { question: Pending; why: Message; circle: Circle },
  mint: Mint,
  nowMs: number,
): Piece | undefined {
  const { question, why, circle } = again;
  if (!isOpen(question, nowMs)) return undefined;
  const taken = voidIt(held, { why, actor: "leeway" }, mint, nowMs);
  if (!taken.ok || taken.execution.state !== "void") return undefined;
  const { id: ref, workspace } = question;
  const answered = new Set(countingYeses(question, question.reviews, circle).map(({ by }) => by));
  const told = tell(mint, circle, {
    kind: "pending",
    to: recipientsOf(question, circle.owner),
    ref,
    workspace,
    nowMs,
    about: question,
    text: why,
    but: answered,
  });
  const { needs = [], writes = [], entries = [] } = taken.piece;
  return {
    needs: [
      ...needs,
      unchanged("approvals", question.id, asked.version),
      { is: "unique", table: "approvals", key: liveKey(question.agent, question.digest) },
    ],
    writes: [...writes, put("approvals", question), oneMoreOpen(question), ...told],
    entries: [...entries, reopenedEntry(asked.row, question, why, mint)],
  };
}

function reopenedEntry(before: Approval, question: Pending, why: Message, mint: Mint) {
  return draft(mint, {
    kind: "approval.reopened",
    actor: "leeway",
    subject: subjectOfApproval(question),
    body: {
      why,
      quorum: question.quorum,
      reviewers: question.reviewers.map((list) => [...list]),
      answerByMs: question.answerByMs,
      ...(question.needsHuman ? { requiresHuman: true } : {}),
    },
    rows: [madeRow("approvals", question, before)],
  });
}
