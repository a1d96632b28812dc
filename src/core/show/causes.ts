import { sentenceOf } from "../decide/explain.ts";
import { STANDARD } from "../decide/layers.ts";
import type { Cause } from "../decision.ts";

/** One sentence per cause. What no file says is not shown as a line of one. */
export function causeSentences(causes: readonly Cause[]): readonly string[] {
  return causes.map((cause) => {
    if (cause.by !== "baseline" || cause.at?.file !== STANDARD.source) return sentenceOf(cause);
    const { at: _, ...bare } = cause;
    return `${sentenceOf(bare)} (built in; no policy file counts here)`;
  });
}
