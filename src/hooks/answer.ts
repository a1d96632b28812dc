import type { EffectClass } from "../core/effect.ts";
import type { ExecutionId } from "../core/ids.ts";
import type { Receipt } from "../core/receipt.ts";
import type { JsonObject } from "../core/values/json.ts";
import { refusalOf } from "../service/refusal.ts";
import type { HookAnswer, HookInput, Host, HostCall } from "./host.ts";

// What a hook answers, the same for every host. A hook that says "run" has claimed the call: whether it ran is told
// afterwards by another hook, or never.

/** What a hook needs from the gate. */
export type HookGate = {
  /** Somebody may answer while the hook waits: a server shows the question. Without one the host asks its own user. */
  holds: boolean;
  submit(call: HostCall, how: { delegates: boolean; edits: boolean }): Promise<Receipt>;
  wait(receipt: Receipt, timeoutMs: number): Promise<Receipt>;
  /** The class of the call, if a question was opened about it. */
  classOf(receipt: Receipt): Promise<EffectClass | undefined>;
  /** Takes the right to run what a person approved. */
  claim(id: ExecutionId): Promise<{ ok: true; args: JsonObject } | { ok: false; why: string }>;
  settle(call: HostCall, ended: Extract<HookInput, { on: "after" }>["ended"]): Promise<void>;
  endSession(agent: string, session: string): Promise<void>;
};

/** Of the host's patience this much is kept for starting, answering and a slow disk. */
const SPARE = 0.1;

export async function answerHook(gate: HookGate, host: Host, input: HookInput): Promise<HookAnswer> {
  switch (input.on) {
    case "before":
      return before(gate, host, input.call);
    case "after":
      await gate.settle(input.call, input.ended);
      return { is: "noted" };
    case "session end":
      await gate.endSession(input.agent, input.session);
      return { is: "noted" };
    case "other":
      return { is: "noted" };
  }
}

async function before(gate: HookGate, host: Host, call: HostCall): Promise<HookAnswer> {
  const first = await gate.submit(call, { delegates: host.hasPrompt && !gate.holds, edits: host.takesEdits });
  const isWaiting = first.outcome === "pending" && first.approvalId !== undefined && gate.holds;
  const receipt = isWaiting ? await gate.wait(first, host.patienceMs * (1 - SPARE)) : first;
  if (receipt.outcome === "delegated") return { is: "ask", why: because(receipt) };
  if (receipt.outcome !== "run" || receipt.executionId === undefined) return denied(gate, call, receipt);
  // Leeway has run it already, for an earlier try: its result must not be made a second time.
  if (receipt.result !== undefined || receipt.error !== undefined) return ranAlready(receipt);
  if (receipt.edited !== undefined && !host.takesEdits) return { is: "deny", why: changedByReviewer(host) };
  const args = receipt.attempt === undefined ? await gate.claim(receipt.executionId) : undefined;
  if (args?.ok === false) return { is: "deny", why: args.why };
  const edited = receipt.edited === undefined ? {} : { args: receipt.edited.args };
  const told = receipt.decision.tier === "notify" ? { told: `Leeway: ${because(receipt)}` } : {};
  return { is: "run", ...edited, ...told };
}

function because({ decision }: Receipt): string {
  return decision.because.join("; ");
}

async function denied(gate: HookGate, { agent, tool }: HostCall, receipt: Receipt): Promise<HookAnswer> {
  const effectClass = await gate.classOf(receipt);
  const about = { agent, tool, ...(effectClass === undefined ? {} : { class: effectClass }) };
  return { is: "deny", why: refusalOf(receipt, about).forModel };
}

/** The question may have been asked by another program first, one that takes changed arguments. */
function changedByReviewer({ name }: Host): string {
  return `A reviewer changed the arguments of this call, and ${name} cannot run a call with changed arguments. It was not run. Do not retry it; tell the user.`;
}

function ranAlready({ result, error }: Receipt): HookAnswer {
  const outcome = error === undefined ? `Its result: ${JSON.stringify(result)}` : `It failed: ${error}`;
  return { is: "deny", why: `This call was approved and has already run; do not run it again. ${outcome}` };
}
