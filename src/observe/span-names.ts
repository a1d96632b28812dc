// The names of spans and attributes: those of OpenTelemetry's conventions for generative AI where they have one
// (status: development), else our own. A change of the conventions is a change of this file.

export const SPANS = {
  /** From the arrival of a call until its decision was recorded. */
  decide: "leeway.decide",
  /** From a question until its end. */
  wait: "leeway.wait",
  /** From the start of a call to its reported result. */
  run: "execute_tool",
} as const;

/** The value of the operation for calls of tools. */
export const EXECUTE_TOOL = "execute_tool";

export const ATTRIBUTES = {
  operation: "gen_ai.operation.name",
  agent: "gen_ai.agent.name",
  tool: "gen_ai.tool.name",
  callId: "gen_ai.tool.call.id",
  session: "gen_ai.conversation.id",
  errorType: "error.type",
  call: "leeway.call.id",
  class: "leeway.class",
  code: "leeway.code",
  entry: "leeway.ledger.index",
  outcome: "leeway.outcome",
  state: "leeway.state",
  tier: "leeway.tier",
} as const;
