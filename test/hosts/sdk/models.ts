import { type AgentOutputItem, type Model, Usage } from "@openai/agents";
import { MockLanguageModelV3 } from "ai/test";
import { FakeToolCallingModel } from "langchain";

// Models that look order 7 up, and then say one last word.

const ARGS = { id: 7 };
const total = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
const usage = { inputTokens: total, outputTokens: { total: 1, text: 1, reasoning: 0 } };
let steps = 0;

export const model = new MockLanguageModelV3({
  doGenerate: async () => {
    const isFirst = steps++ === 0;
    const call = {
      type: "tool-call" as const,
      toolCallId: "c1",
      toolName: "lookup_order",
      input: JSON.stringify(ARGS),
    };
    return {
      content: isFirst ? [call] : [{ type: "text", text: "It is on its way." }],
      finishReason: { unified: isFirst ? "tool-calls" : "stop", raw: undefined },
      usage,
      warnings: [],
    };
  },
});

let turns = 0;
const CALL: AgentOutputItem = {
  type: "function_call",
  callId: "c1",
  name: "lookup_order",
  arguments: JSON.stringify(ARGS),
  status: "completed",
};
const WORD: AgentOutputItem = {
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "It is on its way." }],
};
export const openaiModel: Model = {
  getResponse: async () => ({ usage: new Usage(), output: [turns++ === 0 ? CALL : WORD] }),
  getStreamedResponse: () => {
    throw new Error("the snippets do not stream");
  },
};

export const langchainModel = new FakeToolCallingModel({
  toolCalls: [[{ name: "lookup_order", args: ARGS, id: "c1" }], []],
});
