import { digestOf, type ToolCall, tooLarge } from "../../core/call.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { Asking, Decision } from "../../core/decision.ts";
import { say } from "../../core/messages/message.ts";
import { emptyPolicy, type Policy, type Rule } from "../../core/policy.ts";
import type { Receipt } from "../../core/receipt.ts";
import { PLAN_TOOL, type PlanStep, type PlanWidth, planArgs, type StepCall } from "../../core/standing/plan.ts";
import { stepOutcome } from "../../core/steps/standing/plan-step.ts";
import { sha256 } from "../../core/values/hash.ts";
import type { Runner } from "../../ports.ts";
import type { Deps } from "../deps.ts";
import type { InForce } from "../standing/standing.ts";
import { timeNow } from "../time/clock.ts";
import { type CallerOptions, countersOf, effectOf, judge, replyFor } from "./judging.ts";
import { submit } from "./submit.ts";

/** A plan as a door sends it. `asks` is the call that asks about it, without arguments: who asks, in which session. */
export type SentPlan = {
  asks: Omit<ToolCall, "tool" | "args">;
  title: string;
  steps: readonly { call: ToolCall; width?: PlanWidth }[];
};

/** A step, with the decision about it. */
export type DecidedStep = { step: PlanStep; decision: Decision };

/** The steps in their order, and the question about the plan, if an approval would allow anything. */
export type SubmittedPlan = { steps: readonly DecidedStep[]; receipt?: Receipt };

type Submitted = { ok: true; value: SubmittedPlan } | (Refused & { at?: number });

/**
 * Decides every call of a plan as it would be decided now, runs none of them, and asks people once about all that would be
 * asked about.
 */
export async function submitPlan(deps: Deps, sent: SentPlan, caller: CallerOptions): Promise<Submitted> {
  const given = { title: sent.title, steps: sent.steps.map(({ call }) => ({ call: stepCall(call) })) };
  if (tooLarge({ ...sent.asks, tool: PLAN_TOOL, args: given })) {
    return refused("LEEWAY_TOO_LARGE", say("refusal.plan_too_large"), say("hint.plan_shorter"));
  }
  const nowMs = await timeNow(deps);
  const inForce = await deps.standing.current();
  const steps: DecidedStep[] = [];
  for (const [at, one] of sent.steps.entries()) {
    const decided = await decidedStep(deps, one, { earlier: steps, caller, inForce, nowMs });
    if (decided === "no-width") {
      const why = say("refusal.plan_width", { width: one.width ?? "" });
      return { ...refused("LEEWAY_BAD_INPUT", why, say("hint.plan_width")), at };
    }
    steps.push(decided);
  }
  const covered = steps.filter(({ step }) => step.is === "covered");
  if (covered.length === 0) return { ok: true, value: { steps } };
  const args = planArgs({ title: sent.title, steps: steps.map(({ step }) => step) });
  const asking = covered.map(({ decision }) => decision.asking);
  deps.runners.set(PLAN_TOOL, planRunner());
  const receipt = await submit(
    deps,
    { ...sent.asks, tool: PLAN_TOOL, args },
    {
      scopes: [...caller.scopes, ...layersFor(asking)],
      door: { ...caller.door, edits: false },
      runBy: "leeway",
      plan: covered.some(({ step }) => step.width !== undefined) ? "wider" : "exact",
    },
  );
  return { ok: true, value: { steps, receipt } };
}

type Around = { earlier: readonly DecidedStep[]; caller: CallerOptions; inForce: InForce; nowMs: number };

async function decidedStep(
  deps: Deps,
  { call, width }: SentPlan["steps"][number],
  { earlier, caller, inForce, nowMs }: Around,
): Promise<DecidedStep | "no-width"> {
  const effect = effectOf(deps, call, inForce);
  const given = { inForce, caller, ...(await countersOf(deps, call, effect, { inForce, caller, nowMs })) };
  const reply = await replyFor(deps, call, effect, given, nowMs);
  const { decision, standing } = judge(deps, call, effect, { ...given, reply: reply?.given }, nowMs);
  const { project } = deps.policies.current();
  const wanted = width === undefined ? {} : { width };
  const outcome = stepOutcome(
    { call, effect, decision, standing, ...wanted, project, nowMs },
    earlier.map(({ step }) => step),
  );
  if (outcome.is === "no-width") return "no-width";
  const { tier, causes } = decision;
  return {
    decision,
    step: { call: stepCall(call), digest: digestOf(call), ...outcome, tier, causes, effect, ...wanted },
  };
}

function stepCall({ tool, args, cwd, definition }: ToolCall): StepCall {
  return {
    tool,
    args,
    ...(cwd === undefined ? {} : { cwd }),
    ...(definition === undefined ? {} : { definition }),
  };
}

/**
 * Layers for the question about the plan. Nothing but a review of it can allow it, and it needs everything that the
 * questions about its steps would need: a review from each list of reviewers, the largest quorum, the shortest times.
 */
function layersFor(asking: readonly Asking[]): readonly Policy[] {
  const nothing = emptyPolicy(PLAN_TOOL, sha256(PLAN_TOOL));
  const approvals = {
    quorum: Math.max(...asking.map(({ quorum }) => quorum)),
    expiresMs: Math.min(...asking.map(({ expiresMs }) => expiresMs)),
    permitMs: Math.min(...asking.map(({ permitMs }) => permitMs)),
    selfReview: asking.every(({ selfReview }) => selfReview),
    assurance: asking.some(({ assurance }) => assurance === "person") ? ("person" as const) : ("any" as const),
  };
  const lists = new Map(asking.flatMap(({ reviewers }) => reviewers).map((list) => [JSON.stringify(list), list]));
  return [
    { ...nothing, rules: [ASK_ALWAYS], approvals },
    ...[...lists.values()].map((reviewers) => ({ ...nothing, reviewers })),
  ];
}

const ASK_ALWAYS: Rule = {
  name: "plan",
  match: { tool: [PLAN_TOOL] },
  tier: "ask",
  because: "a plan is approved by a person, as a whole",
  examples: { match: [], miss: [] },
  human: false,
  firm: true,
  reviewers: [],
  at: { file: PLAN_TOOL, line: 1, column: 1 },
};

/** The grants are given with the deciding review, so there is nothing left to do when the call runs. */
export function planRunner(): Runner {
  return { name: PLAN_TOOL, idempotent: true, run: async () => ({ ok: true, result: { approved: true } }) };
}
