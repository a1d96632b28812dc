import type { Digest, ToolCall } from "../core/call.ts";
import { decisionView } from "../core/decide/explain.ts";
import { coverText } from "../core/decide/suggest/suggest.ts";
import type { Receipt } from "../core/receipt.ts";
import { PLAN_TOOL, type StepState } from "../core/standing/plan.ts";
import type { CallerOptions } from "../gate/calls/judging.ts";
import { type DecidedStep, submitPlan } from "../gate/calls/plan.ts";
import type { Deps } from "../gate/deps.ts";
import { badInput, LeewayRefusal } from "./refusal.ts";
import { inside } from "./shape.ts";
import type { ReadCall } from "./shapes/call.ts";
import type { ReadPlan } from "./shapes/plan.ts";

/** What would happen to one call of a plan. */
export type PlannedCall = {
  /**
   * `covered`: an approval of the plan allows it once. `runs`: it needs no approval. `asks`, `human`: people are asked when
   * the call is made. `proposed`: it would only be recorded. `denied`: it will not run.
   */
  is: StepState;
  digest: Digest;
  decision: Receipt["decision"];
  /** What an approval of the plan allows once, if it is more than exactly this call. */
  allows?: string;
  /** The number of the earlier call, counted from 1, that changes a file on which this one depends; so it is asked about later. */
  changedBy?: number;
};

export type PlanReceipt = {
  /** In the order of the plan. */
  steps: readonly PlannedCall[];
  /** The question about the plan, to wait for; left out if an approval would allow nothing, so nobody is asked. */
  receipt?: Receipt;
};

type Planning = {
  /** Makes a call as this door makes all of them. */
  callOf(said: ReadCall, path: string): ToolCall;
  caller: CallerOptions;
};

/** Decides the calls of a plan, and asks people about it once. */
export async function planned(deps: Deps, said: ReadPlan, { callOf, caller }: Planning): Promise<PlanReceipt> {
  const { title, calls, callId, says, ...identity } = said;
  const named = { ...(callId === undefined ? {} : { callId }), ...(says === undefined ? {} : { says }) };
  const { tool: _, args: __, ...asks } = callOf({ ...identity, ...named, tool: PLAN_TOOL }, "");
  const steps = calls.map(({ width, ...call }, at) => ({
    call: callOf({ ...identity, ...call }, inside("calls", at)),
    ...(width === undefined ? {} : { width }),
  }));
  const done = await submitPlan(deps, { asks, title, steps }, caller);
  if (done.ok) return { ...done.value, steps: done.value.steps.map(plannedCall) };
  if (done.at === undefined) throw new LeewayRefusal(done);
  throw badInput(inside(inside("calls", done.at), "width"), done.reason, done.hint);
}

function plannedCall({ step, decision }: DecidedStep): PlannedCall {
  const { is, digest, covers, width, changedBy, call } = step;
  return {
    is,
    digest,
    decision: decisionView(decision, step.effect),
    ...(covers === undefined || width === undefined ? {} : { allows: coverText(covers, undefined, call.cwd) }),
    ...(changedBy === undefined ? {} : { changedBy }),
  };
}
