import type { ToolCall } from "../core/call.ts";
import type { JsonObject } from "../core/json.ts";
import { toJson } from "../core/json.ts";
import type { Receipt } from "../core/receipt.ts";
import type { Answer } from "../core/reviewing.ts";
import { claim, settle } from "../gate/claim.ts";
import type { Deps } from "../gate/deps.ts";
import { review } from "../gate/review.ts";
import { submit } from "../gate/submit.ts";

/** A call as a program writes it; what is left out has a stated default. */
export type CallInput = {
  agent?: string;
  tool: string;
  args: unknown;
  callId?: string;
  session?: string;
  cwd?: string;
};

export type Gate = {
  submit(input: CallInput): Promise<Receipt>;
  review(
    approvalId: string,
    answer: Omit<Answer, "assurance" | "bulk" | "note"> & { note?: string },
  ): ReturnType<typeof review>;
  claim(executionId: string): ReturnType<typeof claim>;
  settle(executionId: string, given: Parameters<typeof settle>[2]): ReturnType<typeof settle>;
  close(): Promise<void>;
};

export function createGate(deps: Deps): Gate {
  return {
    submit: (input) => submit(deps, callOf(deps, input)),
    review: (approvalId, answer) =>
      review(deps, approvalId, { note: "", ...answer, assurance: "process", bulk: false }),
    claim: (executionId) => claim(deps, executionId, "caller"),
    settle: (executionId, given) => settle(deps, executionId, given),
    close: () => deps.store.close(),
  };
}

function callOf(deps: Deps, input: CallInput): ToolCall {
  const args = toJson(input.args);
  if (!args.ok) throw new TypeError(`args${args.where}: ${args.why}`);
  return {
    workspace: deps.workspace,
    agent: input.agent ?? "runtime",
    tool: input.tool,
    args: args.value as JsonObject,
    callId: input.callId ?? deps.mint.next("call"),
    ...(input.session === undefined ? {} : { session: input.session }),
    traceId: deps.mint.next("trace"),
    chain: [],
    claims: {},
    ...(input.cwd === undefined ? {} : { cwd: input.cwd }),
  };
}
