import { type Refused, refused } from "../../core/codes.ts";
import type { Execution, ExecutionIn } from "../../core/execution.ts";
import { say } from "../../core/messages/message.ts";
import { reconcile as reconcileStep } from "../../core/steps/running.ts";
import type { Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { type Acting, actStep, unsure } from "../people/acting.ts";
import { circleFor } from "../standing/owner.ts";
import { noExecution } from "./claim.ts";

const NOTE_LENGTH_MAX = 2000;

/** The newest executions with an unknown result. */
export async function listUnknown(deps: Deps, limit: number): Promise<readonly ExecutionIn<"unknown">[]> {
  const { store, workspace } = deps;
  const where = { state: "unknown" };
  const found = await store.read({ ask: "rows", workspace, table: "executions", where, limit, order: "newest" });
  return found.flatMap(({ row }) => (row.state === "unknown" ? [row] : []));
}

/** A person found out how a call with an unknown result ended, and reports it. */
export async function reconcile(
  deps: Deps,
  id: string,
  said: Acting & { ok: boolean; note: string },
): Promise<{ ok: true; value: Execution } | Refused> {
  if (said.note === "" || said.note.length > NOTE_LENGTH_MAX) {
    return refused("LEEWAY_BAD_INPUT", say("refusal.note_needed"), say("hint.say_what_you_checked"));
  }
  return actStep(deps, async (nowMs, inForce): Promise<Step<Execution>> => {
    const held = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "executions", id });
    if (held === undefined) return noExecution(id);
    const circle = await circleFor(deps, inForce, held.row);
    const person = circle.people.find((one) => one.name === said.by && one.state === "active" && !one.auditor);
    const may = person?.admin === true || said.by === circle.owner || held.row.approvers.includes(said.by);
    if (person === undefined || !may) {
      return refused(
        "LEEWAY_FORBIDDEN",
        say("refusal.may_not_settle", { person: said.by, id }),
        say("hint.who_may_settle"),
      );
    }
    const no = unsure(inForce, said);
    if (no !== undefined) return no;
    if (isSaidAlready(held.row, said.ok)) return { ok: true, pieces: [], value: held.row };
    const step = reconcileStep(held, said, deps.mint, nowMs);
    return step.ok ? { ok: true, pieces: [step.piece], value: step.execution } : step;
  });
}

/** Reporting the same result again is not an error. */
function isSaidAlready(execution: Execution, ok: boolean): boolean {
  if (execution.state !== "succeeded" && execution.state !== "failed") return false;
  return execution.settledBy === "person" && (execution.state === "succeeded") === ok;
}
