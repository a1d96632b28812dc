import { type Approval, type Handover, type Pending, type Reply, snoozedUntilMs, withSnoozes } from "../approval.ts";
import { type Piece, put, unchanged, type Write } from "../change.ts";
import { type Refused, refused } from "../codes.ts";
import type { Mint, PersonName } from "../ids.ts";
import { redactText } from "../masking/redact.ts";
import { say } from "../messages/message.ts";
import type { Assurance } from "../policy.ts";
import { madeRow } from "../rows/row-hash.ts";
import type { Versioned } from "../rows/rows.ts";
import type { JsonObject } from "../values/json.ts";
import { draft, subjectOfApproval } from "./draft.ts";
import { tell, updateShown } from "./notices.ts";
import { type Circle, countingYeses, isOfRequester, mayReview } from "./quorum.ts";
import { refusal } from "./reviewing.ts";

// What somebody who may answer a question can do with it instead of answering: write to the agent, ask somebody else to
// answer, or put it aside for a while. None of it changes who may answer, how many must, the digest or the deadline.

/** Longer conversations belong elsewhere. */
export const REPLIES_MAX = 20;
export const HANDOVERS_MAX = 20;
const WORDS_MAX = 2000;

/** Who acts, as far as it matters for whether they may. */
export type Triaging = { by: PersonName; assurance: Assurance; madeBy?: PersonName };

type Triaged = { ok: true; piece: Piece; approval: Pending } | Refused;
type At = { circle: Circle; mint: Mint; nowMs: number };

/** Words to the agent. The question stays open. */
export function reply(asked: Versioned<"approvals">, given: Triaging & { text: string }, at: At): Triaged {
  const open = openFor(asked.row, given, at);
  if (!open.ok) return open;
  const { approval } = open;
  const text = given.text.trim();
  const replies = approval.replies ?? [];
  if (text === "" || text.length > WORDS_MAX) {
    return refused("LEEWAY_BAD_INPUT", say("refusal.reply_length"), say("hint.words_for_agent"));
  }
  // The same words again are the same reply: a form or a callback that was sent twice.
  if (replies.some((one) => one.by === given.by && one.text === kept(text))) return { ok: true, piece: {}, approval };
  if (replies.length >= REPLIES_MAX) {
    return refused("LEEWAY_BAD_INPUT", say("refusal.replies_full", { count: REPLIES_MAX }), say("hint.answer_now"));
  }
  const last: Reply = { by: given.by, text: kept(text), atMs: at.nowMs };
  const row: Pending = { ...approval, replies: [...replies, last] };
  return done(asked, row, given, { kind: "approval.replied", body: { text: last.text } }, at);
}

/** Masking may make a text longer. */
function kept(text: string): string {
  return redactText(text).slice(0, WORDS_MAX).toWellFormed();
}

/** Asks somebody who may answer to do it. They get a notice, but no new permission. */
export function handOver(
  asked: Versioned<"approvals">,
  given: Triaging & { to: PersonName; note: string },
  at: At,
): Triaged {
  const open = openFor(asked.row, given, at);
  if (!open.ok) return open;
  const { approval } = open;
  const { by, to } = given;
  const handed = approval.handed ?? [];
  const no = unfit(approval, given, at.circle);
  if (no !== undefined) return no;
  const before = handed.at(-1);
  if (before?.by === by && before.to === to && before.note === kept(given.note.trim()))
    return { ok: true, piece: {}, approval };
  if (handed.length >= HANDOVERS_MAX) {
    const full = say("refusal.handovers_full", { count: HANDOVERS_MAX });
    return refused("LEEWAY_BAD_INPUT", full, say("hint.answer_now"));
  }
  const last: Handover = { by, to, note: kept(given.note.trim()), atMs: at.nowMs };
  // The question appears in the list of the person who is asked now, even if they had put it aside.
  const snoozed = (approval.snoozed ?? []).filter((one) => one.by !== to);
  const row: Pending = withSnoozes({ ...approval, handed: [...handed, last] }, snoozed);
  const named = { person: by };
  const told = tell(at.mint, at.circle, {
    kind: "pending",
    to: [to],
    ref: row.id,
    workspace: row.workspace,
    nowMs: at.nowMs,
    about: row,
    text:
      last.note === "" ? say("notice.handed_by", named) : say("notice.handed_by_note", { ...named, note: last.note }),
    isPersonal: true,
  });
  return done(asked, row, given, { kind: "approval.handed", body: { to, note: last.note } }, at, told);
}

/** Why this person cannot be asked to answer the question, and who can. */
function unfit(
  approval: Pending,
  { by, to, note }: { by: PersonName; to: PersonName; note: string },
  circle: Circle,
): Refused | undefined {
  if (note.length > WORDS_MAX) return refused("LEEWAY_BAD_INPUT", say("refusal.note_length"), say("hint.shorter"));
  const able = answerersOf(approval, circle).filter((name) => name !== by);
  const hint = able.length === 0 ? say("hint.nobody_else_may") : say("hint.hand_to", { names: able.join(", ") });
  if (to === by) return refused("LEEWAY_BAD_INPUT", say("refusal.handed_to_self"), hint);
  if (able.includes(to)) return undefined;
  return refused("LEEWAY_NOT_A_REVIEWER", say("refusal.may_not_review", { person: to, id: approval.id }), hint);
}

/** Everybody whose approval would count now and has not been given yet, by name. */
export function answerersOf(approval: Approval, circle: Circle): readonly PersonName[] {
  const given = new Set(countingYeses(approval, approval.reviews, circle).map(({ by }) => by));
  return circle.people
    .filter(
      ({ name }) => mayReview(approval, name, circle) && !given.has(name) && !isOfRequester(approval, { by: name }),
    )
    .map(({ name }) => name)
    .sort();
}

/** Puts the question aside for this person alone. Bookkeeping: it allows nothing, so no entry records it. */
export function snooze(asked: Versioned<"approvals">, given: Triaging & { untilMs: number }, at: At): Triaged {
  const open = openFor(asked.row, given, at);
  if (!open.ok) return open;
  const { approval } = open;
  const { by, untilMs } = given;
  if (untilMs >= approval.answerByMs) {
    const until = minuteText(approval.answerByMs);
    return refused("LEEWAY_BAD_INPUT", say("refusal.snooze_past_deadline", { until }), say("hint.snooze_before"));
  }
  if (untilMs <= at.nowMs) return refused("LEEWAY_BAD_INPUT", say("refusal.snooze_past"), say("hint.future_time"));
  const others = (approval.snoozed ?? []).filter((one) => one.by !== by);
  return set(asked, withSnoozes(approval, [...others, { by, untilMs }]));
}

function minuteText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** The question is back in this person's list. */
export function unsnooze(asked: Versioned<"approvals">, given: Triaging, at: At): Triaged {
  const open = openFor(asked.row, given, at);
  if (!open.ok) return open;
  const { approval } = open;
  if (snoozedUntilMs(approval, given.by, at.nowMs) === undefined) return { ok: true, piece: {}, approval };
  return set(
    asked,
    withSnoozes(
      approval,
      (approval.snoozed ?? []).filter(({ by }) => by !== given.by),
    ),
  );
}

/** Notes that the waiting caller was given all replies, so that its next wait does not end because of them. */
export function toldReplies(asked: Versioned<"approvals">): Piece {
  const { replies = [], repliesTold = 0 } = asked.row;
  if (repliesTold >= replies.length) return {};
  return {
    needs: [unchanged("approvals", asked.row.id, asked.version)],
    writes: [put("approvals", { ...asked.row, repliesTold: replies.length })],
  };
}

function set(asked: Versioned<"approvals">, row: Pending): Triaged {
  const needs = [unchanged("approvals", row.id, asked.version)];
  return { ok: true, approval: row, piece: { needs, writes: [put("approvals", row)] } };
}

/** Whoever may deny the question may write about it, hand it over or put it aside; the same refusals apply. */
export function openFor(
  approval: Approval,
  { by, assurance, madeBy }: Triaging,
  { circle, nowMs }: Omit<At, "mint">,
): { ok: true; approval: Pending } | Refused {
  const maker = madeBy === undefined ? {} : { madeBy };
  const given = { by, verdict: "deny", digest: approval.digest, note: "", assurance, bulk: false, ...maker } as const;
  const no = refusal(approval, given, circle, nowMs);
  if (no !== undefined) return no;
  if (approval.state !== "pending") throw new Error("a closed question was not refused (this is a bug)");
  return { ok: true, approval };
}

function done(
  asked: Versioned<"approvals">,
  row: Pending,
  { by, assurance, madeBy }: Triaging,
  entry: { kind: "approval.replied" | "approval.handed"; body: JsonObject },
  { circle, mint, nowMs }: At,
  told: readonly Write[] = [],
): Triaged {
  const maker = madeBy === undefined ? {} : { madeBy };
  return {
    ok: true,
    approval: row,
    piece: {
      needs: [unchanged("approvals", row.id, asked.version)],
      writes: [put("approvals", row), ...told, ...updateShown(circle, row, nowMs)],
      entries: [
        draft(mint, {
          kind: entry.kind,
          actor: `person:${by}`,
          subject: { ...subjectOfApproval(row), person: by },
          body: { ...entry.body, assurance, ...maker },
          rows: [madeRow("approvals", row, asked.row)],
        }),
      ],
    },
  };
}
