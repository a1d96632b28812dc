import { existsSync } from "node:fs";
import { decisionView } from "../../core/decide/receipt-of.ts";
import { saidOf } from "../../core/show/card.ts";
import { causeSentences } from "../../core/show/causes.ts";
import { check } from "../../gate/calls/check.ts";
import { MANNER } from "../../gate/calls/manner.ts";
import type { Deps } from "../../gate/deps.ts";
import { policyInForce } from "../../gate/standing/policy.ts";
import { type CallGiven, callOf } from "../calls.ts";
import { besideLines } from "../policy-view.ts";
import type { Judged } from "./command-gate.ts";
import { checkedOf } from "./judged.ts";

// What `leeway check` needs of the local gate. Agent programs start it for every call, so nothing else is loaded with
// it.

export async function judged(deps: Deps, given: CallGiven): Promise<Judged> {
  const call = callOf(deps, given);
  const { decision, effect } = await check(deps, call, MANNER);
  const because = causeSentences(decision.causes, { effect });
  const checked = checkedOf({ ...decisionView(decision), because }, effect);
  return { checked, call, said: saidOf(call, effect, deps.policies.current().project) };
}

export async function policyNotes(deps: Deps): Promise<readonly string[]> {
  return besideLines(await policyInForce(deps), existsSync);
}
