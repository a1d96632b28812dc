import { say } from "../core/messages/message.ts";
import { textOf } from "../core/messages/text.ts";
import type { Receipt } from "../core/receipt.ts";
import type { JsonObject } from "../core/values/json.ts";
import type { Usage } from "../core/values/usage.ts";
import type { Gate } from "../library/gate.ts";
import { isNotExecuted, type NotExecuted } from "../library/not-executed.ts";
import { LeewayRefusal, refusalOf } from "../service/refusal.ts";
import type { CallInput, Identity } from "../service/shapes/call.ts";

// What the adapters of all agent SDKs share. An SDK asks two questions: whether a call must be approved, and what its
// result is. The first one only reads, because SDKs ask it again whenever a run goes on. Only the second one claims the
// call, so a call runs at most once, and never without the gate, whatever the SDK believes about approvals.

/** Who makes the calls, and how long each one waits. */
export type GatedOptions = Identity & {
  /** The agents above this one, root first, if it is a sub-agent. */
  under?: readonly string[];
  /** How long a call waits for the reviewers, in milliseconds; 600,000 if left out. */
  waitMs?: number;
  /** What the model has used since this was last asked. Limits with `sum: tokens` or `sum: costUsd` count it. */
  usage?: () => Usage;
};

/** A call as an SDK makes it. Its id is the same however often the SDK comes back to it. */
export type GatedCall = Pick<CallInput, "tool" | "args" | "session" | "cwd"> & { callId: string };

/** The current state of a call. `why` is for the model if the call is refused, else for the person who is asked. */
export type CallState = {
  is: "runs" | "waits" | "refused" | "undecided";
  /** A question about it was opened. */
  asked: boolean;
  approvalId?: string;
  why: string;
};

/** What a tool is told besides its arguments. */
export type GatedRun = {
  signal: AbortSignal;
  /** Tells the model what a reviewer changed; undefined if nothing was changed. */
  edited: string | undefined;
};

/** The call did not run. The message is for the model. */
export class CallRefused extends Error {
  override readonly name = "CallRefused";
}

export type GatedCalls = ReturnType<typeof gatedCalls>;

/** The calls of one agent through a gate, in this program or on a server. */
export function gatedCalls(gate: Gate, { under = [], waitMs, usage, ...identity }: GatedOptions) {
  /** Nested, so that the agents above are in the chain of every call. */
  const within = <T>(fn: () => T): T =>
    under.reduceRight<() => T>(
      (inner, agent) => () => gate.as({ agent }, inner),
      () => gate.as(identity, fn),
    )();
  const stored = async (call: GatedCall): Promise<CallState | undefined> => {
    const { callId, session } = call;
    const found = await gate.find({ callId, ...(session === undefined ? {} : { session }) });
    return found === undefined ? undefined : stateOf(found, call, gate.current().agent);
  };
  return {
    /** Decides the call, waits for the reviewers if it has to, and runs it once. Throws `CallRefused` if it does not run. */
    run: <T>(
      call: GatedCall,
      fn: (args: JsonObject, running: GatedRun) => T | Promise<T>,
      how: { signal?: AbortSignal | undefined; waitMs?: number } = {},
    ): Promise<T> =>
      within(() => {
        const patience = how.waitMs ?? waitMs;
        const options = {
          ...(patience === undefined ? {} : { waitMs: patience }),
          ...(how.signal === undefined ? {} : { signal: how.signal }),
        };
        const said = claiming(call, usage);
        return refusing(
          gate.run(said, (args, told) => fn(args, { signal: told.signal, edited: note(args, told) }), options),
        );
      }),
    /** Reads only: the state of the call if it was submitted, else what would be decided now. */
    read: (call: GatedCall): Promise<CallState> =>
      within(() => unlessRefused(async () => (await stored(call)) ?? checked(await gate.check(call)))),
    /** Opens the question about the call, unless there is one. It never starts the call. */
    ask: (call: GatedCall): Promise<CallState> =>
      within(async () => {
        const known = await stored(call);
        if (known !== undefined) return known;
        const receipt = await gate.submit(claiming(call, usage));
        const { executionId, attempt } = receipt;
        // Something let it run meanwhile, for example a new grant. It is claimed again when the SDK runs it.
        if (executionId !== undefined && attempt !== undefined) {
          await gate.release(executionId, { attempt, why: textOf(say("adapter.released"), "en") });
        }
        return stateOf(receipt, call, gate.current().agent);
      }),
  };
}

/** The call with what the model has used, if the program reports it. */
function claiming(call: GatedCall, usage: GatedOptions["usage"]): GatedCall & Pick<CallInput, "claims"> {
  return usage === undefined ? call : { ...call, claims: { usage: usage() } };
}

function stateOf(receipt: Receipt, { tool }: GatedCall, agent: string): CallState {
  const { approvalId, outcome, code } = receipt;
  const asked = { asked: approvalId !== undefined, ...(approvalId === undefined ? {} : { approvalId }) };
  if (outcome === "run" || code === "LEEWAY_EDITED") return { is: "runs", ...asked, why: because(receipt) };
  if (outcome === "pending") return { is: "waits", ...asked, why: because(receipt) };
  return { is: "refused", ...asked, why: refusalOf(receipt, { agent, tool }).forModel };
}

/** A call that would be refused is left to `run`, which records the refusal. */
function checked({ decision }: Pick<Receipt, "decision">): CallState {
  const why = because({ decision });
  if (decision.outcome === "pending") return { is: "waits", asked: false, why };
  return { is: decision.outcome === "run" ? "runs" : "undecided", asked: false, why };
}

function because({ decision }: Pick<Receipt, "decision">): string {
  return decision.because.join("; ");
}

/** If the gate cannot be read, nothing is known about the call. `run` will refuse it for the same reason. */
async function unlessRefused(read: () => Promise<CallState>): Promise<CallState> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof LeewayRefusal)) throw error;
    return { is: "undecided", asked: false, why: error.forModel };
  }
}

/** The result of the tool. An error of the tool itself is thrown unchanged. */
async function refusing<T>(running: Promise<T | NotExecuted>): Promise<T> {
  try {
    const result = await running;
    if (isNotExecuted(result)) throw new CallRefused(result.forModel);
    return result;
  } catch (error) {
    if (error instanceof LeewayRefusal) throw new CallRefused(error.forModel, { cause: error });
    throw error;
  }
}

function note(ran: JsonObject, { askedFor }: { askedFor?: JsonObject }): string | undefined {
  if (askedFor === undefined) return undefined;
  return textOf(say("adapter.edited", { asked: JSON.stringify(askedFor), ran: JSON.stringify(ran) }), "en");
}
