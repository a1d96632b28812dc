import { DEFAULT_CALLER } from "../../gate/calls/judging.ts";
import type { Deps } from "../../gate/deps.ts";
import { type PlanReceipt, planned } from "../../service/plans.ts";
import { callOf } from "../../service/scope.ts";
import { parse } from "../../service/shape.ts";
import { PLAN, type PlanInput } from "../../service/shapes/plan.ts";

/** A plan that the gate of this machine decides. */
export function plannedHere(deps: Deps, plan: PlanInput): Promise<PlanReceipt> {
  const { workspace, mint } = deps;
  const around = { scope: { chain: [], layers: [] }, agent: "cli", workspace, mint };
  return planned(deps, parse(PLAN, plan), { callOf: (said) => callOf(said, around), caller: DEFAULT_CALLER });
}
