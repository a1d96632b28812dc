import { ARGS_BYTES_MAX, type ToolCall } from "../core/call.ts";
import { descriptionOf } from "../core/classify/definition.ts";
import type { AttemptId, ExecutionId } from "../core/ids.ts";
import { type Message, say } from "../core/messages/message.ts";
import { textOf } from "../core/messages/text.ts";
import type { Receipt } from "../core/receipt.ts";
import { isObject, type Json, type JsonObject, toJson } from "../core/values/json.ts";
import { layersBeside } from "../gate/boxes/besides.ts";
import { claim, lose, release, renew, settle } from "../gate/calls/claim.ts";
import { keepLease, recorded } from "../gate/calls/own-calls.ts";
import { submit } from "../gate/calls/submit.ts";
import { wait } from "../gate/calls/wait.ts";
import type { Deps } from "../gate/deps.ts";
import { StoreUnavailable } from "../ports.ts";
import { refusalOf } from "../service/refusal.ts";
import { errorText } from "./error-text.ts";
import type { RpcAnswer } from "./rpc.ts";
import type { Answered } from "./upstream.ts";

// One call of the client: decided, held while people are asked, run by its upstream, and settled with what came back.

/** Who calls, and from where. */
export type Caller = { agent: string; session: string; cwd: string };

/** What the client is answered: the upstream's own line, or words of the gateway. */
export type CallEnding = { is: "line"; line: string } | { is: "result"; result: JsonObject };

/** How a call is carried out, and how long its client waits. */
export type Carrying = {
  /** The name of the upstream. */
  server: string;
  /** Sends it to the upstream; with other arguments if a reviewer changed them. */
  forward(edited: JsonObject | undefined): Promise<Answered>;
  /** The tool is still the one that was decided about. */
  isSame(): Promise<boolean>;
  holdMs: number;
  /** Aborted if the client gave up. */
  signal: AbortSignal;
  /** The client may still use the gateway. */
  isProven(): Promise<boolean>;
  /** What the client gets at once in place of waiting, if it can come back; and what it gets if waiting was in vain. */
  insteadOfWaiting?(receipt: Receipt): JsonObject | undefined;
  afterWaiting?(receipt: Receipt): JsonObject | undefined;
  /** The call belongs to this question. */
  asked(approvalId: string): void;
  /** Called once, when people have been asked. */
  held(approvalId: string): () => void;
};

export type WantedCall = {
  tool: string;
  args: JsonObject;
  definition?: Pick<ToolCall, "definition" | "described">;
  quarantined: boolean;
};

const DOOR = { waits: true, hands: false, delegates: false, edits: true } as const;

export function toolCallOf(deps: Deps, caller: Caller, wanted: WantedCall): ToolCall {
  return {
    ...caller,
    ...wanted.definition,
    workspace: deps.workspace,
    tool: wanted.tool,
    args: wanted.args,
    callId: deps.mint.next("call"),
    traceId: deps.mint.next("trace"),
    chain: [],
    claims: {},
  };
}

/** What the gate is told about the definition of a tool. */
export function definedAs(hash: NonNullable<ToolCall["definition"]>, definition: Parameters<typeof descriptionOf>[0]) {
  return { definition: hash, described: descriptionOf(definition) };
}

export async function gatedCall(
  deps: Deps,
  caller: Caller,
  wanted: WantedCall,
  carrying: Carrying,
): Promise<CallEnding> {
  const call = toolCallOf(deps, caller, wanted);
  const receipt = await submit(deps, call, {
    scopes: await layersBeside(deps, call.callId),
    door: DOOR,
    ...(wanted.quarantined ? { quarantined: true } : {}),
  });
  const about = { agent: call.agent, tool: call.tool };
  if (receipt.approvalId !== undefined) carrying.asked(receipt.approvalId);
  if (receipt.outcome !== "pending" || receipt.approvalId === undefined) return goOn(deps, receipt, about, carrying);
  const early = carrying.insteadOfWaiting?.(receipt);
  if (early !== undefined) return { is: "result", result: early };
  const release = carrying.held(receipt.approvalId);
  try {
    const answered = await wait(deps, receipt.approvalId, { timeoutMs: carrying.holdMs, signal: carrying.signal });
    // Words of a reviewer are for the model, so they are told now.
    const isUnheard = answered.outcome === "pending" && answered.newReplies === undefined;
    const later = isUnheard ? carrying.afterWaiting?.(receipt) : undefined;
    return later === undefined ? await goOn(deps, answered, about, carrying) : { is: "result", result: later };
  } finally {
    release();
  }
}

type About = { agent: string; tool: string };

/** From a receipt to an answer for the model: the result of the call, or why there is none. */
export async function goOn(deps: Deps, receipt: Receipt, about: About, carrying: Carrying): Promise<CallEnding> {
  const { executionId, result, error } = receipt;
  if (receipt.outcome !== "run" || executionId === undefined) return notRun(receipt, about);
  if (error !== undefined) return ended(refusalOf(receipt, about).forModel, true);
  // Leeway has run it already, for an earlier try: its result is not made a second time.
  if (result !== undefined) return { is: "result", result: keptResult(result) };
  // The client gave up: the permission stays, and the same call uses it when it comes again.
  if (carrying.signal.aborted || !(await carrying.isProven())) return notRun({ ...receipt, outcome: "pending" }, about);
  const held = await heldBy(deps, receipt, executionId);
  if (!held.ok) return ended(held.why, true);
  const drift = receipt.attempt === undefined ? await driftOf(carrying) : undefined;
  if (drift !== undefined) {
    await release(deps, executionId, { attempt: held.attempt, why: drift.why });
    return told(drift.message, true);
  }
  return carryOut(deps, { ...held, executionId }, carrying);
}

/** Undefined if the tool is still the one that was decided about. An upstream that cannot say so may have become another one. */
async function driftOf({ server, isSame }: Carrying): Promise<{ why: string; message: Message } | undefined> {
  try {
    if (await isSame()) return undefined;
    return { why: "the definition of the tool changed", message: say("gateway.drifted") };
  } catch (error) {
    const why = errorText(error);
    const message = say("gateway.uncompared", { server, why });
    return { why: `the definition of the tool could not be compared: ${why}`, message };
  }
}

type Held = { executionId: ExecutionId; attempt: AttemptId; isApproved: boolean; edited?: JsonObject };

/** A call that was allowed at once is already claimed. A call that a person approved is claimed now, and checked again. */
async function heldBy(
  deps: Deps,
  { attempt, edited }: Receipt,
  id: ExecutionId,
): Promise<({ ok: true } & Omit<Held, "executionId">) | { ok: false; why: string }> {
  if (attempt !== undefined) return { ok: true, attempt, isApproved: false };
  const claimed = await claim(deps, id, "caller");
  if (!claimed.ok)
    return { ok: false, why: `${textOf(claimed.reason, "en")}. ${textOf(claimed.hint, "en")}. (${claimed.code})` };
  const { execution, args } = claimed.value;
  if (execution.state !== "claimed") throw new Error(`a claim left the execution ${execution.state} (this is a bug)`);
  return { ok: true, attempt: execution.attempt, isApproved: true, ...(edited === undefined ? {} : { edited: args }) };
}

async function carryOut(deps: Deps, held: Held, carrying: Carrying): Promise<CallEnding> {
  const lease = keepLease({
    renew: async () => {
      const renewed = await renew(deps, held.executionId, held.attempt);
      return renewed.ok ? undefined : { lost: new Error(textOf(renewed.reason, "en")) };
    },
    nowMs: () => deps.clock.nowMs(),
  });
  let answered: Answered;
  try {
    answered = await carrying.forward(held.edited);
  } finally {
    lease.stop();
  }
  if (answered.is === "gone") {
    // A call that nobody approved and that its client cancelled is no question for people: its claim ends by itself, as
    // that of every call whose result is never reported.
    const isLeftAlone = carrying.signal.aborted && !held.isApproved;
    if (!isLeftAlone)
      await lose(deps, held.executionId, { attempt: held.attempt, why: answered.why }).catch(() => undefined);
    return told(say("gateway.gone", { server: carrying.server, why: answered.why }), true);
  }
  const why = await settled(deps, held, answered.answer);
  if (why !== undefined) return told(say("gateway.unrecorded", { why }), true);
  return held.edited === undefined ? { is: "line", line: answered.line } : withEdit(answered, held.edited);
}

/** Undefined if the result is recorded. */
async function settled(deps: Deps, { executionId, attempt }: Held, answer: RpcAnswer): Promise<string | undefined> {
  const ending = endingOf(answer);
  try {
    const done = await recorded(() => settle(deps, executionId, { attempt, by: "caller", ending }), {
      sleep: (ms) => deps.clock.sleep(ms),
      isFinal: (error) => !(error instanceof StoreUnavailable),
    });
    return done.ok ? undefined : textOf(done.reason, "en");
  } catch (error) {
    return errorText(error);
  }
}

/** What an upstream answers, as the gate records it. A tool that says that it failed has failed. */
export function endingOf(answer: RpcAnswer): { ok: true; result: Json } | { ok: false; error: string; result?: Json } {
  if (!answer.ok) return { ok: false, error: `the MCP server answered: ${String(answer.error["message"])}` };
  const json = toJson(answer.result);
  const result = json.ok ? json.value : { leewayNote: `the result was not stored: ${json.why}` };
  if (answer.result["isError"] !== true) return { ok: true, result };
  return { ok: false, error: firstText(answer.result) ?? "the tool failed", result };
}

function firstText({ content }: JsonObject): string | undefined {
  const texts = Array.isArray(content) ? content.flatMap((one) => (isObject(one) ? (one["text"] ?? []) : [])) : [];
  return texts.find((text) => typeof text === "string");
}

/** The model must know that something else ran than it asked for. */
function withEdit({ answer }: Extract<Answered, { is: "answer" }>, edited: JsonObject): CallEnding {
  const text = textOf(say("gateway.edited", { args: JSON.stringify(edited).slice(0, ARGS_BYTES_MAX) }), "en");
  if (!answer.ok) return ended(`${text}\n${String(answer.error["message"])}`, true);
  const { content } = answer.result;
  const said = [{ type: "text", text }, ...(Array.isArray(content) ? content : [])];
  return { is: "result", result: { ...answer.result, content: said } };
}

/** A result that was stored. Of one that was too large only the start is there. */
function keptResult(result: Json): JsonObject {
  const isWhole = isObject(result) && result["truncated"] !== true;
  if (isWhole && (Array.isArray(result["content"]) || result["contents"] !== undefined)) return result;
  const text = isWhole ? JSON.stringify(result) : `${textOf(say("gateway.cut"), "en")}\n${JSON.stringify(result)}`;
  return { content: [{ type: "text", text }] };
}

function notRun(receipt: Receipt, about: About): CallEnding {
  const { outcome, approvalId } = receipt;
  const { forModel } = refusalOf(receipt, about);
  const isOpen = outcome === "pending" || receipt.decision.code === "LEEWAY_NEEDS_HUMAN" || outcome === "not_executed";
  const waits = approvalId !== undefined && isOpen ? ` ${textOf(say("gateway.wait", { id: approvalId }), "en")}` : "";
  return ended(`${forModel}${waits}`, outcome === "denied");
}

/** Words of the gateway as the result of the tool. */
export function told(message: Message, isError: boolean): CallEnding {
  return ended(textOf(message, "en"), isError);
}

export function ended(text: string, isError: boolean): CallEnding {
  return { is: "result", result: { content: [{ type: "text", text }], isError } };
}
