import type { ToolCall } from "../call.ts";

/** The agents whose policy applies: the agent and all agents above it, each once. */
export function actorsOf(call: ToolCall): readonly string[] {
  return call.chain.length === 0 ? [call.agent] : [...new Set([call.agent, ...call.chain])];
}
