import { say } from "../core/messages/message.ts";
import { textOf } from "../core/messages/text.ts";
import type { JsonObject } from "../core/values/json.ts";
import type { Gate } from "../library/gate.ts";
import { badInput } from "../service/refusal.ts";
import { type CallState, type GatedCall, type GatedCalls, type GatedOptions, gatedCalls } from "./gated-tool.ts";

// `leeway/ai-sdk`: the tools of the Vercel AI SDK, versions 6 and 7, behind a gate.

export type AiSdkOptions = GatedOptions & {
  /**
   * True: a call that needs an answer ends the run with an approval request of the SDK, and `respond` answers it later,
   * also in another process. Otherwise the call itself waits for the reviewers.
   */
  pause?: boolean;
};

/** A tool of the SDK, as far as the gate needs to know it. */
export type AiTool = {
  readonly execute?: ((input: never, options: never) => unknown) | undefined;
  readonly inputSchema?: unknown;
  readonly needsApproval?: unknown;
  readonly toModelOutput?: ((options: never) => unknown) | undefined;
};

/** What the SDK gives to `execute` and `needsApproval` besides the input. */
type CallOptions = { toolCallId: string; messages: readonly unknown[]; abortSignal?: AbortSignal };

/** The argument of version 7's `toolApproval`, as far as the gate needs to know it. */
type ApprovalQuestion = { toolCall: { toolName: string; toolCallId: string; input: unknown } };
type ApprovalStatus = "not-applicable" | "approved" | { type: "approved" | "denied" | "user-approval"; reason: string };

/** A call that still waits for the reviewers. */
export type WaitingCall = { toolCallId: string; toolName: string; approvalId?: string };

type ApprovalResponse = { type: "tool-approval-response"; approvalId: string; approved: boolean; reason?: string };
export type Responses = {
  waiting: readonly WaitingCall[];
  /** Append it to the messages and run again. Left out while a call waits, or if nothing was asked. */
  message?: { role: "tool"; content: ApprovalResponse[] };
};

/**
 * The tools of an agent that is written with the AI SDK, behind a gate.
 *
 * @example
 * ```ts
 * const leeway = aiSdk(gate, { agent: "shop", session: chatId });
 * const { text } = await generateText({ model, prompt, tools: leeway.tools({ refund }) });
 * ```
 */
export function aiSdk(gate: Gate, { pause = false, ...options }: AiSdkOptions = {}) {
  const calls = gatedCalls(gate, pause ? { ...options, waitMs: options.waitMs ?? 0 } : options);
  return {
    /** The same tools; each call of `execute` is decided, recorded and run at most once. */
    tools: <T extends Readonly<Record<string, AiTool>>>(tools: T): T => {
      const gated = Object.entries(tools).map(([name, tool]) => [name, gatedTool(calls, name, tool, pause)]);
      return Object.fromEntries(gated) as T;
    },
    /** For version 7 with `pause`: give it to `generateText`, `streamText` or the agent as `toolApproval`. It only reads. */
    toolApproval: async ({ toolCall }: ApprovalQuestion): Promise<ApprovalStatus> =>
      statusOf(await calls.read(callOf(toolCall.toolName, toolCall.input, toolCall.toolCallId))),
    /**
     * Asks the reviewers about every call that the SDK stopped for, once, and returns their answers. `messages`: the
     * messages of the run, with the response messages.
     */
    respond: (messages: readonly unknown[]): Promise<Responses> => respond(calls, messages),
  };
}

function callOf(tool: string, input: unknown, callId: string): GatedCall {
  return { tool, args: input, callId };
}

function gatedTool(calls: GatedCalls, name: string, tool: AiTool, pause: boolean): AiTool {
  const { execute, needsApproval } = tool;
  if (execute === undefined) throw badInput(`tools/${name}`, say("adapter.no_execute"), say("adapter.no_execute_hint"));
  if (needsApproval !== undefined && needsApproval !== false) {
    throw badInput(`tools/${name}`, say("adapter.own_approval"), say("adapter.own_approval_hint"));
  }
  const edits = editNotes();
  const gated = async (input: unknown, options: CallOptions) =>
    calls.run(
      callOf(name, input, options.toolCallId),
      async (args, { signal, edited }) => {
        if (edited !== undefined) {
          await ensureFits(tool.inputSchema, args);
          edits.set(options.toolCallId, edited);
        }
        const abortSignal = options.abortSignal === undefined ? signal : AbortSignal.any([signal, options.abortSignal]);
        // The arguments are those of the digest, which the SDK has validated before.
        return lastOf(execute(args as never, { ...options, abortSignal } as never));
      },
      { signal: options.abortSignal },
    );
  return {
    ...tool,
    execute: gated,
    toModelOutput: async (given: ModelOutputOptions) =>
      withNote(edits.take(given.toolCallId), await shown(tool, given)),
    ...(pause ? { needsApproval: (input: unknown, asked: CallOptions) => isAsked(calls, name, input, asked) } : {}),
  };
}

/** Version 6 refuses an approval on resume unless the tool still needs one, so a call that was asked about always does. */
async function isAsked(
  calls: GatedCalls,
  name: string,
  input: unknown,
  { toolCallId, messages }: CallOptions,
): Promise<boolean> {
  if (partsOf(messages).some((part) => part.type === "tool-approval-request" && part.toolCallId === toolCallId)) {
    return true;
  }
  const { is, asked } = await calls.read(callOf(name, input, toolCallId));
  return asked || is === "waits";
}

/** A refusal that is not recorded yet is left to `execute`, which records it. */
function statusOf({ is, asked, why }: CallState): ApprovalStatus {
  if (is === "waits") return { type: "user-approval", reason: why };
  if (is === "refused") return { type: "denied", reason: why };
  if (is === "undecided") return "not-applicable";
  return asked ? { type: "approved", reason: why } : "approved";
}

async function respond(calls: GatedCalls, messages: readonly unknown[]): Promise<Responses> {
  const parts = partsOf(messages);
  const answered = new Set(parts.flatMap((part) => (part.type === "tool-approval-response" ? [part.approvalId] : [])));
  const requests = parts.filter((part) => part.type === "tool-approval-request" && !answered.has(part.approvalId));
  const content: ApprovalResponse[] = [];
  const waiting: WaitingCall[] = [];
  for (const { approvalId = "", toolCallId = "" } of requests) {
    const called = parts.find((part) => part.type === "tool-call" && part.toolCallId === toolCallId);
    if (called?.toolName === undefined) continue;
    const { toolName } = called;
    const state = await calls.ask(callOf(toolName, called.input, toolCallId));
    if (state.is === "waits") {
      waiting.push({
        toolCallId,
        toolName,
        ...(state.approvalId === undefined ? {} : { approvalId: state.approvalId }),
      });
    } else if (state.is === "runs") content.push({ type: "tool-approval-response", approvalId, approved: true });
    else content.push({ type: "tool-approval-response", approvalId, approved: false, reason: state.why });
  }
  if (waiting.length > 0 || content.length === 0) return { waiting };
  return { waiting, message: { role: "tool", content } };
}

/** A part of a message, with the fields that some kinds of parts have. */
type MessagePart = { type?: unknown; toolCallId?: string; toolName?: string; approvalId?: string; input?: unknown };

function partsOf(messages: readonly unknown[]): readonly MessagePart[] {
  return messages.flatMap((message) => {
    const content = typeof message === "object" && message !== null && "content" in message ? message.content : [];
    return Array.isArray(content) ? content : [];
  });
}

/** A tool may give results while it works; the last one is its result. */
async function lastOf(output: unknown): Promise<unknown> {
  if (!isStream(output)) return output;
  let last: unknown;
  for await (const part of output) last = part;
  return last;
}

function isStream(output: unknown): output is AsyncIterable<unknown> {
  return typeof output === "object" && output !== null && Symbol.asyncIterator in output;
}

/** A reviewer's arguments were not validated by the SDK. Schemas that cannot be asked are left to the tool. */
async function ensureFits(schema: unknown, args: JsonObject): Promise<void> {
  if (typeof schema !== "object" || schema === null || !("~standard" in schema)) return;
  const { validate } = schema["~standard"] as { validate(value: unknown): Validated | Promise<Validated> };
  const { issues } = await validate(args);
  if (issues === undefined) return;
  throw new Error(textOf(say("adapter.misfit", { why: issues.map(({ message }) => message).join("; ") }), "en"));
}

/** The result of a schema of the Standard Schema specification. */
type Validated = { issues?: readonly { message: string }[] };

type ModelOutputOptions = { toolCallId: string; input: unknown; output: unknown };
type ModelOutput = { type: string; value?: unknown };

/** What the SDK would show to the model by itself. */
async function shown({ toModelOutput }: AiTool, given: ModelOutputOptions): Promise<ModelOutput> {
  if (toModelOutput !== undefined) return (await toModelOutput(given as never)) as ModelOutput;
  const { output } = given;
  return typeof output === "string" ? { type: "text", value: output } : { type: "json", value: output ?? null };
}

function withNote(edited: string | undefined, { type, value, ...more }: ModelOutput): ModelOutput {
  if (edited === undefined) return { type, value, ...more };
  if (type === "content" && Array.isArray(value)) return { type, value: [{ type: "text", text: edited }, ...value] };
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { type: "text", value: `${edited}\n${text}` };
}

const NOTES_MAX = 1_000;

/** What reviewers changed, until the model is told. */
function editNotes() {
  const notes = new Map<string, string>();
  return {
    set: (callId: string, text: string): void => {
      if (notes.size >= NOTES_MAX) notes.clear();
      notes.set(callId, text);
    },
    take: (callId: string): string | undefined => {
      const text = notes.get(callId);
      notes.delete(callId);
      return text;
    },
  };
}
