import { callKeyOf, digestOf, type ToolCall } from "../core/call.ts";
import { attemptOf, type Execution } from "../core/execution.ts";
import { inTurn } from "../core/messages/message.ts";
import { textOf } from "../core/messages/text.ts";
import { approvalAt } from "../gate/approvals/approval-at.ts";
import { callAt, callWithKey, executionAt } from "../gate/calls/call-at.ts";
import { claim, settle } from "../gate/calls/claim.ts";
import { reportDelegated } from "../gate/calls/delegated.ts";
import { endSession } from "../gate/calls/sessions.ts";
import { submit } from "../gate/calls/submit.ts";
import { wait } from "../gate/calls/wait.ts";
import type { Deps } from "../gate/deps.ts";
import { listEntries } from "../gate/record/ledger.ts";
import { orThrow } from "../service/refusal.ts";
import type { HookGate } from "./answer.ts";
import type { HostCall } from "./host.ts";

/** What only the hook program knows: whether a server shows questions, and how its host stands. */
export type HookSurroundings = Pick<HookGate, "holds" | "hasTerminal" | "isHeard"> & {
  /** Nobody waits for the answer any more. */
  signal?: AbortSignal;
};

/** The gate of this machine's database. */
export function localHookGate(deps: Deps, { signal, ...surroundings }: HookSurroundings): HookGate {
  return {
    ...surroundings,
    submit: (call, { delegates, edits }) =>
      submit(deps, toolCall(deps, call), {
        scopes: [],
        door: { waits: true, hands: true, delegates, edits },
      }),
    wait: (receipt, timeoutMs) =>
      wait(deps, receipt.approvalId ?? receipt.id, {
        timeoutMs,
        ...(signal === undefined ? {} : { signal }),
      }),
    whyAsked: async (receipt) => {
      const row = await callAt(deps, receipt.id);
      if (row === undefined) return receipt.decision.because;
      const { causeSentences } = await import("../core/show/causes.ts");
      return causeSentences(row.decision.causes, { effect: row.effect, project: deps.policies.current().project });
    },
    classOf: async ({ approvalId }) =>
      approvalId === undefined ? undefined : (await approvalAt(deps, approvalId))?.row.class,
    claim: async (id) => {
      const claimed = await claim(deps, id, "caller", { handed: true });
      if (claimed.ok) return { ok: true, args: claimed.value.args };
      return { ok: false, why: textOf(inTurn([claimed.reason, claimed.hint]), "en") };
    },
    isHanded: async (call) => (await handedAlike(deps, call)) !== undefined,
    settle: async (call, ended) => {
      const execution = await handedTo(deps, call);
      if (execution === undefined) {
        const digest = digestOf(toolCall(deps, call));
        return reportDelegated(deps, { ...call, workspace: deps.workspace, digest }, ended);
      }
      orThrow(await settle(deps, execution.id, { attempt: attemptOf(execution), by: "caller", ending: ended }));
    },
    endSession: async (agent, session) => {
      const ended = await endSession(deps, { session, agent, by: agent, isHost: true });
      // A session without calls is not in the record: there is nothing to end.
      if (ended.ok || ended.code !== "LEEWAY_NOT_FOUND") orThrow(ended);
    },
  };
}

function toolCall({ mint, workspace }: Deps, call: HostCall): ToolCall {
  const { callId = mint.next("call"), ...rest } = call;
  return { ...rest, workspace, callId, traceId: mint.next("trace"), claims: {} };
}

/** The right that this call was given, if its host still holds it. What the host asked its own user about has none. */
async function handedTo(deps: Deps, call: HostCall): Promise<Execution | undefined> {
  if (call.callId === undefined) return handedAlike(deps, call);
  const row = await callWithKey(deps, callKeyOf({ ...call, callId: call.callId }));
  const id = row?.executionId;
  // The right to a call that a person approved belongs to the question.
  if (id === undefined) return row?.approvalId === undefined ? undefined : handedAlike(deps, call);
  const execution = (await executionAt(deps, id))?.row;
  return execution?.state === "handed" || execution?.state === "claimed" ? execution : undefined;
}

/** So many of an agent's newest calls are looked through. */
const ALIKE_MAX = 100;

/**
 * The right to a call with this content: some hosts give calls no id, and a reviewer may have changed the arguments. Of
 * several such calls in a session, the one handed over first ends first.
 */
async function handedAlike(deps: Deps, call: HostCall): Promise<Execution | undefined> {
  const digest = digestOf(toolCall(deps, call));
  const { agent, session, tool } = call;
  const kinds = ["call.decided", "execution.handed"] as const;
  const entries = await listEntries(
    deps,
    { kinds, subject: { agent, session, tool } },
    { limit: ALIKE_MAX, order: "newest" },
  );
  let found: Execution | undefined;
  for (const { subject } of entries) {
    const execution = subject.execution === undefined ? undefined : (await executionAt(deps, subject.execution))?.row;
    if (execution?.state === "handed" && execution.digest === digest) found = execution;
  }
  return found;
}
