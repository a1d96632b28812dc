import { type Approval, isOpen, joinedQuestion, requestersOf, stateMessage, withSnoozes } from "../approval.ts";
import { type Piece, put, unchanged } from "../change.ts";
import { type Refused, refused } from "../codes.ts";
import type { ApprovalId, Mint, PersonName } from "../ids.ts";
import type { Actor } from "../ledger.ts";
import { type Message, say } from "../messages/message.ts";
import { madeRow } from "../rows/row-hash.ts";
import type { Versioned } from "../rows/rows.ts";
import type { JsonObject } from "../values/json.ts";
import { draft, subjectOfApproval } from "./draft.ts";
import { recipientsOf, type Telling, tell, tellOnce, updateShown } from "./notices.ts";
import { oneLessOpen } from "./pending.ts";
import { type Circle, mayDeny } from "./quorum.ts";
import { alreadyResolved } from "./reviewing.ts";

// What happens to a question without an answer: it expires, somebody withdraws it, or another question replaces it.

type Closed = { ok: true; piece: Piece; approval: Approval } | Refused;
type OpenQuestion = Versioned<"approvals">;

/** Nobody answered in time. The question is already closed by the clock; this records it and tells people. */
export function expire(asked: OpenQuestion, circle: Circle, mint: Mint, nowMs: number): Closed {
  const approval = asked.row;
  if (approval.state !== "pending") return alreadyResolved(approval, approval.state);
  if (nowMs < approval.answerByMs) {
    return refused(
      "LEEWAY_ALREADY_RESOLVED",
      say("refusal.not_expired", { id: approval.id }),
      say("hint.nothing_to_do"),
    );
  }
  const row: Approval = { ...approval, state: "expired", atMs: nowMs };
  return ending(
    asked,
    row,
    { circle, mint, nowMs },
    { kind: "approval.expired", actor: "leeway", enforcement: "approval_expired" },
  );
}

/** Withdrawn by a person, or by the agent whose call it is. */
export function cancel(
  asked: OpenQuestion,
  by: { name: string; actor: Actor },
  circle: Circle,
  mint: Mint,
  nowMs: number,
): Closed {
  const approval = asked.row;
  if (approval.state !== "pending") return alreadyResolved(approval, approval.state);
  if (!isOpen(approval, nowMs)) return alreadyResolved(approval, "expired");
  const row: Approval = { ...approval, state: "cancelled", atMs: nowMs, by: by.name };
  return ending(
    asked,
    row,
    { circle, mint, nowMs },
    { kind: "approval.cancelled", actor: by.actor, enforcement: "approval_cancelled" },
  );
}

function ending(
  asked: OpenQuestion,
  row: Approval,
  at: { circle: Circle; mint: Mint; nowMs: number },
  entry: { kind: "approval.expired" | "approval.cancelled"; actor: Actor; enforcement: string },
): Closed {
  const { circle, mint, nowMs } = at;
  const { id: ref, workspace } = row;
  const to = [circle.owner, ...requestersOf(row)];
  const notice = { kind: "resolved", ref, workspace, nowMs, about: row, text: stateMessage(row.state) } as const;
  // If an agent withdraws its questions again and again, people are told only from time to time.
  const key = `_${row.root ?? row.agent}`;
  const told = entry.actor.startsWith("agent:")
    ? to.flatMap((name) => (name === undefined ? [] : tellOnce(circle, { ...notice, to: name, key })))
    : tell(mint, circle, { ...notice, to });
  return {
    ok: true,
    approval: row,
    piece: {
      needs: [unchanged("approvals", row.id, asked.version)],
      writes: [put("approvals", row), oneLessOpen(row), ...told, ...updateShown(circle, row, nowMs)],
      entries: [
        draft(mint, {
          kind: entry.kind,
          actor: entry.actor,
          subject: subjectOfApproval(row),
          body: { enforcement: entry.enforcement },
          rows: [madeRow("approvals", row, asked.row)],
        }),
      ],
    },
  };
}

/** Another call or an edit replaced the question; readers are sent to the new question. */
export function supersede(
  asked: OpenQuestion,
  to: ApprovalId | undefined,
  { actor, circle }: { actor: Actor; circle: Circle },
  mint: Mint,
  nowMs: number,
): Piece {
  const row: Approval = { ...asked.row, state: "superseded", atMs: nowMs, ...(to === undefined ? {} : { to }) };
  const body: JsonObject = to === undefined ? {} : { to };
  return {
    needs: [unchanged("approvals", row.id, asked.version)],
    writes: [put("approvals", row), oneLessOpen(row), ...updateShown(circle, row, nowMs)],
    entries: [
      draft(mint, {
        kind: "approval.superseded",
        actor,
        subject: subjectOfApproval(row),
        body,
        rows: [madeRow("approvals", row, asked.row)],
      }),
    ],
  };
}

/**
 * Another person asks for the same call: from now on they may not answer it either, and an earlier approval of theirs
 * no longer counts.
 */
export function join(asked: OpenQuestion, by: PersonName | undefined, agent: string, mint: Mint): Piece {
  const row = joinedQuestion(asked.row, by);
  if (row === undefined || by === undefined) return {};
  return {
    needs: [unchanged("approvals", row.id, asked.version)],
    writes: [put("approvals", row)],
    entries: [
      draft(mint, {
        kind: "approval.joined",
        actor: `agent:${agent}`,
        subject: { ...subjectOfApproval(row), person: by },
        rows: [madeRow("approvals", row, asked.row)],
      }),
    ],
  };
}

/** The next timed step of an open question, if one is due: more people may answer, or the reviewers are reminded. */
export function nudge(asked: OpenQuestion, circle: Circle, mint: Mint, nowMs: number): Closed {
  const approval = asked.row;
  if (!isOpen(approval, nowMs)) return alreadyResolved(approval, approval.state);
  const { escalate, remind } = approval;
  if (escalate !== undefined && !escalate.done && nowMs >= escalate.atMs) {
    const row: Approval = { ...approval, escalate: { ...escalate, done: true } };
    const entries = [
      draft(mint, {
        kind: "approval.escalated",
        actor: "leeway",
        subject: subjectOfApproval(row),
        body: { to: [...escalate.to] },
        rows: [madeRow("approvals", row, approval)],
      }),
    ];
    return told(asked, row, { kind: "escalated", to: escalate.to }, { circle, mint, nowMs }, entries);
  }
  if (remind !== undefined && !remind.done && nowMs >= remind.atMs) {
    const row: Approval = { ...approval, remind: { ...remind, done: true } };
    const answered = new Set(approval.reviews.map((given) => given.by));
    const to = recipientsOf(row, circle.owner).filter((name) => !answered.has(name));
    // A person who put the question aside said when they want to hear of it again.
    const but = new Set((approval.snoozed ?? []).map(({ by }) => by));
    return told(asked, row, { kind: "reminder", to, but }, { circle, mint, nowMs }, []);
  }
  const back = (approval.snoozed ?? []).filter(({ untilMs }) => untilMs <= nowMs);
  if (back.length > 0) {
    const row = withSnoozes(
      approval,
      (approval.snoozed ?? []).filter((one) => !back.includes(one)),
    );
    const to = back.map(({ by }) => by).filter((by) => mayDeny(approval, by, circle));
    const notice = { kind: "reminder", to, isPersonal: true, text: say("notice.snooze_over") } as const;
    return told(asked, row, notice, { circle, mint, nowMs }, []);
  }
  return refused("LEEWAY_ALREADY_RESOLVED", say("refusal.nothing_due", { id: approval.id }), say("hint.nothing_to_do"));
}

function told(
  asked: OpenQuestion,
  row: Approval,
  notice: { kind: "escalated" | "reminder"; to: readonly string[] } & Pick<Telling, "but" | "isPersonal"> & {
      text?: Message;
    },
  at: { circle: Circle; mint: Mint; nowMs: number },
  entries: NonNullable<Piece["entries"]>,
): Closed {
  const { id: ref, workspace } = row;
  const writes = tell(at.mint, at.circle, { ...notice, ref, workspace, nowMs: at.nowMs, about: row });
  const needs = [unchanged("approvals", row.id, asked.version)];
  return { ok: true, approval: row, piece: { needs, writes: [put("approvals", row), ...writes], entries } };
}
