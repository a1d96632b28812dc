import { say } from "../core/messages/message.ts";
import { isObject, type Json, type JsonObject, toJson } from "../core/values/json.ts";
import { keepLease, recorded } from "../gate/calls/lease.ts";
import type { RunOutcome } from "../ports.ts";
import type { HeldCall } from "../service/claimed.ts";
import { isFinal, LeewayRefusal } from "../service/refusal.ts";
import type { Holding, ToolEnding } from "./calls.ts";

/** What a tool is told besides its arguments. */
export type Carrying = {
  /** Aborted if the claim is lost while the tool runs. */
  signal: AbortSignal;
  /** The same for every attempt of one call, for services that ignore repeated requests. */
  idempotencyKey: string;
  /** The original arguments, if a reviewer changed them; tell the agent with the result. */
  askedFor?: JsonObject;
};
export type ToolFunction<Args, T> = (args: Args, carrying: Carrying) => T | Promise<T>;

/** The same, with the original arguments if they are different. */
type Carried = HeldCall & Pick<Carrying, "askedFor">;

/**
 * Runs the tool under the claim and records the result before the caller gets it. An error of the tool is thrown
 * unchanged.
 */
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

/** The same for the gate itself, when a call is approved after its caller has stopped waiting. */
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

/** A result that could not be recorded must never look like "nothing ran". */
async function record(gate: Holding, held: HeldCall, ending: ToolEnding, cause?: unknown): Promise<void> {
  const { executionId, attempt } = held;
  const how = { sleep: (ms: number) => gate.sleep(ms), isFinal };
  try {
    await recorded(() => gate.settle(executionId, attempt, ending), how);
  } catch (error) {
    if (isFinal(error)) throw new LeewayRefusal({ code: error.code, ...error.said }, { executionId, cause });
    throw new LeewayRefusal(
      {
        code: "LEEWAY_OUTCOME_UNKNOWN",
        reason: ending.ok
          ? say("refusal.outcome_unrecorded_ran", { error: errorText(error) })
          : say("refusal.outcome_unrecorded_failed", { error: errorText(error) }),
        hint: say("hint.check_before_again"),
      },
      { executionId, cause: cause ?? error },
    );
  }
}

const NOTE = "leewayNote";

/** A result that is not JSON cannot be stored; a note is stored instead. The caller still gets the result. */
function keepable(result: unknown): Json {
  if (result === undefined) return null;
  const json = toJson(result);
  return json.ok ? json.value : { [NOTE]: `the result was not kept: at ${json.where}, ${json.why}` };
}

/** What is known about a result that was returned before, or could not be stored. */
export function keptResult(result: Json | undefined): { kept: true; result: unknown } | { kept: false; why: string } {
  const note = isObject(result) ? result[NOTE] : undefined;
  return typeof note === "string" ? { kept: false, why: note } : { kept: true, result: result ?? undefined };
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
