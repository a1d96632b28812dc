import { type Approval, askerOf } from "../core/approval.ts";
import { textOf } from "../core/messages/text.ts";
import { whyNotRemembered } from "../core/say/not-remembered.ts";
import type { Card } from "../core/show/card.ts";
import { openArgs } from "../gate/calls/args.ts";
import { countPending } from "../gate/counts.ts";
import type { Deps } from "../gate/deps.ts";
import { type Suggested, suggestGrants } from "../gate/standing/grants.ts";
import { callRow, mostUrgent } from "./approvals.ts";
import { approvedBy, cardOf } from "./cards.ts";
import { orThrow } from "./refusal.ts";

/** An open question, with everything that a reviewer has to see. */
export type InboxQuestion = Pick<Approval, "id" | "digest" | "class" | "needsHuman" | "answerByMs" | "quorum"> & {
  /** Who asks, with the agents above it. */
  agent: string;
  /** How many yeses count so far. */
  have: number;
} & Offered &
  ({ card: Card } | { unseen: string });

/** What could be remembered with a yes, the narrowest first; `notRemembered` says why there is nothing. */
type Offered = { remember: readonly Suggested[]; notRemembered?: string };

/** The open questions, the one whose time ends first on top; `more` wait besides those. */
export type Inbox = { questions: readonly InboxQuestion[]; more: number };

const SHOWN_MAX = 200;
/** A card tells how much time is left, so it is made again now and then. */
const CARD_MS = 60_000;

/** Reads the inbox, as often as it is called. A card is made once, not with every look at the list. */
export function inboxReader(deps: Deps): () => Promise<Inbox> {
  let made = new Map<string, { stamp: string; question: InboxQuestion }>();
  return async () => {
    const nowMs = deps.clock.nowMs();
    const now = new Map<string, { stamp: string; question: InboxQuestion }>();
    for await (const { row, version } of mostUrgent(deps)) {
      if (now.size === SHOWN_MAX) break;
      const stamp = `${version} ${Math.floor(nowMs / CARD_MS)}`;
      const known = made.get(row.id);
      now.set(row.id, known?.stamp === stamp ? known : { stamp, question: await questionOf(deps, row) });
    }
    made = now;
    const questions = [...now.values()].map(({ question }) => question);
    return { questions, more: questions.length < SHOWN_MAX ? 0 : (await countPending(deps)) - SHOWN_MAX };
  };
}

async function questionOf(deps: Deps, row: Approval): Promise<InboxQuestion> {
  const { id, digest, class: effectClass, needsHuman, answerByMs, quorum } = row;
  const have = await approvedBy(deps, row);
  const known = { id, digest, agent: askerOf(row), class: effectClass, needsHuman, answerByMs, have, quorum };
  // One question that does not open must not keep people from all the others.
  const opened = openArgs(await callRow(deps, row.call));
  if (!opened.ok) return { ...known, unseen: textOf(opened.why, "en"), remember: [] };
  return { ...known, card: await cardOf(deps, row), ...(await offeredFor(deps, row.id)) };
}

export async function offeredFor(deps: Deps, approvalId: string): Promise<Offered> {
  const { offers, none } = orThrow(await suggestGrants(deps, approvalId));
  return { remember: offers, ...(none === undefined ? {} : { notRemembered: textOf(whyNotRemembered(none), "en") }) };
}
