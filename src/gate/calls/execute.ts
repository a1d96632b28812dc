import type { AttemptId, ExecutionId } from "../../core/ids.ts";
import { textOf } from "../../core/messages/text.ts";
import { type Runner, type Running, type RunOutcome, StoreUnavailable } from "../../ports.ts";
import type { Deps } from "../deps.ts";
import { ring } from "../time/timers.ts";
import { claim, lose, release, renew, settle } from "./claim.ts";
import { keepLease, recorded } from "./own-calls.ts";

export type Executed = "succeeded" | "failed" | "unknown" | "released" | "refused" | "elsewhere";

/** Runs one approved call for the gate: claims it, runs it while the lease is renewed, and records the result. */
export async function execute(deps: Deps, id: ExecutionId): Promise<Executed> {
  const held = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "executions", id });
  const runner = held === undefined ? undefined : deps.runners.get(held.row.tool);
  // Another process may have the tool. The row is due again when the lease of this process on it ends.
  if (held === undefined || runner === undefined) return expiredHere(deps, held?.version, id);
  const claimed = await claim(deps, id, "leeway", { handed: false, boxed: runner.boxes === true });
  if (!claimed.ok) return claimed.code === "LEEWAY_EXPIRED" ? expiredHere(deps, held.version, id) : "refused";
  const { execution, call, args } = claimed.value;
  if (execution.state !== "claimed") throw new Error(`a claim left the execution ${execution.state} (this is a bug)`);
  const { attempt, attempts } = execution;
  const running = { call, args, idempotencyKey: id, attempt: attempts };
  const outcome = await underLease(deps, { id, attempt }, (signal) => runOnce(runner, { ...running, signal }));
  return recorded(() => record(deps, id, attempt, outcome), {
    sleep: (ms) => deps.clock.sleep(ms),
    isFinal: (error) => !(error instanceof StoreUnavailable),
  });
}

/** If the execution has expired and nobody ran it, this is recorded. */
async function expiredHere(deps: Deps, version: number | undefined, id: ExecutionId): Promise<Executed> {
  const held = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "executions", id });
  if (version !== undefined && held?.row.state === "ready" && deps.clock.nowMs() >= held.row.runUntilMs) {
    await ring(deps, { table: "executions", row: held.row, version: held.version });
  }
  return "elsewhere";
}

/** If a runner throws, the call may have started. */
async function runOnce(runner: Runner, running: Running): Promise<RunOutcome> {
  try {
    return await runner.run(running);
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error), started: true };
  }
}

/** If the lease is lost, the run is aborted, because the result may already count as unknown. */
async function underLease(
  deps: Deps,
  { id, attempt }: { id: ExecutionId; attempt: AttemptId },
  act: (signal: AbortSignal) => Promise<RunOutcome>,
): Promise<RunOutcome> {
  const lease = keepLease({
    renew: async () => {
      const renewed = await renew(deps, id, attempt);
      return renewed.ok ? undefined : { lost: new Error(textOf(renewed.reason, "en")) };
    },
    nowMs: () => deps.clock.nowMs(),
  });
  try {
    return await act(lease.signal);
  } finally {
    lease.stop();
  }
}

async function record(deps: Deps, id: ExecutionId, attempt: AttemptId, outcome: RunOutcome): Promise<Executed> {
  if (!outcome.ok && outcome.started !== true) {
    const { error: why, started } = outcome;
    const ended = await (started === false ? release : lose)(deps, id, { attempt, why });
    if (!ended.ok) return "refused";
    return ended.value.state === "unknown" ? "unknown" : "released";
  }
  const settled = await settle(deps, id, { attempt, by: "runner", ending: outcome });
  if (!settled.ok) return "refused";
  return outcome.ok ? "succeeded" : "failed";
}
