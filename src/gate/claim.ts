import { canonical } from "../core/canonical.ts";
import { type Refused, refused } from "../core/codes.ts";
import type { Execution } from "../core/execution.ts";
import type { AttemptId } from "../core/ids.ts";
import type { Json } from "../core/json.ts";
import { claim as claimStep, type Ending, renew as renewStep, settle as settleStep } from "../core/running.ts";
import { commitStep } from "./commit.ts";
import type { Deps } from "./deps.ts";

export type Claimed = { ok: true; value: Execution } | Refused;

/** Takes the right to carry a call out, once. */
export async function claim(deps: Deps, id: string, side: "caller" | "leeway"): Promise<Claimed> {
  return commitStep(deps, async (nowMs) => {
    const held = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "executions", id });
    if (held === undefined) return noExecution(id);
    const by = {
      owner: deps.owner,
      side,
      actor: side === "caller" ? (`agent:${held.row.agent}` as const) : ("leeway" as const),
      handed: false,
      limits: [],
    };
    const step = claimStep(held, by, deps.mint, nowMs);
    return step.ok ? { ok: true, pieces: [step.piece], value: step.execution } : step;
  });
}

export async function renew(deps: Deps, id: string, attempt: AttemptId): Promise<Claimed> {
  return commitStep(deps, async (nowMs) => {
    const held = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "executions", id });
    if (held === undefined) return noExecution(id);
    const step = renewStep(held, attempt, nowMs);
    return step.ok ? { ok: true, pieces: [step.piece], value: step.execution } : step;
  });
}

/** Records how it ended. The effect is outside any transaction; only its outcome is in one. */
export async function settle(
  deps: Deps,
  id: string,
  given: {
    attempt: AttemptId;
    by: "caller" | "runner";
    ending: { ok: true; result: Json } | { ok: false; error: string };
  },
): Promise<Claimed> {
  return commitStep(deps, async (nowMs) => {
    const held = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "executions", id });
    if (held === undefined) return noExecution(id);
    const ending: Ending = given.ending.ok
      ? { ok: true, result: deps.sealer.seal(canonical(given.ending.result), held.row.id) }
      : given.ending;
    const step = settleStep(held, { attempt: given.attempt, ending, by: given.by }, deps.mint, nowMs);
    return step.ok ? { ok: true, pieces: [step.piece], value: step.execution } : step;
  });
}

function noExecution(id: string): Refused {
  return refused("LEEWAY_NOT_FOUND", `there is no execution ${id}`, "it may belong to another workspace");
}
