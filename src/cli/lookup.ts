import type { QuestionView } from "../service/views/rows.ts";
import { Failure, usage } from "./failure.ts";
import type { CommandGate } from "./gate/command-gate.ts";
import { type CommandInput, first } from "./spec.ts";

const ID = /^[a-z]{3,5}_[0-9a-f]*$/;

/** An id, or the start of one. There is no "latest": a person must name what they answer. */
export function idGiven(given: CommandInput): string {
  const id = first(given);
  if (ID.test(id)) return id;
  throw usage(`\`${id}\` is not an id`, "ids look like apr_019a8b3c4d5e; `leeway log` and `leeway inbox` show them");
}

/** The question of this id, whichever of its rows the id names. */
export async function questionMeant(gate: CommandGate, id: string): Promise<QuestionView> {
  const found = await gate.row(id);
  if (found.table === "approvals") return found;
  const approvalId =
    found.table === "calls" ? found.row.approvalId : found.table === "executions" ? found.row.approval : undefined;
  const asked = approvalId === undefined ? undefined : await gate.row(approvalId);
  if (asked?.table === "approvals") return asked;
  throw new Failure(1, `there was no question about ${id}`, `run \`leeway why ${id}\` to see what happened instead`);
}
