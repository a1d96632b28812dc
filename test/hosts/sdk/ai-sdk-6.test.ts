import {
  generateText,
  jsonSchema,
  type ModelMessage,
  simulateReadableStream,
  stepCountIs,
  streamText,
  type ToolSet,
  tool,
} from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { aiSdkDriver, type Version } from "./ai-sdk-runs.ts";
import { type ScriptedCall, suiteOf } from "./suite.ts";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** Makes the calls in its first step, and then only says that it is done. */
function scripted(calls: readonly ScriptedCall[]): MockLanguageModelV3 {
  let step = 0;
  const parts = calls.map(({ id, tool: toolName, args }) => {
    return { type: "tool-call" as const, toolCallId: id, toolName, input: JSON.stringify(args) };
  });
  const isFirst = () => step++ === 0 && calls.length > 0;
  const finishOf = (first: boolean) => ({
    unified: first ? ("tool-calls" as const) : ("stop" as const),
    raw: undefined,
  });
  const word = [
    { type: "text-start" as const, id: "t" },
    { type: "text-delta" as const, id: "t", delta: "done" },
    { type: "text-end" as const, id: "t" },
  ];
  return new MockLanguageModelV3({
    doGenerate: async () => {
      const first = isFirst();
      const content = first ? parts : [{ type: "text" as const, text: "done" }];
      return { content, finishReason: finishOf(first), usage, warnings: [] };
    },
    doStream: async () => {
      const first = isFirst();
      const end = { type: "finish" as const, finishReason: finishOf(first), usage };
      const start = { type: "stream-start" as const, warnings: [] };
      return { stream: simulateReadableStream({ chunks: [start, ...(first ? parts : word), end] }) };
    },
  });
}

const schema = jsonSchema<{ amount: number }>({ type: "object", properties: { amount: { type: "number" } } });
const toolOf: Version["tool"] = (execute) => tool({ inputSchema: schema, execute: async (args) => execute(args) });

suiteOf(
  aiSdkDriver({
    name: "AI SDK 6",
    tool: toolOf,
    generate: async ({ messages, calls, tools }) => {
      const made = await generateText({
        model: scripted(calls),
        messages: messages as ModelMessage[],
        tools: tools as ToolSet,
        stopWhen: stepCountIs(5),
      });
      return { messages: made.response.messages };
    },
  }),
);

suiteOf(
  aiSdkDriver({
    name: "AI SDK 6, streaming,",
    tool: toolOf,
    generate: async ({ messages, calls, tools }) => {
      const made = streamText({
        model: scripted(calls),
        messages: messages as ModelMessage[],
        tools: tools as ToolSet,
        stopWhen: stepCountIs(5),
      });
      await made.consumeStream();
      return { messages: (await made.response).messages };
    },
  }),
);
