import type { ToolCall } from "../call.ts";
import type { Effect, Part, Target } from "../effect.ts";
import type { WhenInput } from "../policy.ts";

/** The input of a `when` expression, with the names of `policy/when-fields.ts`; missing values are empty. */
export function whenInput(unit: Unit): WhenInput {
  const { call, effect, part, target } = unit;
  const { tool, args, chain, claims, cwd = "", session = "", run = "", requestedBy = "" } = call;
  return {
    call: {
      agent: unit.actor,
      tool,
      args,
      cwd,
      session,
      run,
      chain,
      claims,
      requestedBy,
    },
    effect: {
      class: part.class,
      capability: part.capability,
      level: part.level,
      reversible: part.reversible,
      reach: part.reach,
      method: part.method ?? "",
      understood: effect.understood,
      path: target?.kind === "path" ? target.path : "",
      command: target?.kind === "command" ? target.words : [],
      domain: target?.kind === "domain" ? target.domain : "",
    },
    context: { workspace: call.workspace, nowMs: unit.nowMs },
  };
}

/** One thing to judge: a target of a part, for one agent of the call's chain. */
export type Unit = {
  readonly call: ToolCall;
  readonly effect: Effect;
  readonly nowMs: number;
  canonicalTool: string;
  actor: string;
  part: Part;
  /** Undefined if the part has no target. */
  target: Target | undefined;
};
