import { type Approval, isOpen, type Pending, type Review, stateAt } from "../approval.ts";
import type { Digest } from "../call.ts";
import { type Piece, put, unchanged } from "../change.ts";
import { type Refused, refused } from "../codes.ts";
import type { Execution } from "../execution.ts";
import type { ExecutionId, GrantId, Mint, PersonName } from "../ids.ts";
import type { Assurance } from "../policy.ts";
import type { Versioned } from "../rows.ts";
import type { JsonObject } from "../values/json.ts";
import { draft, subjectOfApproval } from "./draft.ts";
import { tell } from "./notices.ts";
import { audience, type Circle, isMet, mayReview } from "./quorum.ts";

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

/** Counts one answer. Either it changes the question in one Change, or it changes nothing and says why. */
export function review(
  asked: Versioned<"approvals">,
  answer: Answer,
  circle: Circle,
  mint: Mint,
  nowMs: number,
  /** An answer to several at once needs the quorum of the strictest; one that is remembered names its grant. */
  with_: { quorum?: number; grant?: GrantId } = {},
): Reviewed {
  const approval = asked.row;
  const no = refusal(approval, answer, circle, nowMs);
  if (no !== undefined) return { ...no, approval };
  if (!isOpen(approval, nowMs)) throw new Error("a refused review went on (this is a bug)");
  const given: Review = {
    by: answer.by,
    verdict: answer.verdict,
    digest: answer.digest,
    note: answer.note,
    assurance: answer.assurance,
    bulk: answer.bulk,
    atMs: nowMs,
  };
  const step: Step = { asked, approval, given, reviews: [...approval.reviews, given], circle, mint, nowMs };
  if (answer.verdict === "deny") return denied(step);
  const quorum = Math.max(approval.quorum, with_.quorum ?? 0);
  return isMet(approval, step.reviews, circle, quorum) ? approved(step, with_.grant) : counted(step);
}

type Step = {
  asked: Versioned<"approvals">;
  approval: Pending;
  given: Review;
  reviews: readonly Review[];
  circle: Circle;
  mint: Mint;
  nowMs: number;
};

function counted(step: Step): Reviewed {
  const row: Approval = { ...step.approval, reviews: step.reviews };
  return { ok: true, approval: row, piece: { ...base(step), writes: [put("approvals", row)], entries: [entry(step)] } };
}

function denied(step: Step): Reviewed {
  const { approval, given, reviews, nowMs } = step;
  const row: Approval = { ...approval, reviews, state: "denied", atMs: nowMs, by: given.by, note: given.note };
  const entries = [entry(step), entryOf(step, "approval.denied", { enforcement: "approval_denied", note: given.note })];
  return {
    ok: true,
    approval: row,
    piece: { ...base(step), writes: [put("approvals", row), ...resolvedNotices(step, "denied")], entries },
  };
}

function approved(step: Step, grant: GrantId | undefined): Reviewed {
  const { approval, reviews, mint, nowMs } = step;
  const execution = readyExecution(approval, reviews, mint.next("exe"), nowMs);
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
    entryOf(step, "approval.approved", {
      by: [...execution.approvers],
      execution: execution.id,
      runUntilMs: execution.runUntilMs,
    }),
  ];
  const writes = [put("approvals", row), put("executions", execution), ...resolvedNotices(step, "approved")];
  return { ok: true, approval: row, execution, piece: { ...base(step), writes, entries } };
}

function base(step: Step): Piece {
  return { needs: [unchanged("approvals", step.approval.id, step.asked.version)] };
}

/** Owner and requester hear how it ended, except from themselves. */
function resolvedNotices({ approval, given, circle, mint, nowMs }: Step, how: string) {
  const to = [circle.owner, approval.requestedBy].filter((name) => name !== given.by);
  const { id: ref, workspace } = approval;
  return tell(mint, circle, {
    kind: "resolved",
    to,
    ref,
    workspace,
    nowMs,
    about: approval,
    text: `${how} by ${given.by}`,
  });
}

function entry(step: Step) {
  const { verdict, note, assurance, bulk } = step.given;
  return entryOf(step, "approval.reviewed", { verdict, note, assurance, bulk });
}

function entryOf(
  { mint, approval, given }: Step,
  kind: "approval.reviewed" | "approval.approved" | "approval.denied",
  body: JsonObject,
) {
  const subject = { ...subjectOfApproval(approval), person: given.by };
  return draft(mint, { kind, actor: `person:${given.by}`, subject, body });
}

/** Why this answer may not count, if it may not. Changes nothing. */
export function refusal(approval: Approval, answer: Answer, circle: Circle, nowMs: number): Refused | undefined {
  const { id } = approval;
  const state = stateAt(approval, nowMs);
  if (answer.verdict !== "approve" && answer.verdict !== "deny") {
    return refused("LEEWAY_BAD_INPUT", `"${answer.verdict}" is not an answer`, "answer approve or deny");
  }
  if (state !== "pending") return alreadyResolved(approval, state);
  if (answer.digest !== approval.digest) {
    return refused(
      "LEEWAY_DIGEST_MISMATCH",
      `the answer was about ${answer.digest}, the question is about ${approval.digest}`,
      `look at ${id} again and answer what it shows now`,
    );
  }
  if (answer.by === approval.agent || !mayReview(approval, answer.by, circle)) {
    const who = answer.by === "" ? "somebody without a name" : answer.by;
    return refused("LEEWAY_NOT_A_REVIEWER", `${who} may not review ${id}`, `it is for ${audience(approval)}`);
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
    return refused("LEEWAY_NEEDS_HUMAN", "this call needs a review of its own", `review ${id} by itself`);
  }
  if (answer.verdict === "approve" && approval.reviews.some((earlier) => earlier.by === answer.by)) {
    return refused("LEEWAY_ALREADY_REVIEWED", `${answer.by} has approved already`, "another person has to answer");
  }
  return undefined;
}

export function alreadyResolved(approval: Approval, state: Approval["state"]): Refused {
  const by = approval.state === "denied" || approval.state === "cancelled" ? ` by ${approval.by}` : "";
  const to =
    approval.state === "superseded" && approval.to !== undefined ? `see ${approval.to}` : "submit the call again";
  return refused("LEEWAY_ALREADY_RESOLVED", `${approval.id} is ${state} already${by}`, to);
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
