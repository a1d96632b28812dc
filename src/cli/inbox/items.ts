import { type Approval, askerOf, isOpen } from "../../core/approval.ts";
import { visible } from "../../core/values/text.ts";
import { openArgs } from "../../gate/args.ts";
import { callRow } from "../../library/approvals.ts";
import { approvedBy, cardOf } from "../../library/cards.ts";
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

/** Reads the open questions, the one that ends first on top. A card is made once, not with every look at the list. */
export function itemReader(deps: Opened): (columns: number) => Promise<Listed> {
  let made = new Map<string, { stamp: string; item: Item }>();
  return async (columns) => {
    const nowMs = deps.clock.nowMs();
    const held = await pendingOf(deps);
    const now = new Map<string, { stamp: string; item: Item }>();
    for (const { row, version } of held) {
      if (!isOpen(row, nowMs)) continue;
      const stamp = `${version} ${columns} ${Math.floor(nowMs / CARD_MS)}`;
      const known = made.get(row.id);
      now.set(row.id, known?.stamp === stamp ? known : { stamp, item: await itemOf(deps, row, columns) });
    }
    made = now;
    const items = [...now.values()].map(({ item }) => item).sort((a, b) => a.answerByMs - b.answerByMs);
    return { items, more: held.length < SHOWN_MAX ? 0 : (await countOf(deps)) - SHOWN_MAX };
  };
}

function pendingOf(deps: Opened) {
  return deps.store.read({
    ask: "rows",
    workspace: deps.workspace,
    table: "approvals",
    where: { state: "pending" },
    limit: SHOWN_MAX,
    order: "oldest",
  });
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
  const opened = openArgs(deps, await callRow(deps, row.call));
  if (!opened.ok) return { ...known, ...unseen(opened.why, columns) };
  const card = await cardOf(deps, row);
  const { offers, none } = await offersFor(deps, row.id);
  const notRemembered = none === undefined ? {} : { notRemembered: none };
  return { ...known, title: card.sentence, offers, ...notRemembered, card: cardLines(card, columns) };
}

function unseen(why: string, columns: number): Pick<Item, "title" | "unseen" | "offers" | "card"> {
  const title = `cannot be shown: ${visible(why)}`;
  const hint = "check that the database and its key belong together";
  return { title, unseen: why, offers: [], card: [title, hint].flatMap((line) => wrap(line, columns).split("\n")) };
}
