import { wait } from "../../gate/calls/wait.ts";
import type { PlanReceipt } from "../../service/plans.ts";
import { planned } from "../../service/plans.ts";
import { maybe, object } from "../../service/shape.ts";
import { PLAN } from "../../service/shapes/plan.ts";
import { actRoute, reply } from "../api-route.ts";
import { PLAN_RECEIPT } from "../schemas.ts";
import { decisionForAgent } from "../shown-to-agents.ts";
import { receiptForAgent, seconds } from "./calls.ts";
import { callerOf, ensureOwnName, SENT, scopedCall } from "./sent-call.ts";

const { chain, layers, facts } = SENT.keys;

export const PLAN_ROUTES = [
  actRoute("POST /v1/plans", {
    for: ["agent"],
    summary:
      "Decides up to 50 calls, runs none of them, and asks people once about all that would be asked about. Wait for the `receipt`.",
    gives: PLAN_RECEIPT,
    body: object({ ...PLAN.keys, chain, layers, facts, wait: maybe(seconds) }),
    answer: async ({ deps }, request) => {
      const { chain: between, layers: given = [], wait: waiting = 0, facts: _, ...said } = request.body;
      const sent = between === undefined ? {} : { chain: between };
      const callOf = (one: Parameters<typeof scopedCall>[1], path: string) =>
        scopedCall(deps, { ...one, ...sent }, request, path);
      await ensureOwnName(deps, callOf({ tool: "leeway.plan", ...said }, ""), "");
      const plan = await planned(deps, said, { callOf, caller: callerOf(deps, { layers: given }) });
      const isOpen = plan.receipt?.outcome === "pending" && plan.receipt.approvalId !== undefined;
      if (plan.receipt === undefined || !isOpen || waiting === 0) return planReply(plan);
      const how = { timeoutMs: waiting * 1000, signal: request.gone() };
      return planReply({ ...plan, receipt: await wait(deps, plan.receipt.id, how) });
    },
  }),
];

function planReply({ steps, receipt }: PlanReceipt) {
  const shown: PlanReceipt = {
    steps: steps.map((step) => ({ ...step, decision: decisionForAgent(step.decision) })),
    ...(receipt === undefined ? {} : { receipt: receiptForAgent(receipt) }),
  };
  return reply(shown, receipt?.outcome === "pending" ? 202 : 200);
}
