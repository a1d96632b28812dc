import { stateAt } from "../core/approval.ts";
import type { CallRow } from "../core/rows.ts";
import type { Card } from "../core/show/card.ts";
import type { Deps } from "../gate/deps.ts";
import { type FoundRow, find } from "../gate/find-row.ts";
import type { Suggested } from "../gate/standing/grants.ts";
import { callRow } from "./approvals.ts";
import { cardOf } from "./cards.ts";
import { offeredFor } from "./inbox.ts";
import { type CameOfIt, cameOf } from "./outcome.ts";
import { orThrow } from "./refusal.ts";
import { doesOf, type Why } from "./why.ts";

/** A row with what people have to see beside it: the card of a question, what a call would do, what came of either. */
export type RowView = QuestionView | CallView | ExecutionView | Exclude<FoundRow, { table: Explained }>;
export type QuestionView = Extract<FoundRow, { table: "approvals" }> & {
  card: Card;
  /** What could be remembered with a yes, while the question is open. */
  remember: readonly Suggested[];
  notRemembered?: string;
} & Came;
type CallView = Extract<FoundRow, { table: "calls" }> & { does: Why["does"] } & Came;
type ExecutionView = Extract<FoundRow, { table: "executions" }> & Came;
type Explained = "approvals" | "calls" | "executions";
type Came = { came?: CameOfIt };

/** Whether the one who looks may see what a call printed or returned. */
type MaySeeOutput = (call: CallRow) => Promise<boolean>;

/** Whatever has this id, or alone starts so. */
export async function rowView(deps: Deps, id: string, maySeeOutput: MaySeeOutput): Promise<RowView> {
  const found = orThrow(await find(deps, id));
  const came = async (call: CallRow): Promise<Came> => {
    const outcome = await cameOf(deps, call, { withOutput: await maySeeOutput(call) });
    return outcome === undefined ? {} : { came: outcome };
  };
  switch (found.table) {
    case "approvals": {
      const { row } = found;
      const isPending = stateAt(row, deps.clock.nowMs()) === "pending";
      const offered = isPending ? await offeredFor(deps, row.id) : { remember: [] };
      return { ...found, card: await cardOf(deps, row), ...offered, ...(await came(await callRow(deps, row.call))) };
    }
    case "calls":
      return { ...found, does: doesOf(deps, found.row), ...(await came(found.row)) };
    case "executions":
      return { ...found, ...(await came(await callRow(deps, found.row.call))) };
    default:
      return found;
  }
}
