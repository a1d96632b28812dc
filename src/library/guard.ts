import type { ToolCall } from "../core/call.ts";
import type { EffectClass } from "../core/effect.ts";
import type { AttemptId, ExecutionId } from "../core/ids.ts";
import { say } from "../core/messages/message.ts";
import type { Receipt } from "../core/receipt.ts";
import { canonical } from "../core/values/canonical.ts";
import { isObject, type Json, type JsonObject, toJson } from "../core/values/json.ts";
import { keepLease, recorded } from "../gate/calls/own-calls.ts";
import type { RunOutcome } from "../ports.ts";
import type { ClaimedCall, HeldCall } from "../service/claimed.ts";
import type { PlanReceipt } from "../service/plans.ts";
import { available, badInput, isFinal, LeewayRefusal, refusalOf } from "../service/refusal.ts";
import { type Scopes, within } from "../service/scope.ts";
import {
  anyFunction,
  ensureKeys,
  kindOf,
  listOf,
  maybe,
  NAME_LENGTH_MAX,
  object,
  parse,
  type Shape,
  shapeOf,
  textOf,
  whole,
} from "../service/shape.ts";
import { CALL, IDENTITY, type ReadCall } from "../service/shapes/call.ts";
import { PLAN, type ReadPlan } from "../service/shapes/plan.ts";
import {
  type CallDetails,
  type Carrying,
  type Gate,
  GUARD_OPTIONS,
  type Guarded,
  type GuardOptions,
  type RunOptions,
  type ToolFunction,
  type WaitOptions,
} from "./gate.ts";
import { type NotExecuted, notExecuted } from "./not-executed.ts";

// The functions of a gate that are the same for a gate in this program and for a gate on a server: they send a call,
// run the tool, and report the result.

export type ToolEnding = { ok: true; result: Json } | { ok: false; error: string; result?: Json };

/** What is needed to hold and settle a call's execution. Refusals and storage errors are thrown. */
export type Holding = {
  claim(executionId: string): Promise<ClaimedCall>;
  renew(executionId: string, attempt: AttemptId): Promise<void>;
  settle(executionId: string, attempt: AttemptId, ending: ToolEnding): Promise<void>;
  nowMs(): number;
  sleep(ms: number): Promise<void>;
};

/** What is needed to send a call and to wait for its approval. */
export type Calls = Holding & {
  submit(said: ReadCall): Promise<{ call: ToolCall; receipt: Receipt }>;
  submitPlan(said: ReadPlan): Promise<PlanReceipt>;
  /** `givesUpMs`: when the caller stops waiting for good, for people to see. */
  wait(approvalId: string, how: { timeoutMs: number; givesUpMs?: number; signal?: AbortSignal }): Promise<Receipt>;
  /** The class of the call's effect, for the text of a refusal. */
  classOf(approvalId: string, call: ToolCall): Promise<EffectClass | undefined>;
};

/** What a gate knows about a guarded tool, so that it can run a call that is approved later. */
export type GuardedTool = Pick<GuardOptions, "class" | "idempotent"> & {
  name: string;
  run(args: JsonObject, carrying: Carrying): Promise<RunOutcome>;
};

/** A gate as the functions of this file use it: in this program, or on a server. */
export type Entrance = Calls & {
  register(tool: GuardedTool): void;
  scopes: Scopes;
  /** The default name of the agent. */
  agent: string;
  /** Throws if the current scope does not allow this call. */
  callOf(said: ReadCall): ToolCall;
};

export function guardVerbs(entrance: Entrance): Pick<Gate, "guard" | "run" | "as" | "current"> {
  const { scopes, agent } = entrance;
  return {
    guard: <Args extends object, T>(name: string, fn: ToolFunction<Args, T>, options?: GuardOptions) =>
      // With `notExecuted: "throw"` a NotExecuted is never returned. The overload in `Gate` says so; this signature cannot.
      guard(entrance, name, fn, options) as Guarded<Args, T>,
    run: (input, fn, how = {}) =>
      available(async () => {
        const said = parse(CALL, input);
        const options = parse(RUNNING, how);
        parse(anyFunction, fn, "fn");
        return runCall(entrance, said, fn, options);
      }),
    as: (identity, fn) => {
      parse(anyFunction, fn, "fn");
      return scopes.within(within(scopes.current(), parse(IDENTITY, identity)), fn);
    },
    current: () => {
      const { layers: _, ...current } = scopes.current();
      return { agent, ...current };
    },
  };
}

export function submitVerbs(entrance: Entrance): Pick<Gate, "submit" | "submitAll" | "submitPlan" | "wait"> {
  return {
    submit: async (input) => (await entrance.submit(parse(CALL, input))).receipt,
    submitAll: async (inputs, how = {}) => {
      const { callId } = parse(object({ callId: maybe(batchName) }), how);
      // All calls are checked before the first one is sent, so that a malformed one does not leave half a batch behind.
      const said = parse(listOf(CALL), inputs, "inputs");
      for (const one of said) entrance.callOf(one);
      const named = said.map((one, n) => ({ ...one, ...callIdOf(one, n, callId) }));
      const receipts: Receipt[] = [];
      for (const one of named) receipts.push((await entrance.submit(one)).receipt);
      return receipts;
    },
    submitPlan: async (input) => entrance.submitPlan(parse(PLAN, input)),
    wait: async (approvalId, how = {}) =>
      entrance.wait(textOf(approvalId, "approvalId"), { timeoutMs: 60_000, ...parse(WAITING, how) }),
  };
}

function callIdOf(said: ReadCall, n: number, callId: string | undefined): { callId?: string } {
  return said.callId === undefined && callId !== undefined ? { callId: `${callId}-${n}` } : {};
}

/** Short enough that the number of each call still fits behind it. */
const batchName: Shape<string> = shapeOf({ type: "string" }, (value, path) =>
  textOf(value, path, NAME_LENGTH_MAX - 16),
);

const signal: Shape<AbortSignal> = shapeOf({}, (value, path) => {
  if (value instanceof AbortSignal) return value;
  throw badInput(path, say("refusal.no_signal", { kind: kindOf(value) }), say("hint.abort_signal"));
});
const WAITING: Shape<WaitOptions> = object({ timeoutMs: maybe(whole(0)), signal: maybe(signal) });
const { waitMs: waitingTime, onReply: replyListener } = GUARD_OPTIONS.keys;
const RUNNING: Shape<RunOptions> = object({ waitMs: waitingTime, onReply: replyListener, signal: maybe(signal) });

const DETAILS: readonly (keyof CallDetails)[] = ["callId", "says", "cwd", "claims", "replayOf"];
const WAIT_MS = 600_000;

/** Every call of the returned function goes through the gate, and runs at most once for each permission. */
function guard<Args extends object, T>(
  gate: Entrance,
  name: string,
  fn: ToolFunction<Args, T>,
  given: GuardOptions = {},
): Guarded<Args, T | NotExecuted> {
  // Checked when the guard is made, because a guard with wrong options would guard nothing.
  const { class: effectClass, idempotent, ...options } = parse(GUARD_OPTIONS, given);
  textOf(name, "name");
  parse(anyFunction, fn, "fn");
  gate.register({
    name,
    ...(effectClass === undefined ? {} : { class: effectClass }),
    ...(idempotent === undefined ? {} : { idempotent }),
    run: (args, carrying) => runAlone(fn, plain(args), carrying),
  });
  const { definition, notExecuted, ...how } = options;
  return (args, details = {}) =>
    available(async () => {
      const defined = definition === undefined ? {} : { definition };
      ensureKeys(details, DETAILS);
      return runCall(gate, parse(CALL, { ...details, ...defined, tool: name, args }), fn, { ...how, notExecuted });
    });
}

type RunCallOptions = RunOptions & { notExecuted?: GuardOptions["notExecuted"] | undefined };

/** One call from its decision to its result. */
async function runCall<Args, T>(
  gate: Calls,
  said: ReadCall,
  fn: ToolFunction<Args, T>,
  how: RunCallOptions,
): Promise<T | NotExecuted> {
  const { receipt, call } = await gate.submit(said);
  const final = receipt.outcome === "pending" ? await answered(gate, receipt, how) : receipt;
  if (final.outcome === "run" && final.executionId !== undefined && final.error === undefined) {
    return run(gate, final, final.executionId, call.args, fn);
  }
  if (final.outcome === "not_executed" && how.notExecuted !== "throw") return notExecuted(final);
  throw refusalOf(final, { agent: call.agent, tool: call.tool, ...(await classOf(gate, final, call)) });
}

/**
 * Waits for the reviewers. If the caller gives up, the question stays open, and it can come back after the approval.
 */
async function answered(
  gate: Calls,
  receipt: Receipt,
  { waitMs = WAIT_MS, onReply = () => undefined, signal }: RunOptions,
): Promise<Receipt> {
  // The arguments were changed by a reviewer: the changed call must be claimed and run.
  if (receipt.code === "LEEWAY_EDITED") return { ...receipt, outcome: "run" };
  if (receipt.approvalId === undefined) return receipt;
  const untilMs = gate.nowMs() + waitMs;
  let heard = 0;
  for (let now = receipt; ; ) {
    for (const reply of now.replies?.slice(heard) ?? []) await onReply(reply);
    heard = now.replies?.length ?? 0;
    const isOver = now.outcome !== "pending" || (now !== receipt && now.newReplies === undefined);
    if (isOver) return now;
    const timeoutMs = Math.max(0, untilMs - gate.nowMs());
    now = await gate.wait(receipt.approvalId, {
      timeoutMs,
      givesUpMs: untilMs,
      ...(signal === undefined ? {} : { signal }),
    });
  }
}

async function classOf(gate: Calls, { approvalId }: Receipt, call: ToolCall): Promise<{ class?: EffectClass }> {
  const effectClass = approvalId === undefined ? undefined : await gate.classOf(approvalId, call);
  return effectClass === undefined ? {} : { class: effectClass };
}

async function run<Args, T>(
  gate: Holding,
  { attempt, result, edited }: Receipt,
  executionId: ExecutionId,
  args: JsonObject,
  fn: ToolFunction<Args, T>,
): Promise<T> {
  if (attempt !== undefined) return carryOut(gate, { executionId, attempt, args: plain(args) }, fn);
  if (result === undefined) {
    const held = await gate.claim(executionId);
    const askedFor = edited === undefined ? {} : { askedFor: plain(args) };
    return carryOut(gate, { ...held, args: plain(held.args), ...askedFor }, fn);
  }
  const note = isObject(result) ? result[NOTE] : undefined;
  if (typeof note !== "string") return (result ?? undefined) as T;
  throw new LeewayRefusal(
    {
      code: "LEEWAY_ALREADY_RESOLVED",
      reason: say("refusal.ran_before", { why: note }),
      hint: say("hint.do_not_run_again"),
    },
    { executionId },
  );
}

/** The tool gets exactly the arguments of the digest, as ordinary objects that it may change. */
function plain(args: JsonObject): JsonObject {
  return JSON.parse(canonical(args));
}

/** A claimed call, with the original arguments if a reviewer changed them. */
type Carried = HeldCall & Pick<Carrying, "askedFor">;

/**
 * Runs the tool under the claim and records the result before the caller gets it. An error of the tool is thrown
 * unchanged.
 */
export async function carryOut<Args, T>(
  gate: Holding,
  held: Carried,
  fn: ToolFunction<Args, T>,
  /** What is recorded of a tool that failed, besides its error. */
  failed: (error: unknown) => { result?: Json } = () => ({}),
): Promise<T> {
  const lease = keepLease({ renew: () => renewed(gate, held), nowMs: gate.nowMs });
  let result: T;
  try {
    const edited = held.askedFor === undefined ? {} : { askedFor: held.askedFor };
    result = await fn(held.args as Args, { signal: lease.signal, idempotencyKey: held.executionId, ...edited });
  } catch (error) {
    await record(gate, held, { ok: false, error: errorText(error), ...failed(error) }, error);
    throw error;
  } finally {
    lease.stop();
  }
  await record(gate, held, { ok: true, result: keepable(result) });
  return result;
}

/** The same for the gate itself, when a call is approved after its caller has stopped waiting. */
async function runAlone<Args, T>(fn: ToolFunction<Args, T>, args: JsonObject, carrying: Carrying): Promise<RunOutcome> {
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
  try {
    await recorded(() => gate.settle(executionId, attempt, ending), { sleep: gate.sleep, isFinal });
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
  return json.ok ? json.value : { [NOTE]: `the result was not stored: at ${json.where}, ${json.why}` };
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
