import type { ToolCall } from "../core/call.ts";
import { EFFECT_CLASSES, type EffectClass } from "../core/effect.ts";
import type { ExecutionId } from "../core/ids.ts";
import { say } from "../core/messages/message.ts";
import type { Receipt } from "../core/receipt.ts";
import { canonical } from "../core/values/canonical.ts";
import type { JsonObject } from "../core/values/json.ts";
import type { RunOutcome } from "../ports.ts";
import { available } from "../service/available.ts";
import { LeewayRefusal, refusalOf } from "../service/refusal.ts";
import {
  callable,
  ensureKeys,
  flag,
  maybe,
  object,
  oneOf,
  parse,
  type TypeOf,
  textOf,
  whole,
} from "../service/shape.ts";
import { CALL, type CallInput, definition } from "../service/shapes/call.ts";
import type { Calls } from "./calls.ts";
import { type Carrying, carryOut, keptResult, runAlone, type ToolFunction } from "./carry.ts";
import { type NotExecuted, notExecuted } from "./not-executed.ts";

const OPTIONS = object({
  /** What the tool does, where the class table does not know it. It explains a tool, and makes none milder. */
  class: maybe(oneOf(EFFECT_CLASSES)),
  /** True promises that carrying the same call out twice does no more than once. */
  idempotent: maybe(flag),
  /** The tool's definition as its server gives it, or its hash: sent with every call. */
  definition: maybe(definition),
  /** How long a call that asks waits for the reviewers; 600,000 when left out. */
  waitMs: maybe(whole(0)),
  /** What a call that is only proposed gives back: a `NotExecuted` value, or a thrown `LeewayRefusal`. */
  notExecuted: maybe(oneOf(["return", "throw"])),
});
export type GuardOptions = Omit<TypeOf<typeof OPTIONS>, "definition"> & {
  /** The tool's definition as its server gives it, or its hash: sent with every call. */
  definition?: CallInput["definition"];
};

/** What may differ from call to call of one guarded tool. */
export type CallDetails = Pick<CallInput, "callId" | "says" | "cwd" | "claims" | "replayOf">;
export type Guarded<Args, T> = (args: Args, details?: CallDetails) => Promise<T>;

const DETAILS: readonly (keyof CallDetails)[] = ["callId", "says", "cwd", "claims", "replayOf"];

const WAIT_MS = 600_000;

/** What a gate is told of a tool that is guarded: enough to run it later, should somebody approve a call of it then. */
export type GuardedTool = Pick<GuardOptions, "class" | "idempotent"> & {
  name: string;
  run(args: JsonObject, carrying: Carrying): Promise<RunOutcome>;
};
export type Guarding = Calls & { register(tool: GuardedTool): void };

/** Every call of the returned function goes through the gate, and runs at most once for each permission. */
export function guard<Args extends object, T>(
  gate: Guarding,
  name: string,
  fn: ToolFunction<Args, T>,
  given: GuardOptions = {},
): Guarded<Args, T | NotExecuted> {
  // Checked before anything is submitted: a guard that was set up wrongly guards nothing.
  const { class: effectClass, idempotent, ...options } = parse(OPTIONS, given);
  textOf(name, "name");
  parse(callable(), fn, "fn");
  gate.register({
    name,
    ...(effectClass === undefined ? {} : { class: effectClass }),
    ...(idempotent === undefined ? {} : { idempotent }),
    run: (args, carrying) => runAlone(fn, plain(args), carrying),
  });
  const waitMs = options.waitMs ?? WAIT_MS;
  return (args, details = {}) =>
    available(async () => {
      const defined = options.definition === undefined ? {} : { definition: options.definition };
      ensureKeys(details, DETAILS);
      const said = parse(CALL, { ...details, ...defined, tool: name, args });
      const { receipt, call } = await gate.submit(said);
      return ending(gate, await answered(gate, receipt, waitMs), call, fn, options);
    });
}

/**
 * Waits for the reviewers. If the caller gives up, the question stays open, and it can come back after the approval.
 */
async function answered(gate: Calls, receipt: Receipt, waitMs: number): Promise<Receipt> {
  if (receipt.outcome !== "pending") return receipt;
  // Approved with other arguments than the ones just sent: those must be claimed and run.
  if (receipt.code === "LEEWAY_EDITED") return { ...receipt, outcome: "run" };
  if (receipt.approvalId === undefined) return receipt;
  return gate.wait(receipt.approvalId, { timeoutMs: waitMs });
}

async function ending<Args, T>(
  gate: Calls,
  receipt: Receipt,
  call: ToolCall,
  fn: ToolFunction<Args, T>,
  options: GuardOptions,
): Promise<T | NotExecuted> {
  if (receipt.outcome === "run" && receipt.executionId !== undefined && receipt.error === undefined) {
    return ran(gate, receipt, receipt.executionId, call.args, fn);
  }
  if (receipt.outcome === "not_executed" && options.notExecuted !== "throw") return notExecuted(receipt);
  throw refusalOf(receipt, { agent: call.agent, tool: call.tool, ...(await classOf(gate, receipt, call)) });
}

async function classOf(gate: Calls, { approvalId }: Receipt, call: ToolCall): Promise<{ class?: EffectClass }> {
  const effectClass = approvalId === undefined ? undefined : await gate.classOf(approvalId, call);
  return effectClass === undefined ? {} : { class: effectClass };
}

async function ran<Args, T>(
  gate: Calls,
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
  const kept = keptResult(result);
  if (kept.kept) return kept.result as T;
  throw new LeewayRefusal(
    {
      code: "LEEWAY_ALREADY_RESOLVED",
      reason: say("refusal.ran_before", { why: kept.why }),
      hint: say("hint.do_not_run_again"),
    },
    { executionId },
  );
}

/** The tool gets exactly the arguments of the digest, as ordinary objects that it may change. */
function plain(args: JsonObject): JsonObject {
  return JSON.parse(canonical(args));
}
