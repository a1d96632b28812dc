import { type Approval, isOpen, type Pending, type Review, stateAt } from "./approval.ts";
import type { Digest } from "./call.ts";
import { type Piece, put, unchanged } from "./change.ts";
import { type Refused, refused } from "./codes.ts";
import { draft } from "./draft.ts";
import type { Execution } from "./execution.ts";
import type { ExecutionId, Mint, PersonName } from "./ids.ts";
import type { Subject } from "./ledger.ts";
import type { Person } from "./people.ts";
import type { Assurance } from "./policy.ts";
import type { Versioned } from "./rows.ts";
import type { Tier } from "./tier.ts";

/** One answer as it arrived. The digest is what the person saw. */
export type Answer = {
  by: PersonName;
  verdict: "approve" | "deny";
  digest: Digest;
  note: string;
  assurance: Assurance;
  bulk: boolean;
};

export type Reviewed =
  | { ok: true; piece: Piece; approval: Approval; execution?: Execution }
  | (Refused & { approval: Approval });

/** Who may answer, as of now: groups are looked up live, a removed person is nobody. */
export type Circle = { people: readonly Person[]; owner?: PersonName; pausedReviewers: readonly PersonName[] };

/** Counts one answer. Either it changes the question in one Change, or it changes nothing and says why. */
export function review(
  asked: Versioned<"approvals">,
  answer: Answer,
  circle: Circle,
  mint: Mint,
  nowMs: number,
): Reviewed {
  const approval = asked.row;
  const no = refusal(approval, answer, circle, nowMs);
  if (no !== undefined) return { ...no, approval };
  if (!isOpen(approval, nowMs)) throw new Error("a refused review went on (this is a bug)");
  const given: Review = { ...answer, atMs: nowMs };
  const reviews = [...approval.reviews, given];
  const needs = [unchanged("approvals", approval.id, asked.version)];
  const reviewed = entryOf(mint, "approval.reviewed", approval, answer.by, {
    verdict: answer.verdict,
    note: answer.note,
    assurance: answer.assurance,
    bulk: answer.bulk,
  });
  if (answer.verdict === "deny") {
    const row: Approval = { ...approval, reviews, state: "denied", atMs: nowMs, by: answer.by, note: answer.note };
    const denied = entryOf(mint, "approval.denied", approval, answer.by, {
      enforcement: "approval_denied",
      note: answer.note,
    });
    return { ok: true, approval: row, piece: { needs, writes: [put("approvals", row)], entries: [reviewed, denied] } };
  }
  if (!isMet(approval, reviews, circle)) {
    const row: Approval = { ...approval, reviews };
    return { ok: true, approval: row, piece: { needs, writes: [put("approvals", row)], entries: [reviewed] } };
  }
  const execution = readyExecution(approval, reviews, mint.next("exe"), nowMs);
  const row: Approval = { ...approval, reviews, state: "approved", atMs: nowMs, executionId: execution.id };
  const approved = entryOf(mint, "approval.approved", approval, answer.by, {
    by: [...execution.approvers],
    execution: execution.id,
    runUntilMs: execution.runUntilMs,
  });
  const writes = [put("approvals", row), put("executions", execution)];
  return { ok: true, approval: row, execution, piece: { needs, writes, entries: [reviewed, approved] } };
}

function refusal(approval: Approval, answer: Answer, circle: Circle, nowMs: number): Refused | undefined {
  const state = stateAt(approval, nowMs);
  if (state !== "pending") {
    return refused("LEEWAY_ALREADY_RESOLVED", `the question is ${state} already`, "nothing is left to answer");
  }
  if (answer.digest !== approval.digest) {
    return refused(
      "LEEWAY_DIGEST_MISMATCH",
      "the answer was about another call than the one asked about",
      `look at ${approval.id} again and answer what it shows now`,
    );
  }
  if (!mayReview(approval, answer.by, circle)) {
    return refused(
      "LEEWAY_NOT_A_REVIEWER",
      `${answer.by} may not review ${approval.id}`,
      `it is for ${audience(approval)}`,
    );
  }
  if (answer.by === approval.requestedBy && !approval.selfReview) {
    return refused(
      "LEEWAY_SELF_REVIEW",
      `${answer.by} asked for this call`,
      "somebody else has to answer, or set approvals.selfReview",
    );
  }
  if (approval.assurance === "person" && answer.assurance === "process") {
    return refused(
      "LEEWAY_ASSURANCE",
      "a program named a person, but nobody proved to be that person",
      "answer in the terminal or the inbox, or set approvals.assurance: any",
    );
  }
  if (answer.bulk && approval.needsHuman) {
    return refused("LEEWAY_NEEDS_HUMAN", "this call needs a review of its own", `review ${approval.id} by itself`);
  }
  if (approval.reviews.some((earlier) => earlier.by === answer.by && answer.verdict === "approve")) {
    return refused("LEEWAY_ALREADY_REVIEWED", `${answer.by} has approved already`, "another person has to answer");
  }
  return undefined;
}

/** The listed people and groups, else the owner and the admins. Who is missing, removed or paused may not. */
export function mayReview(question: Pick<Approval, "reviewers">, by: PersonName, circle: Circle): boolean {
  const person = circle.people.find((candidate) => candidate.name === by);
  if (person === undefined || person.state !== "active" || person.auditor) return false;
  if (circle.pausedReviewers.includes(by)) return false;
  if (question.reviewers.length === 0) return person.admin || person.name === circle.owner;
  return question.reviewers.some((list) => isIn(list, person));
}

function isIn(list: readonly string[], person: Person): boolean {
  return list.some((name) =>
    name.startsWith("group:") ? person.groups.includes(name.slice("group:".length)) : name === person.name,
  );
}

/** Distinct people who may review now, at least the quorum, and one from each named list. */
function isMet(approval: Pending, reviews: readonly Review[], circle: Circle): boolean {
  const approvers = [...new Set(reviews.filter((given) => given.verdict === "approve").map((given) => given.by))];
  const counted = approvers.filter((by) => mayReview(approval, by, circle));
  if (counted.length < approval.quorum) return false;
  const people = circle.people.filter((person) => counted.includes(person.name));
  return approval.reviewers.every((list) => people.some((person) => isIn(list, person)));
}

function readyExecution(approval: Pending, reviews: readonly Review[], id: ExecutionId, nowMs: number): Execution {
  const approving = reviews.filter((given) => given.verdict === "approve");
  return {
    id,
    workspace: approval.workspace,
    call: approval.call,
    approval: approval.id,
    approvedInBulk: approving.some((given) => given.bulk),
    agent: approval.agent,
    ...(approval.session === undefined ? {} : { session: approval.session }),
    tool: approval.tool,
    class: approval.class,
    tier: approval.tier,
    needsHuman: approval.needsHuman,
    approvers: [...new Set(approving.map((given) => given.by))],
    traceId: approval.traceId,
    digest: approval.digest,
    runBy: approval.runBy,
    idempotent: approval.idempotent,
    attempts: 0,
    runUntilMs: nowMs + approval.permitMs,
    state: "ready",
    readyMs: nowMs,
  };
}

function audience(approval: Approval): string {
  const named = approval.reviewers.flat();
  return named.length === 0 ? "the agent's owner and the admins" : named.join(", ");
}

export function subjectOfApproval(approval: Approval): Subject & { tier: Tier } {
  return {
    agent: approval.agent,
    tool: approval.tool,
    class: approval.class,
    tier: approval.tier,
    call: approval.call,
    approval: approval.id,
    trace: approval.traceId,
    ...(approval.session === undefined ? {} : { session: approval.session }),
  };
}

function entryOf(
  mint: Mint,
  kind: "approval.reviewed" | "approval.approved" | "approval.denied",
  approval: Approval,
  by: PersonName,
  body: Parameters<typeof draft>[1]["body"] & object,
) {
  return draft(mint, { kind, actor: `person:${by}`, subject: { ...subjectOfApproval(approval), person: by }, body });
}

/** The end of a question that nobody's answer brought: time ran out, or somebody withdrew it. */
export function close(
  asked: Versioned<"approvals">,
  how: { state: "expired" } | { state: "cancelled"; by: string },
  mint: Mint,
  nowMs: number,
): { ok: true; piece: Piece; approval: Approval } | Refused {
  const approval = asked.row;
  if (approval.state !== "pending") {
    return refused("LEEWAY_ALREADY_RESOLVED", `the question is ${approval.state} already`, "nothing is left to close");
  }
  const row: Approval =
    how.state === "expired"
      ? { ...approval, state: "expired", atMs: nowMs }
      : { ...approval, state: "cancelled", atMs: nowMs, by: how.by };
  const kind = how.state === "expired" ? "approval.expired" : "approval.cancelled";
  return {
    ok: true,
    approval: row,
    piece: {
      needs: [unchanged("approvals", approval.id, asked.version)],
      writes: [put("approvals", row)],
      entries: [
        draft(mint, {
          kind,
          actor: how.state === "cancelled" ? `person:${how.by}` : "leeway",
          subject: subjectOfApproval(approval),
          body: how.state === "expired" ? { enforcement: "approval_expired" } : { enforcement: "approval_cancelled" },
        }),
      ],
    },
  };
}
