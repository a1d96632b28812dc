// What adapters of agent SDKs say to models and to programs.

// biome-ignore format: one line each
export const ADAPTERS = {
  "adapter.edited": "A reviewer changed the arguments of this call before approving it. You asked for {asked}; it was run with {ran}. Continue with this result, and do not make the original call again.",
  "adapter.unreported": "the agent program ended without reporting how this call ended; check what it did before you run it again",
  "adapter.not_let_run": "Leeway did not let this call run. Do not retry this call.",
  "adapter.ran_before": "This call was allowed and has already run; do not run it again. Its result: {result}",
  "adapter.released": "the call only had to be asked about and was not started",
  "adapter.no_execute": "this tool has no `execute` function, so the gate cannot stand in front of it",
  "adapter.no_execute_hint": "give it to the SDK beside the tools of the gate, if it may run without the gate",
  "adapter.own_approval": "this tool has its own `needsApproval`, and two answers to one question are not possible",
  "adapter.own_approval_hint": "remove it, and write a rule in the policy instead",
  "adapter.no_function_tool": "only function tools can be put behind the gate, and this is a tool of type `{type}`",
  "adapter.misfit": "the arguments that a reviewer wrote do not fit the input of the tool: {why}",
} as const;
