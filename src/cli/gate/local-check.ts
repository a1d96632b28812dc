import { existsSync } from "node:fs";
import { decisionView } from "../../core/decide/explain.ts";
import { saidOf } from "../../core/show/card.ts";
import { causeSentences } from "../../core/show/causes.ts";
import { check, DEFAULT_CALLER } from "../../gate/calls/judging.ts";
import type { Deps } from "../../gate/deps.ts";
import { policyInForce } from "../../gate/standing/policy.ts";
import { type CallGiven, callOf } from "../calls.ts";
import { besideLines } from "../views/policy-view.ts";
import { checkedOf } from "../views/texts.ts";
import type { CheckedCall } from "./command-gate.ts";

// What `leeway check` needs from the local gate. Agent programs start it for every call, so nothing else is loaded with
// it.

export async function judged(deps: Deps, given: CallGiven): Promise<CheckedCall> {
  const call = callOf(deps, given);
  const { decision, effect } = await check(deps, call, DEFAULT_CALLER);
  const because = causeSentences(decision.causes, { effect });
  const checked = checkedOf({ ...decisionView(decision), because }, effect);
  return { checked, call, said: saidOf(call, effect, deps.policies.current().project) };
}

export async function policyNotes(deps: Deps): Promise<readonly string[]> {
  return besideLines(await policyInForce(deps), existsSync);
}
