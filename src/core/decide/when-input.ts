import type { WhenInput } from "../policy.ts";
import type { Json } from "../values/json.ts";
import type { Unit } from "./match.ts";

/** What a `when` expression sees, by the names of `policy/when-fields.ts`; what a call does not have is absent. */
export function whenInput(unit: Unit): WhenInput {
  const { call, effect, part } = unit;
  return {
    call: {
      agent: unit.actor,
      tool: call.tool,
      args: call.args,
      ...(call.cwd === undefined ? {} : { cwd: call.cwd }),
      ...(call.session === undefined ? {} : { session: call.session }),
      ...(call.run === undefined ? {} : { run: call.run }),
      chain: call.chain,
      claims: call.claims,
      ...(call.requestedBy === undefined ? {} : { requestedBy: call.requestedBy }),
    },
    effect: {
      class: part.class,
      capability: part.capability,
      level: part.level,
      reversible: part.reversible,
      reach: part.reach,
      ...(part.method === undefined ? {} : { method: part.method }),
      understood: effect.understood,
      targets: part.targets as unknown as Json,
    },
    context: { workspace: call.workspace, nowMs: unit.nowMs },
  };
}
