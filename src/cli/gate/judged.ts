import type { Effect } from "../../core/effect.ts";
import type { Receipt } from "../../core/receipt.ts";
import type { CheckedLine } from "../texts.ts";

/** What goes out for a call that was checked. */
export function checkedOf(decision: Receipt["decision"], effect: Effect): CheckedLine {
  return {
    tier: decision.tier,
    outcome: decision.outcome,
    code: decision.code ?? null,
    classes: [...new Set(effect.parts.map((part) => part.class))],
    understood: effect.understood,
    targets: effect.parts.flatMap((part) => part.targets),
    rules: decision.rules,
    because: decision.because,
  };
}
