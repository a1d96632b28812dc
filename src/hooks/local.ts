import type { CallerBoxes } from "../core/approval.ts";
import { callKeyOf, type ToolCall } from "../core/call.ts";
import { inTurn } from "../core/messages/message.ts";
import { textOf } from "../core/messages/text.ts";
import { approvalAt } from "../gate/approvals/approval-at.ts";
import { openArgs } from "../gate/calls/args.ts";
import { callAt, executionAt } from "../gate/calls/call-at.ts";
import { claim } from "../gate/calls/claim.ts";
import { answersPrompt, settleHanded } from "../gate/calls/handed.ts";
import { endSession } from "../gate/calls/sessions.ts";
import { submit } from "../gate/calls/submit.ts";
import { wait } from "../gate/calls/wait.ts";
import type { Deps } from "../gate/deps.ts";
import { orThrow } from "../service/refusal.ts";
import type { HookGate } from "./answer.ts";
import { boxedArgs, type HookBoxes, isSame, startedCall } from "./boxed.ts";
import type { HostCall, ShellTool } from "./host.ts";

/** What only the hook program knows: whether a server shows questions, and how its host stands. */
export type HookSurroundings = Pick<HookGate, "holds" | "hasTerminal" | "isHeard"> & {
  /** How this machine starts calls in boxes; undefined if it cannot. Asked only about calls that a box may be for. */
  boxes(): Promise<HookBoxes | undefined>;
  /** Nobody waits for the answer any more. */
  signal?: AbortSignal;
};

/** The gate of this machine's database. */
export function localHookGate(deps: Deps, { signal, boxes, ...surroundings }: HookSurroundings): HookGate {
  return {
    ...surroundings,
    submit: async (call, { delegates, edits, boxes: isBoxable }) => {
      const here = isBoxable === false ? undefined : await boxes();
      const rehearses = here?.rehearses === true && isBoxable !== "live";
      const boxing = here === undefined ? {} : { boxes: boxesOf({ ...here, rehearses }), starts: "later" as const };
      const door = { waits: true, hands: true, delegates, edits, ...boxing };
      return submit(deps, toolCall(deps, call), { scopes: [], door });
    },
    boxStart: async (id) => (await boxes())?.start(id),
    isBoxStart: async (call, shell) => {
      const id = startedCall(shell, call.args);
      return id !== undefined && isStart(deps, { call, shell, id }, await boxes());
    },
    wait: (receipt, timeoutMs) =>
      wait(deps, receipt.approvalId ?? receipt.id, {
        timeoutMs,
        givesUpMs: deps.clock.nowMs() + timeoutMs,
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
    answersPrompt: (call) => answersPrompt(deps, { call: toolCall(deps, call), hasId: call.callId !== undefined }),
    settle: async (call, ended) => {
      orThrow(await settleHanded(deps, { call: toolCall(deps, call), hasId: call.callId !== undefined }, ended));
    },
    endSession: async (agent, session) => {
      const ended = await endSession(deps, { session, agent, by: agent, isHost: true });
      // A session without calls is not in the record: there is nothing to end.
      if (ended.ok || ended.code !== "LEEWAY_NOT_FOUND") orThrow(ended);
    },
  };
}

type Start = { call: HostCall; shell: ShellTool; id: string };

/** The text must be exactly what was answered for this call: an agent may have written a similar one. */
async function isStart(deps: Deps, { call, shell, id }: Start, boxes: HookBoxes | undefined): Promise<boolean> {
  const row = await callAt(deps, id);
  if (row === undefined || boxes === undefined) return false;
  const isSameCall = call.callId === undefined || callKeyOf(toolCall(deps, call)) === row.key;
  const isSamePlace = row.agent === call.agent && row.session === call.session && row.cwd === call.cwd;
  if (!isSameCall || !isSamePlace || row.tool !== call.tool) return false;
  const { executionId } = await wait(deps, id, { timeoutMs: 0, looksOn: true });
  const held = executionId === undefined ? undefined : (await executionAt(deps, executionId))?.row;
  if (held?.state !== "ready") return false;
  const approved = await callAt(deps, held.call);
  const opened = approved === undefined ? undefined : openArgs(approved);
  return opened?.ok === true && isSame(boxedArgs(shell, opened.args, boxes.start(id)), call.args);
}

function toolCall({ mint, workspace }: Deps, call: HostCall): ToolCall {
  const { callId = mint.next("call"), ...rest } = call;
  return { ...rest, workspace, callId, traceId: mint.next("trace"), claims: {} };
}

function boxesOf({ rehearses, ownRepository, tools }: HookBoxes): CallerBoxes {
  return { rehearses, ownRepository, tools };
}
