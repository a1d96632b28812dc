import type { ToolCall } from "../../core/call.ts";
import { classify, namedPaths, namedSettings } from "../../core/classify/classify.ts";
import { declaredTools } from "../../core/classify/known-tool.ts";
import { readCall } from "../../core/classify/reading.ts";
import { compilePolicy } from "../../core/decide/compile.ts";
import { decide } from "../../core/decide/decide.ts";
import { bareStanding, type Standing } from "../../core/decide/standing.ts";
import type { Decision } from "../../core/decision.ts";
import type { Effect, Part } from "../../core/effect.ts";
import type { Policy } from "../../core/policy.ts";
import type { Grant } from "../../core/standing/grant.ts";
import { sha256 } from "../../core/values/hash.ts";
import type { Deps } from "../deps.ts";

/** What would have been decided about a call; and if it would not have run without a question, which parts are the reason. */
export type Rehearsed = { decision: Decision; effect: Effect; held: readonly { part: Part; decision: Decision }[] };

/**
 * Decides calls by policies alone, as if they were made in the given project. Nothing is recorded, and no limit,
 * promotion or pause counts, and only the grants that are given, to try them.
 */
export function rehearsal(
  deps: Pick<Deps, "paths" | "policies">,
  policies: readonly Policy[],
  project: string,
): (call: ToolCall, grants?: readonly Grant[]) => Rehearsed {
  const declared = declaredTools(policies);
  const { layers, policyVersion } = layersOf(policies);
  const standing = bareStanding(layers, policyVersion);
  const { places } = deps.policies.current();
  return (call, grants = []) => {
    const reading = readCall(call);
    const facts = deps.paths.about([project, ...namedPaths(reading)], call.cwd ?? project, project);
    const settings = deps.paths.settings(namedSettings(reading, project), project);
    const effect = classify(reading, { declared, project, facts: { ...facts, settings }, own: places });
    const decision = decide(call, effect, { ...standing, grants: grants.map((grant) => ({ grant, usesLeft: 1 })) }, 0);
    return { decision, effect, held: decision.outcome === "run" ? [] : heldUp(call, effect, standing) };
  };
}

function layersOf(policies: readonly Policy[]): Pick<Standing, "layers" | "policyVersion"> {
  return {
    layers: policies.map(compilePolicy),
    policyVersion: sha256(policies.map((policy) => policy.version).join("\n")),
  };
}

/** Each part is judged separately, as if it were fully understood. The causes say what else stops the whole call. */
function heldUp(call: ToolCall, effect: Effect, standing: Standing): Rehearsed["held"] {
  return effect.parts.flatMap((part) => {
    const decision = decide(call, { ...effect, parts: [part], understood: "fully", notes: [] }, standing, 0);
    return decision.outcome === "run" ? [] : [{ part, decision }];
  });
}
