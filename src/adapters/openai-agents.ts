import { say } from "../core/messages/message.ts";
import type { Gate } from "../library/gate.ts";
import { badInput } from "../service/refusal.ts";
import { CallRefused, type GatedCall, type GatedCalls, type GatedOptions, gatedCalls } from "./gated-tool.ts";

// `leeway/openai-agents`: the tools of the OpenAI Agents SDK behind a gate.

export type OpenAiAgentsOptions = GatedOptions & {
  /**
   * True: a call that needs an answer ends the run with an interruption, and `respond` answers it later, also in another
   * process. Otherwise the call itself waits for the reviewers.
   */
  pause?: boolean;
};

/** A tool of the SDK, as far as the gate needs to know it. */
export type AgentTool = { readonly type: string; readonly name: string };
type FunctionTool = AgentTool & { invoke: Invoke };
type Invoke = (runContext: unknown, input: string, details?: ToolDetails) => Promise<unknown>;
type ToolDetails = { toolCall?: { callId: string }; signal?: AbortSignal };

/** A call for which the SDK stopped. */
export type Interruption = {
  readonly name?: string | undefined;
  readonly arguments?: string | undefined;
  readonly rawItem: object;
};

/** The state of a run, as far as the gate needs to know it. */
export type AgentRunState<Item extends Interruption> = {
  getInterruptions(): Item[];
  approve(item: Item): void;
  reject(item: Item, options?: { message?: string }): void;
};

/** A call that still waits for the reviewers. */
export type WaitingCall = { callId: string; name: string; approvalId?: string };

/**
 * The tools of an agent that is written with the OpenAI Agents SDK, behind a gate.
 *
 * @example
 * ```ts
 * const leeway = openaiAgents(gate, { agent: "shop", session: conversationId });
 * const agent = new Agent({ name: "shop", tools: leeway.tools([refund]) });
 * ```
 */
export function openaiAgents(gate: Gate, { pause = false, ...options }: OpenAiAgentsOptions = {}) {
  const calls = gatedCalls(gate, pause ? { ...options, waitMs: options.waitMs ?? 0 } : options);
  const names = new Set<string>();
  return {
    /** The same tools; each call is decided, recorded and run at most once. Their own `needsApproval` is replaced. */
    tools: <T extends AgentTool>(tools: readonly T[]): T[] =>
      tools.map((tool) => {
        if (!isFunctionTool(tool)) {
          const why = say("adapter.no_function_tool", { type: tool.type });
          throw badInput(`tools/${tool.name}`, why, say("adapter.no_execute_hint"));
        }
        names.add(tool.name);
        return gatedTool(calls, tool, pause);
      }),
    /**
     * Asks the reviewers about every call of these tools for which the run stopped, once, and approves or rejects in the
     * state what they have answered. Run again with the state when `waiting` is empty.
     */
    respond: async <Item extends Interruption>(state: AgentRunState<Item>): Promise<{ waiting: WaitingCall[] }> => {
      const waiting: WaitingCall[] = [];
      for (const item of state.getInterruptions()) {
        const call = callOfItem(item);
        if (call === undefined || !names.has(call.tool)) continue;
        const { is, why, approvalId } = await calls.ask(call);
        if (is === "runs") state.approve(item);
        else if (is !== "waits") state.reject(item, { message: why });
        else
          waiting.push({ callId: call.callId, name: call.tool, ...(approvalId === undefined ? {} : { approvalId }) });
      }
      return { waiting };
    },
  };
}

function isFunctionTool<T extends AgentTool>(tool: T): tool is T & FunctionTool {
  return tool.type === "function" && "invoke" in tool && typeof tool.invoke === "function";
}

/** The properties are copied with their descriptors, because the SDK keeps some of its own in symbols. */
function gatedTool<T extends FunctionTool>(calls: GatedCalls, tool: T, pause: boolean): T {
  const { name, invoke } = tool;
  const gated: Invoke = async (runContext, input, details) => {
    const callId = details?.toolCall?.callId;
    const args = argsOf(input);
    // Without an id of its own the call is a new one each time; the SDK always gives one.
    if (callId === undefined || args === undefined) return invokeRefused(calls, tool, input, callId);
    try {
      return await calls.run(
        { tool: name, args, callId },
        async (approved, { edited, signal }) => {
          const given = edited === undefined ? input : JSON.stringify(approved);
          const signals = details?.signal === undefined ? signal : AbortSignal.any([signal, details.signal]);
          // A copy of the details: what the SDK prepared from the original input must not be used for changed input.
          const output = await invoke(runContext, given, { ...details, signal: signals });
          return edited === undefined
            ? output
            : `${edited}\n${typeof output === "string" ? output : JSON.stringify(output)}`;
        },
        { signal: details?.signal },
      );
    } catch (error) {
      if (error instanceof CallRefused) return error.message;
      throw error;
    }
  };
  const needsApproval = async (_: unknown, input: unknown, callId?: string): Promise<boolean> => {
    if (!pause || callId === undefined) return false;
    const { is, asked } = await calls.read({ tool: name, args: input, callId });
    return asked || is === "waits";
  };
  const properties = Object.getOwnPropertyDescriptors(tool);
  return Object.create(Object.getPrototypeOf(tool), {
    ...properties,
    invoke: { ...properties.invoke, value: gated },
    needsApproval: { enumerable: true, configurable: true, writable: true, value: needsApproval },
  });
}

/** Input that is not a JSON object cannot be decided, so it does not run; the gate records and words the refusal. */
async function invokeRefused(calls: GatedCalls, { name }: AgentTool, input: string, callId = ""): Promise<string> {
  try {
    await calls.run({ tool: name, args: argsOf(input) ?? input, callId }, () => {
      throw new CallRefused(input);
    });
    throw new Error(`a call of ${name} without an id or with unreadable arguments ran (this is a bug)`);
  } catch (error) {
    if (error instanceof CallRefused) return error.message;
    throw error;
  }
}

function callOfItem(item: Interruption): (GatedCall & { tool: string }) | undefined {
  const { name, rawItem } = item;
  const args = argsOf(item.arguments ?? "");
  const callId = "callId" in rawItem && typeof rawItem.callId === "string" ? rawItem.callId : undefined;
  return name === undefined || callId === undefined || args === undefined ? undefined : { tool: name, args, callId };
}

function argsOf(input: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(input === "" ? "{}" : input);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
