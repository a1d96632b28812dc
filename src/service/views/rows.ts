import { stateAt } from "../../core/approval.ts";
import { executionText } from "../../core/execution.ts";
import { type InEnglish, inEnglish } from "../../core/messages/text.ts";
import type { CallRow } from "../../core/rows/rows.ts";
import type { Card } from "../../core/show/card.ts";
import type { Deps } from "../../gate/deps.ts";
import { type FoundRow, find } from "../../gate/find-row.ts";
import { effectIn } from "../../gate/record/guesses.ts";
import type { Suggested } from "../../gate/standing/grants.ts";
import { callRow } from "../approvals.ts";
import { orThrow } from "../refusal.ts";
import { type Boxed, boxedOf } from "./boxed.ts";
import { cardOf } from "./cards.ts";
import { offeredFor } from "./inbox.ts";
import { type CameOfIt, cameOf } from "./outcome.ts";
import { type CallExplanation, doesOf } from "./why.ts";

/** A row with what people need to see with it: the card of a question, what a call would do, the result. */
export type RowView = QuestionView | CallView | ExecutionView | Exclude<ToldRow, { table: Explained }>;
export type QuestionView = Extract<FoundRow, { table: "approvals" }> & {
  card: Card;
  /** The grants that an approval could include, while the question is open. */
  remember: readonly Suggested[];
  notRemembered?: string;
} & Came;
type CallView = Extract<FoundRow, { table: "calls" }> & { does: CallExplanation["does"] } & Came & Boxed;
type ExecutionView = Extract<FoundRow, { table: "executions" }> & Came;
type Explained = "approvals" | "calls" | "executions";
type Came = { came?: CameOfIt };
type ToldRow = Exclude<FoundRow, { table: Told }> | InEnglish<Extract<FoundRow, { table: Told }>>;
type Told = "notices" | "pauses";

/** Whether the reader may see what a call printed or returned. */
type MaySeeOutput = (call: CallRow) => Promise<boolean>;

/** The row with this id, or the only row whose id starts with this text. */
export async function rowView(deps: Deps, id: string, maySeeOutput: MaySeeOutput): Promise<RowView> {
  const found = rowInEnglish(orThrow(await find(deps, id)));
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
    case "calls": {
      const { row } = found;
      const told = { ...row, effect: inEnglish(effectIn(deps, row)), decision: inEnglish(row.decision) };
      return {
        ...found,
        row: told,
        does: await doesOf(deps, row),
        ...(await came(row)),
        ...(await boxedOf(deps, row)),
      };
    }
    case "executions":
      return { ...found, ...(await came(await callRow(deps, found.row.call))) };
    default:
      return found;
  }
}

/** The texts of a row in English, for programs. Calls are converted where they are shown, because cards need their messages. */
function rowInEnglish(found: FoundRow): ToldRow {
  switch (found.table) {
    case "executions":
      return { ...found, row: executionText(found.row) };
    case "notices":
    case "pauses":
      return inEnglish(found);
    default:
      return found;
  }
}
