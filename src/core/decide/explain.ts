import type { Cause } from "../decision.ts";
import type { Effect } from "../effect.ts";
import { BUILT_IN, type Position } from "../policy.ts";
import { EN } from "../say/en.ts";
import type { Say } from "../say/say.ts";
import { partsMeant } from "./parts-meant.ts";

/** One sentence per cause, in the order the decision was made. What is recorded and answered to programs is English. */
export function sentencesOf(causes: readonly Cause[]): readonly string[] {
  return causes.map((cause) => sentenceOf(cause, EN));
}

export function rulesOf(causes: readonly Cause[]): readonly string[] {
  return causes.flatMap((cause) => (cause.by === "rule" ? [cause.name] : []));
}

/** With the effect at hand a preset is said to speak of the parts that it does speak of. */
export function sentenceOf(cause: Cause, say: Say, effect?: Pick<Effect, "parts">): string {
  const { causes } = say;
  switch (cause.by) {
    case "pause":
      return causes.paused(cause.because, cause.who);
    case "baseline":
      return where(causes.baseline(cause.row, cause.tier, meant(cause, effect)), cause.at, say);
    case "rule":
      return where(causes.rule(cause.name, cause.tier, cause.because), cause.at, say);
    case "silent":
      return causes.silent;
    case "grant":
      return causes.grant(cause.id, cause.tier);
    case "callback":
      return causes.callback(cause.name, cause.tier, cause.because);
    case "understanding":
      return causes.understanding(cause.understood, cause.notes);
    case "unread":
      return causes.unread(cause.what, cause.why);
    case "demotion":
      return causes.demotion(cause.tier, cause.because);
    case "limit":
      return where(causes.limit(cause), cause.at, say);
    case "human":
      return where(causes.human(cause.mark), cause.at, say);
    case "headless":
      return causes.headless(cause.tier);
    case "permit":
      return causes.permit(cause.executionId);
    case "code":
      return causes.code(cause.because);
    case "erased":
      return causes.erased;
  }
}

function meant({ row, tier }: Extract<Cause, { by: "baseline" }>, effect: Pick<Effect, "parts"> | undefined) {
  return effect === undefined ? [] : partsMeant(row, tier, effect);
}

function where(sentence: string, at: Position | undefined, { causes }: Say): string {
  if (at === undefined) return sentence;
  return at.file === BUILT_IN ? causes.builtIn(sentence) : causes.at(sentence, at.file, at.line);
}
