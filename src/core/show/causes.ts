import { sentenceOf } from "../decide/explain.ts";
import { STANDARD } from "../decide/layers.ts";
import type { Cause } from "../decision.ts";
import type { Effect } from "../effect.ts";
import type { Language } from "../messages/text.ts";
import { sayIn } from "../say/languages.ts";
import { shortPath } from "./sentence.ts";

/** One sentence per cause. What no file says is not shown as a line of one. */
export function causeSentences(
  causes: readonly Cause[],
  { language = "en", project, effect }: { language?: Language; project?: string; effect?: Pick<Effect, "parts"> } = {},
): readonly string[] {
  const say = sayIn(language);
  return causes.map((cause) => {
    if (cause.by === "baseline" && cause.at?.file === STANDARD.source) {
      const { at: _, ...bare } = cause;
      return say.causes.builtIn(sentenceOf(bare, say, effect));
    }
    if (!("at" in cause) || cause.at === undefined) return sentenceOf(cause, say, effect);
    return sentenceOf({ ...cause, at: { ...cause.at, file: shortPath(cause.at.file, project) } }, say, effect);
  });
}
