import { type Options, query } from "@anthropic-ai/claude-agent-sdk";
import { interrupt } from "@langchain/langgraph";
import { Agent, tool as openaiTool, type RunState } from "@openai/agents";
import { generateText, type LanguageModel, type ModelMessage, tool } from "ai";
import {
  generateText as generateText7,
  type LanguageModel as LanguageModel7,
  type ModelMessage as ModelMessage7,
  ToolLoopAgent,
  tool as tool7,
} from "ai-v7";
import { createAgent, tool as langchainTool } from "langchain";
import { z } from "zod";
import { aiSdk } from "../../../src/adapters/ai-sdk.ts";
import { claudeAgentSdk } from "../../../src/adapters/claude-agent-sdk.ts";
import { leewayMiddleware } from "../../../src/adapters/langchain.ts";
import { openaiAgents } from "../../../src/adapters/openai-agents.ts";
import type { Gate } from "../../../src/index.ts";

// The adapters describe the types of the SDKs themselves. This file uses them as a program would, without a cast: it
// compiles only if they fit the real types. `types.test.ts` compiles it; nothing here runs.

const schema = z.object({ amount: z.number() });
const pay = async ({ amount }: { amount: number }) => ({ paid: amount });

export async function withAiSdk6(gate: Gate, model: LanguageModel, messages: ModelMessage[]): Promise<number> {
  const leeway = aiSdk(gate, { pause: true });
  const tools = leeway.tools({ pay: tool({ inputSchema: schema, execute: pay }) });
  const made = await generateText({ model, messages, tools });
  const { message, waiting } = await leeway.respond([...messages, ...made.response.messages]);
  if (message !== undefined) messages.push(message);
  const [first] = made.toolResults;
  // The types of the tools are kept.
  return first?.dynamic === true || first === undefined ? waiting.length : first.output.paid;
}

export async function withAiSdk7(gate: Gate, model: LanguageModel7, messages: ModelMessage7[]): Promise<ToolLoopAgent> {
  const leeway = aiSdk(gate, { pause: true });
  const tools = leeway.tools({ pay: tool7({ inputSchema: schema, execute: pay }) });
  const { toolApproval } = leeway;
  const made = await generateText7({ model, messages, tools, toolApproval });
  const { message } = await leeway.respond([...messages, ...made.responseMessages]);
  if (message !== undefined) messages.push(message);
  return new ToolLoopAgent({ model, tools: {}, toolApproval });
}

export async function withOpenAiAgents(gate: Gate, state: RunState<unknown, Agent>): Promise<Agent> {
  const leeway = openaiAgents(gate, { pause: true });
  await leeway.respond(state);
  const refund = openaiTool({ name: "pay", description: "pays", parameters: schema, execute: pay });
  return new Agent({ name: "shop", tools: leeway.tools([refund]) });
}

export function withLangChain(gate: Gate) {
  const refund = langchainTool(async ({ amount }) => `paid ${amount}`, { name: "pay", description: "pays", schema });
  return createAgent({ model: "none", tools: [refund], middleware: [leewayMiddleware(gate, { interrupt })] });
}

export function withClaudeAgentSdk(gate: Gate) {
  const options: Options = { ...claudeAgentSdk(gate, { agent: "coder" }) };
  return query({ prompt: "do it", options });
}
