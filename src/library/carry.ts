import { isObject, type Json, type JsonObject, toJson } from "../core/values/json.ts";
import { keepLease, recorded } from "../gate/calls/lease.ts";
import type { RunOutcome } from "../ports.ts";
import type { HeldCall } from "../service/claimed.ts";
import { isFinal, LeewayRefusal } from "../service/refusal.ts";
import type { Holding, ToolEnding } from "./calls.ts";

/** What a tool is told besides its arguments. */
export type Carrying = {
  /** Aborts when the claim was lost while the tool was acting. */
  signal: AbortSignal;
  /** The same for every attempt of one call, for services that drop repeats. */
  idempotencyKey: string;
  /** What the agent had asked for, where a reviewer changed it: tell the agent with the result. */
  askedFor?: JsonObject;
};
export type ToolFunction<Args, T> = (args: Args, carrying: Carrying) => T | Promise<T>;

/** The same, with what the agent had asked for where that is something else. */
type Carried = HeldCall & Pick<Carrying, "askedFor">;

/** Acts under the claim and records how it ended, before anybody hears of it. The tool's own error stays its own. */
export async function carryOut<Args, T>(gate: Holding, held: Carried, fn: ToolFunction<Args, T>): Promise<T> {
  const lease = keepLease({ renew: () => renewed(gate, held), nowMs: () => gate.nowMs() });
  let result: T;
  try {
    const edited = held.askedFor === undefined ? {} : { askedFor: held.askedFor };
    result = await fn(held.args as Args, { signal: lease.signal, idempotencyKey: held.executionId, ...edited });
  } catch (error) {
    await record(gate, held, { ok: false, error: errorText(error) }, error);
    throw error;
  } finally {
    lease.stop();
  }
  await record(gate, held, { ok: true, result: keepable(result) });
  return result;
}

/** The same, for the gate's own use when a call is approved after its caller has gone on. */
export async function runAlone<Args, T>(
  fn: ToolFunction<Args, T>,
  args: JsonObject,
  carrying: Carrying,
): Promise<RunOutcome> {
  try {
    return { ok: true, result: keepable(await fn(args as Args, carrying)) };
  } catch (error) {
    return { ok: false, error: errorText(error), started: true };
  }
}

async function renewed(gate: Holding, { executionId, attempt }: HeldCall): Promise<{ lost: unknown } | undefined> {
  try {
    await gate.renew(executionId, attempt);
    return undefined;
  } catch (error) {
    if (isFinal(error)) return { lost: error };
    throw error;
  }
}

/** That it is not on record yet must never look like "nothing ran". */
async function record(gate: Holding, held: HeldCall, ending: ToolEnding, cause?: unknown): Promise<void> {
  const { executionId, attempt } = held;
  const how = { sleep: (ms: number) => gate.sleep(ms), isFinal };
  try {
    await recorded(() => gate.settle(executionId, attempt, ending), how);
  } catch (error) {
    if (isFinal(error)) throw new LeewayRefusal(error, { executionId, cause });
    throw new LeewayRefusal(
      {
        code: "LEEWAY_OUTCOME_UNKNOWN",
        reason: `the call ${ending.ok ? "ran" : "failed"}, but that could not be recorded: ${errorText(error)}`,
        hint: "check what happened before doing it again",
      },
      { executionId, cause: cause ?? error },
    );
  }
}

const NOTE = "leewayNote";

/** A result that is not JSON cannot be kept; what is kept says so. The caller still gets the result itself. */
function keepable(result: unknown): Json {
  if (result === undefined) return null;
  const json = toJson(result);
  return json.ok ? json.value : { [NOTE]: `the result was not kept: at ${json.where}, ${json.why}` };
}

/** What is known of a result that was handed over before, or could not be kept. */
export function keptResult(result: Json | undefined): { kept: true; result: unknown } | { kept: false; why: string } {
  const note = isObject(result) ? result[NOTE] : undefined;
  return typeof note === "string" ? { kept: false, why: note } : { kept: true, result: result ?? undefined };
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
