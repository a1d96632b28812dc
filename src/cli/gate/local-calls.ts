import { stillness } from "../../box/in-place/still.ts";
import { stateFolderOf } from "../../config/server-file.ts";
import type { ToolCall } from "../../core/call.ts";
import type { Decision } from "../../core/decision.ts";
import type { Receipt } from "../../core/receipt.ts";
import { opens } from "../../core/steps/submission.ts";
import { cancel } from "../../gate/approvals/cancel.ts";
import { layersBeside } from "../../gate/boxes/besides.ts";
import { type CallerOptions, check } from "../../gate/calls/judging.ts";
import { submit } from "../../gate/calls/submit.ts";
import { wait } from "../../gate/calls/wait.ts";
import type { Deps } from "../../gate/deps.ts";
import { holdingOf } from "../../library/create-gate.ts";
import { claimed } from "../../service/claimed.ts";
import { orThrow } from "../../service/refusal.ts";
import { callOf } from "../calls.ts";
import { Failure } from "../failure.ts";
import type { Io } from "../terminal/io.ts";
import type { CommandCalls } from "./command-gate.ts";
import { boxesHere, callerWith, keptBy } from "./local-boxes.ts";

/** Calls that the gate of this machine decides, and executions that it allows. */
export async function localCalls(deps: Deps, io: Io): Promise<CommandCalls> {
  const boxes = await boxesHere(deps, io);
  const caller = callerWith(deps, io.env, boxes?.ability);
  deps.stillness = stillness(stateFolderOf(io.env));
  return {
    ...holdingOf(deps),
    claim: (executionId) => claimed(deps, executionId, boxes !== undefined),
    submit: async (given, how) => {
      const call = callOf(deps, given);
      if (how?.background !== true)
        return { call, receipt: await submit(deps, call, await besidePrograms(deps, call, caller)) };
      const keeper = keptBy(caller);
      refuseWithoutBox((await check(deps, call, keeper)).decision);
      return { call, receipt: await submit(deps, call, keeper) };
    },
    ...(boxes === undefined ? {} : { boxes: boxes.of }),
    wait: (approvalId, how) => wait(deps, approvalId, how),
    unanswerable: (receipt, agent) => unanswerable(deps, receipt, agent),
  };
}

/** A command without walls opens files that programs in the background can change meanwhile. */
async function besidePrograms(deps: Deps, call: ToolCall, caller: CallerOptions): Promise<CallerOptions> {
  const layers = await layersBeside(deps, call.callId);
  if (layers.length === 0 || (await check(deps, call, caller)).decision.box !== undefined) return caller;
  return { ...caller, scopes: [...caller.scopes, ...layers] };
}

/** A program in the background runs only in a box. Nobody is asked about a call that could not start afterwards. */
function refuseWithoutBox(decision: Decision): void {
  const couldRun = decision.outcome === "run" || opens(decision);
  if (decision.box !== undefined || !couldRun) return;
  throw new Failure(
    5,
    "nothing was run: this command does not run in a box, and a program in the background runs only in one",
    "leave out --background",
  );
}

/** The reason for the caller if nobody is there to answer; undefined if somebody is. */
export async function unanswerable(deps: Deps, receipt: Receipt, agent: string): Promise<Receipt | undefined> {
  const { people } = (await deps.standing.current()).rows;
  if (people.some((person) => person.state === "active" && !person.auditor)) return undefined;
  // If nobody is set up, nobody could see the question; it would surprise the first person later.
  orThrow(await cancel(deps, receipt.approvalId ?? "", { agent }));
  const asked = receipt.decision.because.join("; ");
  const reason = `a person must approve this, but nobody is set up to answer: ${asked}`;
  return { ...receipt, outcome: "denied", code: "LEEWAY_NO_REVIEWER", reason };
}
