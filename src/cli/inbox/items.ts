import { type Approval, askerOf } from "../../core/approval.ts";
import { visible } from "../../core/values/text.ts";
import { openArgs } from "../../gate/calls/args.ts";
import { callRow, mostUrgent } from "../../service/approvals.ts";
import { approvedBy, cardOf } from "../../service/cards.ts";
import { cardLines } from "../card.ts";
import type { Opened } from "../gate.ts";
import { offersFor } from "../remembering.ts";
import { wrap } from "../table.ts";
import type { Item } from "./model.ts";

const SHOWN_MAX = 200;
/** A card tells how much time is left, so it is made again now and then. */
const CARD_MS = 60_000;

/** Those that are shown, and how many wait besides. */
type Listed = { items: readonly Item[]; more: number };

/** Reads the open questions, the one whose time ends first on top. A card is made once, not with every look at the list. */
export function itemReader(deps: Opened): (columns: number) => Promise<Listed> {
  let made = new Map<string, { stamp: string; item: Item }>();
  return async (columns) => {
    const nowMs = deps.clock.nowMs();
    const now = new Map<string, { stamp: string; item: Item }>();
    for await (const { row, version } of mostUrgent(deps)) {
      if (now.size === SHOWN_MAX) break;
      const stamp = `${version} ${columns} ${Math.floor(nowMs / CARD_MS)}`;
      const known = made.get(row.id);
      now.set(row.id, known?.stamp === stamp ? known : { stamp, item: await itemOf(deps, row, columns) });
    }
    made = now;
    const items = [...now.values()].map(({ item }) => item);
    return { items, more: items.length < SHOWN_MAX ? 0 : (await countOf(deps)) - SHOWN_MAX };
  };
}

function countOf({ store, workspace }: Opened): Promise<number> {
  return store.read({ ask: "count", workspace, table: "approvals", where: { state: "pending" } });
}

async function itemOf(deps: Opened, row: Approval, columns: number): Promise<Item> {
  const known = {
    id: row.id,
    digest: row.digest,
    agent: visible(askerOf(row)),
    class: row.class,
    needsHuman: row.needsHuman,
    answerByMs: row.answerByMs,
    have: await approvedBy(deps, row),
    quorum: row.quorum,
  };
  // One question that does not open must not keep people from all the others.
  const opened = openArgs(await callRow(deps, row.call));
  if (!opened.ok) return { ...known, ...unseen(opened.why, columns) };
  const card = await cardOf(deps, row);
  const { offers, none } = await offersFor(deps, row.id);
  const notRemembered = none === undefined ? {} : { notRemembered: none };
  const { lead: title, sentence: does } = card;
  return { ...known, title, does, offers, ...notRemembered, card: cardLines(card, columns) };
}

function unseen(why: string, columns: number): Pick<Item, "title" | "does" | "unseen" | "offers" | "card"> {
  const title = `cannot be shown: ${visible(why)}`;
  const hint = "check that the database and its key belong together";
  return {
    title,
    does: "",
    unseen: why,
    offers: [],
    card: [title, hint].flatMap((line) => wrap(line, columns).split("\n")),
  };
}
