import type { Effect, Target } from "../core/effect.ts";
import { maskArgs, maskText } from "../core/show/redact.ts";
import type { JsonObject } from "../core/values/json.ts";
import { wordsText } from "../core/values/words-text.ts";

/** What a call would do, as far as a card would show it. */
export function shownEffect(effect: Effect): JsonObject {
  const parts = effect.parts.map((part) => ({ ...part, targets: part.targets.map(shownTarget) }));
  return maskArgs({ ...effect, parts } as unknown as JsonObject);
}

/** A secret may be told by the word before it: a command that holds one is shown as one text, masked as a whole. */
function shownTarget(target: Target): Target {
  if (target.kind !== "command") return target;
  const text = wordsText(target.words);
  const shown = maskText(text);
  return shown === text ? target : { ...target, words: [shown] };
}
