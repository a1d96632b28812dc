import { type Approval, askerOf, type Handover, type Reply, snoozedUntilMs } from "../../core/approval.ts";
import type { PersonName } from "../../core/ids.ts";
import { textOf } from "../../core/messages/text.ts";
import { whyNotRemembered } from "../../core/say/not-remembered.ts";
import type { Card } from "../../core/show/card.ts";
import { seesQuestion } from "../../gate/approvals/open-questions.ts";
import { openArgs } from "../../gate/calls/args.ts";
import { countPending, countWaiting } from "../../gate/counts.ts";
import type { Deps } from "../../gate/deps.ts";
import { type Suggested, suggestGrants } from "../../gate/standing/grants.ts";
import { callRow, mostUrgent } from "../approvals.ts";
import { orThrow } from "../refusal.ts";
import { approvedBy, cardOf } from "./cards.ts";

/** An open question, with everything that a reviewer needs to see. */
export type InboxQuestion = Pick<Approval, "id" | "digest" | "class" | "needsHuman" | "answerByMs" | "quorum"> & {
  /** The agent, with the agents above it. */
  agent: string;
  /** How many approvals count so far. */
  have: number;
  /** The last handover: who asked whom to answer. */
  handed?: Handover;
  replies?: readonly Reply[];
} & Offered &
  ({ card: Card } | { unseen: string });

/** The grants that an approval could include, the narrowest first; `notRemembered` says why there is none. */
type Offered = { remember: readonly Suggested[]; notRemembered?: string };

/** The open questions, the one that expires first at the top; `more` is the number of questions not listed. */
export type Inbox = { questions: readonly InboxQuestion[]; more: number };

const SHOWN_MAX = 200;
/** A card shows the remaining time, so it is made again from time to time. */
const CARD_MS = 60_000;

/** The questions that wait for the reader, or those that the reader has put aside. */
export type InboxPart = "waiting" | "aside";

/**
 * Reads the inbox, as often as it is called, without what this person has put aside, or only that. A card is made once,
 * not with every look at the list.
 */
export function inboxReader(deps: Deps, person?: PersonName, which: InboxPart = "waiting"): () => Promise<Inbox> {
  let made = new Map<string, { stamp: string; question: InboxQuestion }>();
  return async () => {
    const nowMs = deps.clock.nowMs();
    const now = new Map<string, { stamp: string; question: InboxQuestion }>();
    for await (const { row, version } of mostUrgent(deps)) {
      if (now.size === SHOWN_MAX) break;
      const isAside = person !== undefined && snoozedUntilMs(row, person, nowMs) !== undefined;
      if (isAside !== (which === "aside")) continue;
      if (person !== undefined && !(await seesQuestion(deps, row, person))) continue;
      const stamp = `${version} ${Math.floor(nowMs / CARD_MS)}`;
      const known = made.get(row.id);
      now.set(row.id, known?.stamp === stamp ? known : { stamp, question: await questionOf(deps, row) });
    }
    made = now;
    const questions = [...now.values()].map(({ question }) => question);
    if (questions.length < SHOWN_MAX) return { questions, more: 0 };
    const waiting = person === undefined ? await countPending(deps) : await countWaiting(deps, person);
    if (which === "aside") return { questions, more: 0 };
    return { questions, more: Math.max(0, waiting - SHOWN_MAX) };
  };
}

async function questionOf(deps: Deps, row: Approval): Promise<InboxQuestion> {
  const { id, digest, class: effectClass, needsHuman, answerByMs, quorum } = row;
  const have = await approvedBy(deps, row);
  const known = {
    id,
    digest,
    agent: askerOf(row),
    class: effectClass,
    needsHuman,
    answerByMs,
    have,
    quorum,
    ...triagedIn(row),
  };
  // One question that cannot be decrypted must not hide the others.
  const opened = openArgs(await callRow(deps, row.call));
  if (!opened.ok) return { ...known, unseen: textOf(opened.why, "en"), remember: [] };
  return { ...known, card: await cardOf(deps, row), ...(await offeredFor(deps, row.id)) };
}

function triagedIn({ handed = [], replies = [] }: Approval): Pick<InboxQuestion, "handed" | "replies"> {
  const last = handed.at(-1);
  return { ...(last === undefined ? {} : { handed: last }), ...(replies.length === 0 ? {} : { replies }) };
}

export async function offeredFor(deps: Deps, approvalId: string): Promise<Offered> {
  const { offers, none } = orThrow(await suggestGrants(deps, approvalId));
  return { remember: offers, ...(none === undefined ? {} : { notRemembered: textOf(whyNotRemembered(none), "en") }) };
}
