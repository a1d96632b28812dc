import type { ToolCall } from "../call.ts";
import type { Code } from "../codes.ts";
import type { Cause } from "../decision.ts";
import type { Effect } from "../effect.ts";
import type { Pause } from "../standing.ts";
import { canonicalTool } from "../tool-name.ts";
import { actorsOf } from "./actors.ts";
import type { Standing } from "./standing.ts";

/** Why the gate is closed for this call before any policy is asked. */
export type Closed = { code: Code; causes: readonly Cause[] };

export function closedFor(call: ToolCall, effect: Effect, standing: Standing): Closed | undefined {
  if (!standing.pausesFresh) return closed("LEEWAY_PAUSED", "the view of what is paused is too old to rely on");
  const paused = standing.pauses.length === 0 ? [] : standing.pauses.filter((pause) => pauseHolds(pause, call));
  if (paused.length > 0) {
    return {
      code: "LEEWAY_PAUSED",
      causes: paused.map(({ id, because, by: who }) => ({ by: "pause", id, because, who })),
    };
  }
  if (standing.noPolicy !== undefined) return closed("LEEWAY_POLICY_INVALID", standing.noPolicy);
  if (effect.refused !== undefined) return closed(effect.refused.code, effect.refused.because);
  if (standing.quarantined) {
    return closed("LEEWAY_QUARANTINED", "the tool's definition is new or changed and nobody accepted it");
  }
  return undefined;
}

function closed(code: Code, because: string): Closed {
  return { code, causes: [{ by: "code", code, because }] };
}

/** A pause of an agent holds for everybody it calls upon. Grants and reviewers are paused where they are used. */
export function pauseHolds({ state, scope }: Pause, call: ToolCall): boolean {
  if (state !== "set") return false;
  switch (scope.of) {
    case "everything":
      return true;
    case "agent":
      return actorsOf(call).includes(scope.name);
    case "session":
      return call.session === scope.name;
    case "tool":
      return (
        canonicalTool(scope.name) === canonicalTool(call.tool) &&
        (scope.session === undefined || scope.session === call.session) &&
        (scope.agent === undefined || actorsOf(call).includes(scope.agent))
      );
    case "grant":
    case "reviewer":
      return false;
  }
}
