import type { StillBoxes } from "../box-port.ts";
import type { EffectClass } from "../core/effect.ts";
import type { CallId, ExecutionId } from "../core/ids.ts";
import { say } from "../core/messages/message.ts";
import { textOf } from "../core/messages/text.ts";
import type { Receipt } from "../core/receipt.ts";
import type { JsonObject } from "../core/values/json.ts";
import type { Besides } from "../gate/boxes/besides.ts";
import { refusalOf } from "../service/refusal.ts";
import { boxable, boxedArgs, isInBackground } from "./boxed.ts";
import { Held } from "./held.ts";
import type { HookAnswer, HookInput, Host, HostCall, ShellTool } from "./host.ts";
import type { HookCommand } from "./install/command.ts";

// What a hook answers, the same for every host. A hook that says "run" has claimed the call: whether it ran is told
// afterwards by another hook, or never.

export type HookDoor = {
  delegates: boolean;
  edits: boolean;
  boxes: boolean | "live";
  besides?: Besides;
};

/** What a hook needs from the gate. */
export type HookGate = {
  /** Somebody may answer while the hook waits: a server shows the question. Without one the host asks its own user. */
  holds: boolean;
  /** The host runs in a terminal, where its user can be asked. */
  hasTerminal: boolean;
  /** `boxes`: the call can be started in a box, if there are any here; `live`: only in one that changes files where they are. */
  submit(call: HostCall, how: HookDoor): Promise<Receipt>;
  /** Boxes that change files where they are stand still from now on; undefined if there is none. */
  hold(call: HostCall): Promise<StillBoxes | undefined>;
  endHold(call: HostCall): Promise<void>;
  /** The places of the project that the call may write. */
  writes(call: HostCall): Promise<readonly string[]>;
  /** Whether a call would run in a box, if this host can start it in one. */
  isBoxed(call: HostCall, boxes: boolean | "live"): Promise<boolean>;
  /** What starts a call in its box; undefined if boxes cannot be made here. */
  boxStart(call: CallId): Promise<HookCommand | undefined>;
  /** Whether these are the arguments that this hook has answered for the call, and nobody has started it yet. */
  isBoxStart(call: HostCall, shell: ShellTool): Promise<boolean>;
  wait(receipt: Receipt, timeoutMs: number): Promise<Receipt>;
  /** Why somebody is asked, a sentence for each cause, for a person. */
  whyAsked(receipt: Receipt): Promise<readonly string[]>;
  /** The class of the call, if a question was opened about it. */
  classOf(receipt: Receipt): Promise<EffectClass | undefined>;
  /** Whether the host still reads the answer. It may have ended while somebody was asked. */
  isHeard(): Promise<boolean>;
  /** Takes the right to run what a person approved. */
  claim(id: ExecutionId): Promise<{ ok: true; args: JsonObject } | { ok: false; why: string }>;
  /** Whether this host was told to run exactly this call, and has not said yet how it ended. True once for each call. */
  answersPrompt(call: HostCall): Promise<boolean>;
  settle(call: HostCall, ended: Extract<HookInput, { on: "after" }>["ended"]): Promise<void>;
  endSession(agent: string, session: string): Promise<void>;
};

/** Of the host's patience this much is kept for starting, answering and a slow disk. */
const SPARE = 0.1;

/** `patienceMs`: how long the host waits for this hook, as it was installed. */
export async function answerHook(
  gate: HookGate,
  host: Host,
  input: HookInput,
  patienceMs: number = host.patienceMs,
): Promise<HookAnswer> {
  switch (input.on) {
    case "before":
      return before(gate, host, { call: input.call, waitMs: patienceMs * (1 - SPARE) });
    case "prompt":
      // The gate has decided about this call already. Whatever it left to the host's user stays there.
      return (await isAnswered(gate, host, input.call)) ? { is: "run" } : { is: "noted" };
    case "after":
      await gate.endHold(input.call);
      await gate.settle(input.call, input.ended);
      return { is: "noted" };
    case "session end":
      await gate.endSession(input.agent, input.session);
      return { is: "noted" };
    case "other":
      return { is: "noted" };
  }
}

/** Whether the host asks about what it was told to run: a call as it is, or what starts it in its box. */
async function isAnswered(gate: HookGate, host: Host, call: HostCall): Promise<boolean> {
  const shell = boxable(host, call);
  return (shell !== undefined && (await gate.isBoxStart(call, shell))) || gate.answersPrompt(call);
}

async function before(gate: HookGate, host: Host, asked: { call: HostCall; waitMs: number }): Promise<HookAnswer> {
  const { call } = asked;
  const shell = boxable(host, call);
  // The host shows what this hook has answered to a second one.
  if (shell !== undefined && (await gate.isBoxStart(call, shell))) return { is: "run" };
  const still = new Held(gate, call);
  try {
    return await decided(gate, host, { ...asked, shell, still });
  } finally {
    still.release();
  }
}

type Before = { call: HostCall; waitMs: number; shell: ShellTool | undefined; still: Held };

async function decided(gate: HookGate, host: Host, { call, waitMs, shell, still }: Before): Promise<HookAnswer> {
  // The host opens the files itself, after this hook has answered. Only if it says when it has done so, they can stand still until then.
  const staysStill =
    host.tellsEnd === true && shell === undefined && call.callId !== undefined && !isOfServer(call.tool);
  const boxes = shell !== undefined && (isInBackground(shell, call.args) ? ("live" as const) : true);
  // In a box a command has walls of its own, which were made from what is there when it starts.
  const besides = await still.whyAsked(async () => !staysStill && !(await gate.isBoxed(call, boxes)));
  const isSeen = host.promptsInTerminal === undefined || gate.hasTerminal;
  const delegates = host.hasPrompt && isSeen && !gate.holds;
  const door = { delegates, edits: host.takesEdits, boxes, ...(besides === undefined ? {} : { besides }) };
  const first = await gate.submit(call, door);
  const isWaiting = first.outcome === "pending" && first.approvalId !== undefined && gate.holds;
  const receipt = isWaiting ? await still.meanwhile(() => gate.wait(first, waitMs)) : first;
  if (receipt.outcome === "delegated") return { is: "ask", why: said("hook.ask", await gate.whyAsked(receipt)) };
  if (receipt.outcome !== "run" || receipt.executionId === undefined) return denied(gate, call, receipt);
  // Leeway has run it already, for an earlier try: its result must not be made a second time.
  if (receipt.result !== undefined || receipt.error !== undefined) return ranAlready(receipt);
  // The question may have been asked first by another program, one that takes changed arguments.
  if (receipt.edited !== undefined && !host.takesEdits)
    return { is: "deny", why: textOf(say("hook.edited", { host: host.name }), "en") };
  // An approval that nobody would use stays for the agent's next try.
  if (isWaiting && !(await gate.isHeard())) return { is: "deny", why: textOf(say("hook.unwritten"), "en") };
  const changed = await startOf(gate, receipt, { args: call.args, shell });
  if (!changed.ok) return { is: "deny", why: changed.why };
  if (!(await still.run(staysStill ? "end" : "now"))) return { is: "deny", why: textOf(say("hook.moving"), "en") };
  const edited = changed.args === undefined ? {} : { args: changed.args };
  const told = receipt.decision.tier === "notify" ? { told: said("hook.told", receipt.decision.because) } : {};
  return { is: "run", ...edited, ...told };
}

/** Tools of MCP servers: the server opens the files, and may itself run in such a box. */
function isOfServer(tool: string): boolean {
  return tool.startsWith("mcp_");
}

/** What the host is to run, if it is not what it sent. A call with a box is claimed by the program that makes the box. */
async function startOf(
  gate: HookGate,
  { id, attempt, edited, executionId, decision }: Receipt,
  sent: { args: JsonObject; shell: ShellTool | undefined },
): Promise<{ ok: true; args?: JsonObject } | { ok: false; why: string }> {
  const args = edited === undefined ? {} : { args: edited.args };
  if (attempt !== undefined || executionId === undefined) return { ok: true, ...args };
  const start = decision.box === undefined || sent.shell === undefined ? undefined : await gate.boxStart(id);
  if (start !== undefined && sent.shell !== undefined)
    return { ok: true, args: boxedArgs(sent.shell, edited?.args ?? sent.args, start) };
  const claimed = await gate.claim(executionId);
  return claimed.ok ? { ok: true, ...args } : claimed;
}

/** A sentence with the reasons of the decision. */
function said(id: "hook.ask" | "hook.told", because: readonly string[]): string {
  return textOf(say(id, { why: because.join("; ") }), "en");
}

async function denied(gate: HookGate, { agent, tool }: HostCall, receipt: Receipt): Promise<HookAnswer> {
  const effectClass = await gate.classOf(receipt);
  const about = { agent, tool, ...(effectClass === undefined ? {} : { class: effectClass }) };
  return { is: "deny", why: refusalOf(receipt, about).forModel };
}

function ranAlready({ result, error }: Receipt): HookAnswer {
  const outcome =
    error === undefined
      ? say("hook.succeeded_before", { result: JSON.stringify(result) })
      : say("hook.failed_before", { error });
  return { is: "deny", why: textOf(outcome, "en") };
}
