import type { Json } from "../core/values/json.ts";
import { toJson } from "../core/values/json.ts";
import type { Gate } from "../library/gate.ts";
import { CallRefused, type GatedCall, type GatedCalls, type GatedOptions, gatedCalls } from "./gated-tool.ts";

// `leeway/langchain`: the tools of a LangChain agent behind a gate, as a middleware.

export type LangChainOptions = GatedOptions & {
  /**
   * `interrupt` of `@langchain/langgraph`: a call that needs an answer interrupts the graph, and the graph goes on later,
   * also in another process. Without it the call itself waits for the reviewers.
   */
  interrupt?: (value: Json) => unknown;
  /** Tools that do not go through the gate, for example one that only starts a sub-agent with a gate of its own. */
  except?: readonly string[];
};

/** A tool call and what came of it, as far as the gate needs to know them. */
export type ToolCallRequest = {
  toolCall: { name: string; args: Record<string, unknown>; id?: string | undefined };
  tool?: unknown;
};
type Handler<R, M> = (request: R) => M | Promise<M>;

/** What an interrupt shows to the program. */
export type GateInterrupt = { leeway: { approvalId?: string; callId: string; tool: string; why: string } };

/** The interrupts of a result, `result.__interrupt__`. */
export type Interrupted = { id?: string | undefined; value?: unknown };

/**
 * The gate as a middleware of `createAgent`.
 *
 * @example
 * ```ts
 * const leeway = leewayMiddleware(gate, { agent: "shop", session: threadId, interrupt });
 * const agent = createAgent({ model, tools: [refund], middleware: [leeway], checkpointer });
 * ```
 */
export function leewayMiddleware(gate: Gate, { interrupt, except = [], ...options }: LangChainOptions = {}) {
  const calls = gatedCalls(gate, interrupt === undefined ? options : { ...options, waitMs: options.waitMs ?? 0 });
  return {
    name: "leeway",
    wrapToolCall: async <R extends ToolCallRequest, M extends object>(
      request: R,
      handler: Handler<R, M>,
    ): Promise<M> => {
      const { name, args, id = "" } = request.toolCall;
      if (except.includes(name)) return handler(request);
      const call = { tool: name, args, callId: id };
      if (interrupt !== undefined) await answered(calls, call, interrupt);
      return carriedOut(calls, call, request, handler);
    },
    /**
     * Which interrupts of the gate are answered: `resume` is for `new Command({ resume })` and contains only these, so
     * that each call goes on by itself. `waiting` are the others.
     */
    answers: async (interrupts: readonly Interrupted[] = []) => {
      const resume: Record<string, Json> = {};
      const waiting: GateInterrupt["leeway"][] = [];
      for (const { id, value } of interrupts) {
        if (id === undefined || !isOfGate(value)) continue;
        const { tool, callId } = value.leeway;
        const { is } = await calls.read({ tool, args: {}, callId });
        if (is === "waits") waiting.push(value.leeway);
        else resume[id] = { answered: callId };
      }
      return { waiting, resume };
    },
  };
}

function isOfGate(value: unknown): value is GateInterrupt {
  return typeof value === "object" && value !== null && "leeway" in value;
}

/** Interrupts the graph until the call is answered. What the graph is resumed with is not an answer; the gate has it. */
async function answered(
  calls: GatedCalls,
  call: GatedCall & { tool: string },
  interrupt: NonNullable<LangChainOptions["interrupt"]>,
): Promise<void> {
  for (;;) {
    const before = await calls.read(call);
    if (before.is !== "waits") return;
    const { is, why, approvalId } = before.asked ? before : await calls.ask(call);
    if (is !== "waits") return;
    const shown = { callId: call.callId, tool: call.tool, why, ...(approvalId === undefined ? {} : { approvalId }) };
    interrupt({ leeway: shown });
  }
}

async function carriedOut<R extends ToolCallRequest, M extends object>(
  calls: GatedCalls,
  call: GatedCall,
  request: R,
  handler: Handler<R, M>,
): Promise<M> {
  let message: M | undefined;
  try {
    const content = await calls.run(call, async (args, { edited }) => {
      const made = await handler({ ...request, toolCall: { ...request.toolCall, args } });
      message = edited === undefined ? made : noted(made, edited);
      return contentOf(made);
    });
    // The call ran before, in another process: its result was kept, its message was not.
    return message ?? (await told(request, handler, typeof content === "string" ? content : JSON.stringify(content)));
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error;
    return Object.assign(await told(request, handler, error.message), { status: "error" });
  }
}

/** The content of the message is the result of the call. A command of the graph has none. */
function contentOf(message: object): Json {
  const content = toJson("content" in message ? message.content : null);
  return content.ok ? content.value : null;
}

function noted<M extends object>(message: M, edited: string): M {
  if (!("content" in message)) return message;
  const { content } = message;
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return Object.assign(message, { content: `${edited}\n${text}` });
}

/** A message of the SDK with this text, made by the SDK itself: it runs a tool that does nothing but return the text. */
async function told<R extends ToolCallRequest, M>(request: R, handler: Handler<R, M>, text: string): Promise<M> {
  const { name } = request.toolCall;
  return handler({ ...request, tool: { name, invoke: async () => text } });
}
