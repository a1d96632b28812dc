import type { ToolCall } from "../core/call.ts";
import type { Receipt } from "../core/receipt.ts";
import type { CallRow } from "../core/rows.ts";
import type { Deps } from "../gate/deps.ts";
import { type Manner, submit } from "../gate/submit.ts";
import { wait } from "../gate/wait.ts";
import { approvalView } from "./approvals.ts";
import type { PolicyCallback } from "./callbacks.ts";
import { type CallInput, callOf } from "./input.ts";
import { type Questions, questions } from "./questions.ts";
import { type Scope, type Scopes, scopes } from "./scope.ts";

/** What `guard` and the verbs of the library share: the gate, who is asking, and the person at this program. */
export type Door = {
  deps: Deps;
  scopes: Scopes;
  /** The name of whoever asks without having said so. */
  agent: string;
  /** Throws where the input is no call; `path` is where it is, if not by itself. */
  callOf(input: CallInput, path?: string): ToolCall;
  mannerOf(input: CallInput): Manner;
  submit(input: CallInput): Promise<{ call: ToolCall; receipt: Receipt }>;
  wait(approvalId: string, how: { timeoutMs: number; signal?: AbortSignal }): Promise<Receipt>;
  /** Runs a tool after its caller has gone on, still in the caller's name. */
  onBehalfOf<T>(call: CallRow, fn: () => T): T;
};

export function door(deps: Deps, given: { agent: string; cwd?: string; callback?: PolicyCallback }): Door {
  const around = scopes();
  const asking: Questions = questions(deps, given.callback);
  const { agent, cwd } = given;
  const { workspace, mint } = deps;
  const callFrom = (input: CallInput, path?: string) =>
    callOf(input, { scope: around.current(), agent, ...(cwd === undefined ? {} : { cwd }), workspace, mint }, path);
  const mannerOf = (input: CallInput): Manner => ({
    scopes: around.current().layers,
    canWait: true,
    handed: false,
    ...(input.runBy === undefined ? {} : { runBy: input.runBy }),
  });
  return {
    deps,
    scopes: around,
    agent: given.agent,
    callOf: callFrom,
    mannerOf,
    submit: async (input) => {
      const call = callFrom(input);
      const receipt = await submit(deps, call, mannerOf(input));
      asking.put(receipt);
      return { call, receipt };
    },
    wait: async (approvalId, { timeoutMs, signal }) => {
      await approvalView(deps, approvalId);
      return asking.beside(approvalId, (enough) =>
        wait(deps, approvalId, {
          timeoutMs,
          signal: signal === undefined ? enough : AbortSignal.any([enough, signal]),
        }),
      );
    },
    onBehalfOf: (call, fn) => around.within(scopeOf(call), fn),
  };
}

function scopeOf(call: CallRow): Scope {
  return {
    agent: call.agent,
    ...(call.session === undefined ? {} : { session: call.session }),
    ...(call.run === undefined ? {} : { run: call.run }),
    ...(call.cwd === undefined ? {} : { cwd: call.cwd }),
    traceId: call.traceId,
    chain: call.chain,
    layers: [],
  };
}
