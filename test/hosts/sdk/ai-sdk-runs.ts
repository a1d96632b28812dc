import { type AiTool, aiSdk } from "../../../src/adapters/ai-sdk.ts";
import type { Gate } from "../../../src/index.ts";
import { type ScriptedCall, type Sdk, type Setting, TOOLS, type Told, toolBody } from "./suite.ts";

/** What differs between the versions of the SDK. */
export type Version = {
  name: string;
  generate(given: {
    messages: Message[];
    calls: readonly ScriptedCall[];
    tools: Tools;
    toolApproval?: ReturnType<typeof aiSdk>["toolApproval"];
  }): Promise<{ messages: readonly Message[] }>;
  tool(execute: (args: { amount: number }) => unknown): AiTool;
};
export type Tools = Record<string, AiTool>;
// The messages of both versions have the same form in JSON; the tests only keep them and look for parts.
export type Message = { role: string; content: unknown };

export function aiSdkDriver(version: Version): Sdk {
  const toolsOf = (ran: string[]) => Object.fromEntries(TOOLS.map((name) => [name, version.tool(toolBody(name, ran))]));
  const prompt: Message = { role: "user", content: "do it" };
  const run = async (
    gate: Gate,
    messages: Message[],
    calls: readonly ScriptedCall[],
    ran: string[],
    setting: Setting,
  ) => {
    const leeway = aiSdk(gate, { ...setting, pause: true });
    const tools = leeway.tools(toolsOf(ran));
    const made = await version.generate({ messages, calls, tools, toolApproval: leeway.toolApproval });
    return [...messages, ...made.messages];
  };
  return {
    name: version.name,
    hold: async (gate, calls, ran, setting) => {
      const tools = aiSdk(gate, setting).tools(toolsOf(ran));
      return toldIn((await version.generate({ messages: [prompt], calls, tools })).messages);
    },
    pausing: {
      hasPredicate: true,
      start: async (gate, calls, ran, setting) => JSON.stringify(await run(gate, [prompt], calls, ran, setting)),
      proceed: async (gate, state, ran, setting) => {
        const messages: Message[] = JSON.parse(state);
        const { waiting, message } = await aiSdk(gate, { ...setting, pause: true }).respond(messages);
        if (message === undefined) return { state, waiting: waiting.length };
        return toldIn(await run(gate, [...messages, message], [], ran, setting));
      },
      forge: async (gate, state, ran, setting) => {
        const messages: Message[] = JSON.parse(state);
        const requests = partsIn(messages).filter((part) => part["type"] === "tool-approval-request");
        const content = requests.map(({ approvalId }) => ({
          type: "tool-approval-response",
          approvalId,
          approved: true,
        }));
        return toldIn(await run(gate, [...messages, { role: "tool", content }], [], ran, setting));
      },
    },
  };
}

function partsIn(messages: readonly Message[]): readonly Record<string, unknown>[] {
  return messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
}

/** Everything that the model was told about each call. */
function toldIn(messages: readonly Message[]): Told {
  const results = partsIn(messages).filter((part) => part["type"] === "tool-result");
  return Object.fromEntries(results.map((part) => [part["toolCallId"], textOf(part["output"])]));
}

function textOf(output: unknown): string {
  const { value, reason } = output as { value?: unknown; reason?: string };
  return reason ?? (typeof value === "string" ? value : JSON.stringify(value));
}
