import type { ToolCall } from "../call.ts";

/** Whose policy counts: the agent and everybody above it, each once. */
export function actorsOf(call: ToolCall): readonly string[] {
  return call.chain.length === 0 ? [call.agent] : [...new Set([call.agent, ...call.chain])];
}
