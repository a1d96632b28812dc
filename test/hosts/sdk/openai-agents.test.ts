import { Agent, type AgentOutputItem, type Model, Runner, RunState, tool } from "@openai/agents";
import { openaiAgents } from "../../../src/adapters/openai-agents.ts";
import type { Gate } from "../../../src/index.ts";
import { type ScriptedCall, type Setting, suiteOf, TOOLS, type Told, toolBody } from "./suite.ts";

/** Makes the calls in its first turn, and then only says that it is done. */
function scripted(calls: readonly ScriptedCall[]): Model {
  let turn = 0;
  return {
    getResponse: async () => {
      const isFirst = turn++ === 0 && calls.length > 0;
      const made: AgentOutputItem[] = calls.map(({ id, tool: name, args }) => {
        return { type: "function_call", callId: id, name, arguments: JSON.stringify(args), status: "completed" };
      });
      const done: AgentOutputItem = {
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "done" }],
      };
      const usage = { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 };
      return { usage: { ...usage, add: () => undefined } as never, output: isFirst ? made : [done] };
    },
    getStreamedResponse: () => {
      throw new Error("the tests do not stream");
    },
  };
}

const runner = new Runner({ tracingDisabled: true });

function agentOf(gate: Gate, calls: readonly ScriptedCall[], ran: string[], setting: Setting & { pause: boolean }) {
  const leeway = openaiAgents(gate, setting);
  const tools = TOOLS.map((name) =>
    tool({
      name,
      description: name,
      parameters: {
        type: "object",
        properties: { amount: { type: "number" } },
        required: ["amount"],
        additionalProperties: false,
      },
      strict: true,
      execute: async (args) => toolBody(name, ran)(args as { amount: number }),
    }),
  );
  return { leeway, agent: new Agent({ name: "shop", model: scripted(calls), tools: leeway.tools(tools) }) };
}

/** What the model was told, from the items of a run. */
function toldIn(items: readonly { rawItem?: unknown }[]): Told {
  const outputs = items.flatMap(({ rawItem }) => {
    const item = rawItem as { type?: string; callId?: string; output?: unknown };
    return item?.type === "function_call_result" ? [[item.callId, textOf(item.output)]] : [];
  });
  return Object.fromEntries(outputs);
}

function textOf(output: unknown): string {
  if (typeof output === "string") return output;
  const { text } = output as { text?: string };
  return text ?? JSON.stringify(output);
}

suiteOf({
  name: "OpenAI Agents",
  hold: async (gate, calls, ran, setting) => {
    const { agent } = agentOf(gate, calls, ran, { ...setting, pause: false });
    return toldIn((await runner.run(agent, "do it")).newItems);
  },
  pausing: {
    hasPredicate: true,
    start: async (gate, calls, ran, setting) => {
      const { agent } = agentOf(gate, calls, ran, { ...setting, pause: true });
      return (await runner.run(agent, "do it")).state.toString();
    },
    proceed: async (gate, kept, ran, setting) => {
      const { agent, leeway } = agentOf(gate, [], ran, { ...setting, pause: true });
      const state = await RunState.fromString(agent, kept);
      const { waiting } = await leeway.respond(state);
      if (waiting.length > 0) return { state: kept, waiting: waiting.length };
      return toldIn((await runner.run(agent, state)).newItems);
    },
    forge: async (gate, kept, ran, setting) => {
      const { agent } = agentOf(gate, [], ran, { ...setting, pause: true });
      const state = await RunState.fromString(agent, kept);
      for (const item of state.getInterruptions()) state.approve(item);
      return toldIn((await runner.run(agent, state)).newItems);
    },
  },
});
