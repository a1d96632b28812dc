import { visible } from "../../core/values/text.ts";
import type { Inbox, InboxQuestion } from "../../service/inbox.ts";
import { cardLines } from "../card.ts";
import { offersOf } from "../remembering.ts";
import { wrap } from "../table.ts";
import type { Item } from "./model.ts";

/** Renders a card only when the question or the screen has changed, not at every refresh of the list. */
export function itemMaker(): (inbox: Inbox, columns: number) => readonly Item[] {
  let made = new Map<InboxQuestion, { columns: number; item: Item }>();
  return ({ questions }, columns) => {
    const now = questions.map((question) => {
      const known = made.get(question);
      const item = known?.columns === columns ? known.item : itemOf(question, columns);
      return [question, { columns, item }] as const;
    });
    made = new Map(now);
    return now.map(([, { item }]) => item);
  };
}

function itemOf(question: InboxQuestion, columns: number): Item {
  const { id, digest, class: effectClass, needsHuman, answerByMs, have, quorum } = question;
  const agent = visible(question.agent);
  const known = { id, digest, agent, class: effectClass, needsHuman, answerByMs, have, quorum };
  if ("unseen" in question) return { ...known, ...unseen(question.unseen, columns) };
  const { lead: title, sentence: does } = question.card;
  const { offers, none } = offersOf(question);
  const notRemembered = none === undefined ? {} : { notRemembered: none };
  return { ...known, title, does, offers, ...notRemembered, card: cardLines(question.card, columns) };
}

function unseen(why: string, columns: number): Pick<Item, "title" | "does" | "unseen" | "offers" | "card"> {
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
