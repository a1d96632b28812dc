import type { ToolCall } from "../call.ts";
import type { Code } from "../codes.ts";
import type { Cause } from "../decision.ts";
import type { Effect } from "../effect.ts";
import { type Message, say } from "../messages/message.ts";
import type { Pause } from "../standing.ts";
import { canonicalTool } from "../tool-name.ts";
import { actorsOf } from "./actors.ts";
import type { Standing } from "./standing.ts";

/** Why the gate is closed for this call, before any policy is considered. */
export type Closed = { code: Code; causes: readonly Cause[] };

export function closedFor(call: ToolCall, effect: Effect, standing: Standing): Closed | undefined {
  if (!standing.pausesFresh) return closed("LEEWAY_PAUSED", say("reason.pauses_unknown"));
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
    return closed("LEEWAY_QUARANTINED", say("reason.unaccepted_tool"));
  }
  return undefined;
}

function closed(code: Code, because: Message | string): Closed {
  return { code, causes: [{ by: "code", code, because }] };
}

/**
 * A pause of an agent also applies to its sub-agents. Pauses of grants and reviewers are checked where those are
 * used.
 */
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
