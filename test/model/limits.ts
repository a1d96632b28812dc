import type { ToolCall } from "../../src/core/call.ts";
import type { Standing } from "../../src/core/decide/standing.ts";
import type { LimitRule, Policy } from "../../src/core/policy.ts";
import type { Tier } from "../../src/core/tier.ts";
import { canonicalTool } from "../../src/core/tool-name.ts";
import { atPointer } from "../../src/core/values/json.ts";
import { type Case, holds } from "./match.ts";

/** The cap of each limit of a policy that the call would exceed. Counters are named by limit and owner. */
export function limitsReached(
  policy: Policy,
  outer: readonly Policy[],
  cases: readonly Case[],
  call: ToolCall,
  standing: Standing,
  nowMs: number,
): Tier[] {
  const nth = 1 + outer.filter((other) => other.source === policy.source).length;
  return policy.limits.flatMap((limit, i) => {
    const same = policy.limits.slice(0, i).filter((other) => other.name === limit.name).length;
    const key = `${policy.source}#${limit.name}${same === 0 ? "" : `#${same + 1}`}`;
    const actors = cases.filter((one) => holds(limit.match, one, policy) !== "no").map((one) => one.actor);
    return actors.flatMap((actor) => {
      const used = standing.used(countersOf(limit, [key, nth], actor, call, nowMs));
      return used + amount(limit, call) > limit.max * 1e6 ? [limit.then] : [];
    });
  });
}

function countersOf(limit: LimitRule, key: readonly (string | number)[], actor: string, call: ToolCall, nowMs: number) {
  const bucketMs = Math.ceil(limit.perMs / 12);
  const whom = { agent: actor, session: call.session ?? "", tool: canonicalTool(call.tool), workspace: "" }[limit.by];
  return Array.from({ length: 13 }, (_, back) => {
    const bucket = Math.floor(nowMs / bucketMs) - back;
    return `limit:${JSON.stringify([...key, limit.by, whom, bucketMs])}:${bucket}`;
  });
}

function amount(limit: LimitRule, call: ToolCall): number {
  if (limit.sum === undefined) return 1e6;
  const value = atPointer(call.args, limit.sum);
  const decimal = typeof value === "number" || (typeof value === "string" && /^\d+(\.\d+)?$/.test(value));
  return decimal && Number(value) >= 0 ? Number(value) * 1e6 : Number.POSITIVE_INFINITY;
}
