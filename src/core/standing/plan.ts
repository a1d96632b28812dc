import type { Digest, ToolCall } from "../call.ts";
import type { Cause } from "../decision.ts";
import type { Effect } from "../effect.ts";
import type { Tier } from "../tier.ts";
import { canonical } from "../values/canonical.ts";
import type { Json, JsonObject } from "../values/json.ts";
import type { GrantCover } from "./grant.ts";

// A plan is a list of calls that an agent wants to make. It is approved as a whole: the question about it is an ordinary
// question about a call of a tool of Leeway's own, and approving it gives a grant for each call that would be asked about.

/** The tool with which an agent asks people to approve a plan. */
export const PLAN_TOOL = "leeway.plan";

/** More calls than this cannot be read on one card. */
export const PLAN_CALLS_MAX = 50;

export const PLAN_TITLE_MAX = 200;

/**
 * How much more than exactly one call a step may allow: other calls with the same targets, calls with the same
 * subcommand or in the same folder, or the widest grant that the gate would offer for the call.
 */
export const PLAN_WIDTHS = ["targets", "near", "wide"] as const;
export type PlanWidth = (typeof PLAN_WIDTHS)[number];

/**
 * What becomes of a step. `covered`: it would be asked about, and an approval of the plan allows it once. `asks` and
 * `human`: people are asked when the call is made, whatever becomes of the plan. `proposed`: it would only be recorded.
 */
export const STEP_STATES = ["covered", "runs", "asks", "human", "proposed", "denied"] as const;
export type StepState = (typeof STEP_STATES)[number];

export type StepCall = Pick<ToolCall, "tool" | "args" | "cwd" | "definition">;

/** A call of a plan, as it was decided when the plan was submitted. */
export type PlanStep = {
  call: StepCall;
  digest: Digest;
  is: StepState;
  tier: Tier;
  causes: readonly Cause[];
  effect: Effect;
  width?: PlanWidth;
  /** What an approval of the plan allows once, if the step is covered. */
  covers?: GrantCover;
  /** The number of the earlier step that changes a file on which this one depends. Only then would it be known what it does. */
  changedBy?: number;
};

export type Plan = { title: string; steps: readonly PlanStep[] };

/**
 * The arguments of the call that asks about a plan. The digest of the question covers all of them. The steps are one text,
 * so that their commands and paths are not taken for something that this call itself would do.
 */
export function planArgs({ title, steps }: Plan): JsonObject {
  return { title, steps: canonical(steps as unknown as Json) };
}

/** The plan of such a call. Only for questions with the mark `plan`: then the gate itself wrote the arguments. */
export function planIn(args: JsonObject): Plan {
  const { title, steps } = args;
  if (typeof title !== "string" || typeof steps !== "string")
    throw new Error("the question has no plan (this is a bug)");
  return { title, steps: JSON.parse(steps) };
}

/** A step as the call that the agent of the plan would make. */
export function callOfStep(plan: ToolCall, { call }: Pick<PlanStep, "call">): ToolCall {
  const { says: _, replayOf: __, definition: ___, described: ____, cwd: _____, ...same } = plan;
  return { ...same, ...call };
}
