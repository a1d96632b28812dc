import { existsSync } from "node:fs";
import { decisionView } from "../../core/decide/explain.ts";
import { givesCommands } from "../../core/decide/tool-view.ts";
import { saidOf } from "../../core/show/card.ts";
import { causeSentences } from "../../core/show/causes.ts";
import type { Environment } from "../../core/tables/variables.ts";
import { type CallerOptions, check, DEFAULT_CALLER } from "../../gate/calls/judging.ts";
import type { Deps } from "../../gate/deps.ts";
import { policyInForce } from "../../gate/standing/policy.ts";
import { type CallGiven, callOf } from "../calls.ts";
import { besideLines } from "../views/policy-view.ts";
import { checkedOf } from "../views/texts.ts";
import type { CheckedCall } from "./command-gate.ts";

// What `leeway check` needs from the local gate. Agent programs start it for every call, so nothing else is loaded with
// it.

/** `env`: set if the call would run in a box, where this machine can make one. */
export async function judged(deps: Deps, given: CallGiven, env: Environment | undefined): Promise<CheckedCall> {
  const call = callOf(deps, given);
  const caller = env === undefined || !givesCommands(call.tool) ? DEFAULT_CALLER : await callerInBox(deps, env);
  const { decision, effect } = await check(deps, call, caller);
  const because = causeSentences(decision.causes, { effect });
  const checked = checkedOf({ ...decisionView(decision, effect), because }, effect);
  return { checked, call, said: saidOf(call, effect, deps.policies.current().project) };
}

async function callerInBox(deps: Deps, env: Environment): Promise<CallerOptions> {
  const { boxAbility, callerWith } = await import("./local-boxes.ts");
  return callerWith(deps, env, await boxAbility(deps, env));
}

export async function policyNotes(deps: Deps): Promise<readonly string[]> {
  return besideLines(await policyInForce(deps), existsSync);
}
