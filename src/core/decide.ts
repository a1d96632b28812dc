import type { ToolCall } from "./call.ts";
import type { Cause, Decision, Outcome } from "./decision.ts";
import type { Effect } from "./effect.ts";
import { APPROVAL_DEFAULTS } from "./policy.ts";
import type { Standing } from "./standing.ts";
import type { Tier } from "./tier.ts";

/** Pure, total, never throws on data. */
export function decide(_call: ToolCall, effect: Effect, standing: Standing, _nowMs: number): Decision {
  let tier: Tier = "ask";
  let cause: Cause = { by: "baseline", row: { of: "default" }, tier, layer: "none" };
  for (const layer of standing.layers) {
    for (const row of layer.policy.tiers) {
      if (row.for === "class" && effect.parts.some((part) => part.class === row.name)) {
        tier = row.tier;
        cause = { by: "baseline", row: { of: "class", name: row.name }, tier, layer: layer.policy.source, at: row.at };
      }
    }
  }
  return {
    tier,
    outcome: outcomeOf(tier),
    needsHuman: false,
    causes: [cause],
    considered: [],
    limits: [],
    asking: { ...APPROVAL_DEFAULTS, reviewers: [] },
    policyVersion: standing.policyVersion,
  };
}

export function outcomeOf(tier: Tier): Outcome {
  switch (tier) {
    case "deny":
      return "denied";
    case "shadow":
    case "suggest":
      return "not_executed";
    case "ask":
      return "pending";
    case "notify":
    case "auto":
      return "run";
  }
}
