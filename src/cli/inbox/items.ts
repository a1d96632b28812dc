import { visible } from "../../core/values/text.ts";
import type { Inbox, InboxQuestion } from "../../service/views/inbox.ts";
import { wrap } from "../terminal/table.ts";
import { cardLines } from "../views/card.ts";
import { offersOf } from "../views/grant-offers.ts";
import { triageLines } from "../views/triage-view.ts";
import type { InboxItem } from "./model.ts";

/** Renders a card only when the question or the screen has changed, not at every refresh of the list. */
export function itemMaker(): (inbox: Inbox, columns: number, nowMs: number) => readonly InboxItem[] {
  let made = new Map<InboxQuestion, { columns: number; item: InboxItem }>();
  return ({ questions }, columns, nowMs) => {
    const now = questions.map((question) => {
      const known = made.get(question);
      const item = known?.columns === columns ? known.item : itemOf(question, columns, nowMs);
      return [question, { columns, item }] as const;
    });
    made = new Map(now);
    return now.map(([, { item }]) => item);
  };
}

function itemOf(question: InboxQuestion, columns: number, nowMs: number): InboxItem {
  const { id, digest, agent, class: effectClass, needsHuman, answerByMs, have, quorum } = question;
  const known = { id, digest, agent, class: effectClass, needsHuman, answerByMs, have, quorum };
  if ("unseen" in question) return { ...known, ...unseen(question.unseen, columns) };
  const { lead: title, sentence: does } = question.card;
  const { offers, none } = offersOf(question);
  const notRemembered = none === undefined ? {} : { notRemembered: none };
  const { handed, replies = [] } = question;
  const said = triageLines({ handed: handed === undefined ? [] : [handed], replies }, nowMs);
  const card = [...cardLines(question.card, columns), ...said.flatMap((line) => wrap(line, columns).split("\n"))];
  return { ...known, title, does, offers, ...notRemembered, card };
}

function unseen(why: string, columns: number): Pick<InboxItem, "title" | "does" | "unseen" | "offers" | "card"> {
  const title = `cannot be shown: ${visible(why)}`;
  const hint = "check that this key belongs to this database";
  return {
    title,
    does: "",
    unseen: why,
    offers: [],
    card: [title, hint].flatMap((line) => wrap(line, columns).split("\n")),
  };
}
