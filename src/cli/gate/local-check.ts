import { existsSync } from "node:fs";
import type { ToolCall } from "../../core/call.ts";
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
import type { CheckedBoxes, CheckedCall } from "./command-gate.ts";

// What `leeway check` needs from the local gate. Agent programs start it for every call, so nothing else is loaded with
// it.

export async function judged(
  deps: Deps,
  given: CallGiven,
  { boxes, env }: { boxes: CheckedBoxes; env: Environment },
): Promise<CheckedCall> {
  const call = callOf(deps, given);
  const caller = boxes === false ? DEFAULT_CALLER : await callerAt(deps, call, { boxes, env });
  const { decision, effect } = await check(deps, call, caller);
  const because = causeSentences(decision.causes, { effect });
  const checked = checkedOf({ ...decisionView(decision, effect), because }, effect);
  return { checked, call, said: saidOf(call, effect, deps.policies.current().project) };
}

async function callerAt(
  deps: Deps,
  call: ToolCall,
  { boxes, env }: { boxes: Exclude<CheckedBoxes, false>; env: Environment },
): Promise<CallerOptions> {
  if (givesCommands(call.tool)) return boxes === "kept" ? DEFAULT_CALLER : callerInBox(deps, env, boxes === "live");
  if (boxes !== "kept") return DEFAULT_CALLER;
  const { keepForCall } = await import("../../hooks/kept-files.ts");
  const kept = await keepForCall(deps, call, "only looks");
  return kept === undefined ? DEFAULT_CALLER : { ...DEFAULT_CALLER, door: { ...DEFAULT_CALLER.door, boxes: kept } };
}

async function callerInBox(deps: Deps, env: Environment, isLive: boolean): Promise<CallerOptions> {
  const { boxAbility, callerWith } = await import("./local-boxes.ts");
  const caller = callerWith(deps, env, await boxAbility(deps, env));
  const { boxes } = caller.door;
  return boxes === undefined || !isLive
    ? caller
    : { ...caller, door: { ...caller.door, boxes: { ...boxes, rehearses: false } } };
}

export async function policyNotes(deps: Deps): Promise<readonly string[]> {
  return besideLines(await policyInForce(deps), existsSync);
}
