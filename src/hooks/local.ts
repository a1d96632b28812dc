import { callKeyOf, type ToolCall } from "../core/call.ts";
import { attemptOf, type Execution } from "../core/execution.ts";
import { inTurn } from "../core/messages/message.ts";
import { textOf } from "../core/messages/text.ts";
import { approvalAt } from "../gate/approvals/approval-at.ts";
import { callWithKey, executionAt } from "../gate/calls/call-at.ts";
import { claim, settle } from "../gate/calls/claim.ts";
import { endSession } from "../gate/calls/sessions.ts";
import { submit } from "../gate/calls/submit.ts";
import { wait } from "../gate/calls/wait.ts";
import type { Deps } from "../gate/deps.ts";
import { orThrow } from "../service/refusal.ts";
import type { HookGate } from "./answer.ts";
import type { HostCall } from "./host.ts";

/**
 * The gate of this machine's database. `holds`: a server on the same database shows questions to people. `signal`:
 * nobody waits for the answer any more.
 */
export function localHookGate(deps: Deps, how: { holds: boolean; signal?: AbortSignal }): HookGate {
  return {
    holds: how.holds,
    submit: (call, { delegates, edits }) =>
      submit(deps, toolCall(deps, call), {
        scopes: [],
        door: { waits: true, hands: true, delegates, edits },
      }),
    wait: (receipt, timeoutMs) =>
      wait(deps, receipt.approvalId ?? receipt.id, {
        timeoutMs,
        ...(how.signal === undefined ? {} : { signal: how.signal }),
      }),
    classOf: async ({ approvalId }) =>
      approvalId === undefined ? undefined : (await approvalAt(deps, approvalId))?.row.class,
    claim: async (id) => {
      const claimed = await claim(deps, id, "caller", { handed: true });
      if (claimed.ok) return { ok: true, args: claimed.value.args };
      return { ok: false, why: textOf(inTurn([claimed.reason, claimed.hint]), "en") };
    },
    settle: async (call, ended) => {
      const execution = await handedTo(deps, call);
      if (execution === undefined) return;
      orThrow(await settle(deps, execution.id, { attempt: attemptOf(execution), by: "caller", ending: ended }));
    },
    endSession: async (agent, session) => {
      orThrow(await endSession(deps, { session, agent, by: agent }));
    },
  };
}

function toolCall({ mint, workspace }: Deps, call: HostCall): ToolCall {
  const { callId = mint.next("call"), ...rest } = call;
  return { ...rest, workspace, callId, traceId: mint.next("trace"), claims: {} };
}

/** The right that this call was given, if its host still holds it. What the host asked its own user about has none. */
async function handedTo(deps: Deps, call: HostCall): Promise<Execution | undefined> {
  if (call.callId === undefined) return undefined;
  const row = await callWithKey(deps, callKeyOf({ ...call, callId: call.callId }));
  const id = row?.executionId;
  const execution = id === undefined ? undefined : (await executionAt(deps, id))?.row;
  return execution?.state === "handed" || execution?.state === "claimed" ? execution : undefined;
}
