import { builtIn, causeMessage, sentenceOf } from "../decide/explain.ts";
import { STANDARD } from "../decide/layers.ts";
import type { Cause } from "../decision.ts";
import type { Effect } from "../effect.ts";
import { type Language, textOf } from "../messages/text.ts";
import { shortPath } from "./sentence.ts";

/**
 * One sentence per cause. A cause that is in no file is not shown with a line. A file that was changed and not accepted yet applies
 * in both versions; what both say alike is said once.
 */
export function causeSentences(
  causes: readonly Cause[],
  { language = "en", project, effect }: { language?: Language; project?: string; effect?: Pick<Effect, "parts"> } = {},
): readonly string[] {
  const sentences = causes.map((cause) => {
    if (cause.by === "baseline" && cause.at?.file === STANDARD.source) {
      const { at: _, ...bare } = cause;
      return textOf(builtIn(causeMessage(bare, effect)), language);
    }
    if (!("at" in cause) || cause.at === undefined) return sentenceOf(cause, language, effect);
    return sentenceOf({ ...cause, at: { ...cause.at, file: shortPath(cause.at.file, project) } }, language, effect);
  });
  return [...new Set(sentences)];
}
