import { type Approval, isOpen } from "../../core/approval.ts";
import { cardLines, cardOf } from "../card.ts";
import type { Opened } from "../gate.ts";
import { visible } from "../visible.ts";
import type { Item } from "./model.ts";

const SHOWN_MAX = 200;

/** The open questions, the one that ends first on top. */
export async function itemsOf(deps: Opened, columns: number): Promise<readonly Item[]> {
  const held = await deps.store.read({
    ask: "rows",
    workspace: deps.workspace,
    table: "approvals",
    where: { state: "pending" },
    limit: SHOWN_MAX,
    order: "oldest",
  });
  const open = held.map(({ row }) => row).filter((row) => isOpen(row, deps.clock.nowMs()));
  const items = await Promise.all(open.map((row) => itemOf(deps, row, columns)));
  return items.sort((a, b) => a.answerByMs - b.answerByMs);
}

async function itemOf(deps: Opened, row: Approval, columns: number): Promise<Item> {
  const card = await cardOf(deps, row);
  return {
    id: row.id,
    digest: row.digest,
    agent: visible(row.agent),
    title: card.title,
    class: row.class,
    needsHuman: row.needsHuman,
    answerByMs: row.answerByMs,
    have: new Set(row.reviews.filter((given) => given.verdict === "approve").map((given) => given.by)).size,
    quorum: row.quorum,
    card: cardLines(card, columns),
  };
}
