import type { ToolCall } from "../core/call.ts";
import { say } from "../core/messages/message.ts";
import type { CallRow } from "../core/rows.ts";
import { approvalAt } from "../gate/approvals/approval-at.ts";
import type { Manner } from "../gate/calls/manner.ts";
import { submit } from "../gate/calls/submit.ts";
import { wait } from "../gate/calls/wait.ts";
import type { Deps } from "../gate/deps.ts";
import { approvalView } from "../service/approvals.ts";
import { callOf } from "../service/input.ts";
import { badInput } from "../service/refusal.ts";
import { type ProgramScope, type Scopes, scopes } from "../service/scope.ts";
import type { ReadCall } from "../service/shapes/call.ts";
import type { PolicyCallback } from "./callbacks.ts";
import { holdingOf } from "./calls.ts";
import type { GuardedTool, Guarding } from "./guard.ts";
import { type Questions, questions } from "./questions.ts";

/** The interface of a gate for a program, in the process or on a server: who calls, and how calls are sent. */
export type Entrance = Guarding & {
  scopes: Scopes;
  /** The default name of the agent. */
  agent: string;
  /** Throws where the scope around does not let it be made. */
  callOf(said: ReadCall): ToolCall;
};

/** The entrance to the gate of this program, with the person who sits at it. */
export type Door = Entrance & { deps: Deps; mannerOf(said: ReadCall): Manner };

export function door(deps: Deps, given: { agent: string; cwd?: string; callback?: PolicyCallback }): Door {
  const around = scopes();
  const asking: Questions = questions(deps, given.callback);
  const { agent, cwd } = given;
  const { workspace, mint } = deps;
  const callFrom = (said: ReadCall) =>
    callOf(said, { scope: around.current(), agent, ...(cwd === undefined ? {} : { cwd }), workspace, mint });
  const mannerOf = ({ runBy }: ReadCall): Manner => ({
    scopes: around.current().layers,
    canWait: true,
    handed: false,
    ...(runBy === undefined ? {} : { runBy }),
  });
  return {
    ...holdingOf(deps),
    deps,
    scopes: around,
    agent: given.agent,
    callOf: callFrom,
    mannerOf,
    submit: async (said) => {
      const call = callFrom(said);
      const receipt = await submit(deps, call, mannerOf(said));
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
    classOf: async (approvalId) => (await approvalAt(deps, approvalId))?.row.class,
    register: (tool) => register(deps, around, tool),
  };
}

/** A call that is approved after its caller has stopped waiting runs here, still in the caller's name. */
function register(deps: Deps, around: Scopes, tool: GuardedTool): void {
  const { name, class: effectClass, idempotent = false } = tool;
  if (deps.runners.has(name)) {
    throw badInput("name", say("refusal.guarded_already", { tool: name }), say("hint.guard_once"));
  }
  deps.runners.set(name, {
    name,
    idempotent,
    run: ({ call, args, idempotencyKey, signal }) =>
      around.within(scopeOf(call), () => tool.run(args, { signal, idempotencyKey })),
  });
  if (effectClass === undefined) return;
  const at = { file: `guard(${name})`, line: 1, column: 1 };
  deps.declared.set(name, { name, class: effectClass, idempotent, at });
}

function scopeOf(call: CallRow): ProgramScope {
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
