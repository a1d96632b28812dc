import type { Stillness } from "../box-port.ts";
import type { CallerBoxes } from "../core/approval.ts";
import { callKeyOf, type ToolCall } from "../core/call.ts";
import { isUnder } from "../core/classify/path.ts";
import { writtenPaths } from "../core/decide/box/kept.ts";
import { inTurn, say } from "../core/messages/message.ts";
import { textOf } from "../core/messages/text.ts";
import type { Receipt } from "../core/receipt.ts";
import { approvalAt } from "../gate/approvals/approval-at.ts";
import { besidesLayer } from "../gate/boxes/besides.ts";
import { openArgs } from "../gate/calls/args.ts";
import { callAt, executionAt } from "../gate/calls/call-at.ts";
import { claim } from "../gate/calls/claim.ts";
import { answersPrompt, settleHanded } from "../gate/calls/handed.ts";
import { check, type Door, effectOf } from "../gate/calls/judging.ts";
import { endSession } from "../gate/calls/sessions.ts";
import { submit } from "../gate/calls/submit.ts";
import { wait } from "../gate/calls/wait.ts";
import type { Deps } from "../gate/deps.ts";
import { orThrow } from "../service/refusal.ts";
import type { HookGate } from "./answer.ts";
import { boxedArgs, type HookBoxes, isSame, startedCall } from "./boxed.ts";
import type { HostCall, ShellTool } from "./host.ts";
import { keepForCall, noteKept, submitKept } from "./kept-files.ts";

/** What only the hook program knows: whether a server shows questions, and how its host stands. */
export type HookSurroundings = Pick<HookGate, "holds" | "hasTerminal" | "isHeard"> & {
  /** How this machine starts calls in boxes; undefined if it cannot. Asked only about calls that a box may be for. */
  boxes(): Promise<HookBoxes | undefined>;
  /** Why it cannot, if nobody was told yet. */
  noBoxes(): Promise<{ why: string; hint: string } | undefined>;
  /** The boxes of this machine that change files where they are. */
  stillness: Stillness;
  /** Nobody waits for the answer any more. */
  signal?: AbortSignal;
};

/** The gate of this machine's database. */
export function localHookGate(
  deps: Deps,
  { signal, boxes, noBoxes, stillness, ...surroundings }: HookSurroundings,
): HookGate {
  return {
    ...surroundings,
    submit: (call, how) => submitFrom(deps, call, { ...how, here: boxes }),
    isBoxed: (call, offered) => isBoxed(deps, call, { boxes: offered, here: boxes }),
    hold: (call) => stillness.hold(nameOf(call)),
    endHold: (call) => stillness.end(nameOf(call), () => writtenBy(deps, call)),
    writes: (call) => writtenBy(deps, call),
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
    whyAsked: (receipt) => whyAsked(deps, receipt, noBoxes),
    classOf: async ({ approvalId }) =>
      approvalId === undefined ? undefined : (await approvalAt(deps, approvalId))?.row.class,
    claim: async (id) => {
      const claimed = await claim(deps, id, "caller", { handed: true });
      if (claimed.ok) return { ok: true, args: claimed.value.args };
      return { ok: false, why: textOf(inTurn([claimed.reason, claimed.hint]), "en") };
    },
    answersPrompt: (call) => answersPrompt(deps, { call: toolCall(deps, call), hasId: call.callId !== undefined }),
    settle: async (call, ended) => {
      const told = { call: toolCall(deps, call), hasId: call.callId !== undefined };
      const execution = orThrow(await settleHanded(deps, told, ended));
      await noteKept(deps, execution?.call);
    },
    endSession: async (agent, session) => {
      const ended = await endSession(deps, { session, agent, by: agent, isHost: true });
      // A session without calls is not in the record: there is nothing to end.
      if (ended.ok || ended.code !== "LEEWAY_NOT_FOUND") orThrow(ended);
    },
  };
}

async function whyAsked(
  deps: Deps,
  { id, decision }: Receipt,
  noBoxes: HookSurroundings["noBoxes"],
): Promise<readonly string[]> {
  const row = await callAt(deps, id);
  if (row === undefined) return decision.because;
  const { causeSentences } = await import("../core/show/causes.ts");
  const { project } = deps.policies.current();
  const causes = causeSentences(row.decision.causes, { effect: row.effect, project });
  const none = await noBoxes();
  return none === undefined ? causes : [...causes, textOf(say("hook.no_boxes", none), "en")];
}

type How = Parameters<HookGate["submit"]>[1] & { here: HookSurroundings["boxes"] };

async function submitFrom(deps: Deps, call: HostCall, how: How): Promise<Receipt> {
  const { delegates, edits, boxes, besides } = how;
  const door = { waits: true, hands: true, delegates, edits };
  const scopes = besides === undefined ? [] : [besidesLayer(deps, besides)];
  const sent = toolCall(deps, call);
  const kept = boxes === false ? await keepForCall(deps, sent) : undefined;
  if (kept !== undefined) return submitKept(deps, sent, { scopes, door: { ...door, boxes: kept } });
  return submit(deps, sent, { scopes, door: { ...door, ...(await boxingOf(how)) } });
}

async function boxingOf({ boxes, here }: Pick<How, "boxes" | "here">): Promise<Pick<Door, "boxes" | "starts">> {
  const made = boxes === false ? undefined : await here();
  if (made === undefined) return {};
  return { boxes: boxesOf({ ...made, rehearses: made.rehearses && boxes !== "live" }), starts: "later" };
}

async function isBoxed(deps: Deps, call: HostCall, how: Pick<How, "boxes" | "here">): Promise<boolean> {
  const door = { waits: true, hands: true, delegates: false, edits: false, ...(await boxingOf(how)) };
  if (door.boxes === undefined) return false;
  return (await check(deps, toolCall(deps, call), { scopes: [], door })).decision.box !== undefined;
}

function nameOf({ session, callId }: HostCall): string {
  return `${session} ${callId ?? ""}`;
}

async function writtenBy(deps: Deps, call: HostCall): Promise<readonly string[]> {
  const { project } = deps.policies.current();
  const effect = effectOf(deps, toolCall(deps, call), await deps.standing.current());
  return writtenPaths(effect).filter((path) => path !== project && isUnder(path, project));
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
