import { UNEXAMINED } from "../core/classify/facts.ts";
import type { Effect, Part, Target, ToldEffect } from "../core/effect.ts";
import { maskArgs, maskText } from "../core/masking/redact.ts";
import { inEnglish, textOf } from "../core/messages/text.ts";
import type { Receipt } from "../core/receipt.ts";
import type { JsonObject } from "../core/values/json.ts";
import { wordsText } from "../core/values/words-text.ts";

const UNEXAMINED_TEXT = textOf(UNEXAMINED, "en");

/** The same with everything masked that looks like a secret. Rows are JSON; encrypted values are not in them. */
export function maskedTexts<T extends object>(value: T): T {
  return maskArgs(value as JsonObject) as T;
}

/** What a call would do, as a card shows it. */
export function shownEffect({
  maybe: _,
  guessed: __,
  byOrganisation: ___,
  ...given
}: Effect): Omit<ToldEffect, "maybe" | "guessed" | "byOrganisation"> {
  const effect = inEnglish(given);
  const parts = eachPart(effect, (part) => ({ ...part, targets: part.targets.map(shownTarget) }));
  return maskedTexts({ ...effect, parts });
}

/** There is always one part. */
function eachPart({ parts: [first, ...rest] }: Pick<Effect, "parts">, shown: (part: Part) => Part): Effect["parts"] {
  return [shown(first), ...rest.map(shown)];
}

/**
 * Without what was found on the server's disk: an agent may name any path, and the server may be able to read more than the
 * agent. The real targets of paths are left out too; the agent knows the paths that it named.
 */
export function effectForAgent({
  facts: _,
  declared: __,
  maybe: ___,
  guessed: ____,
  byOrganisation: _____,
  ...effect
}: Effect): ToldEffect {
  const notes = effect.notes.map((note) => textOf(note, "en")).filter((note) => note !== UNEXAMINED_TEXT);
  // The only doubt was whether a file exists, and the agent is not told that.
  const understood = notes.length === 0 && effect.notes.length > 0 ? "fully" : effect.understood;
  return {
    ...inEnglish(effect),
    notes,
    understood,
    parts: eachPart(effect, (part) => ({ ...part, targets: part.targets.filter(({ kind }) => kind !== "path") })),
  };
}

/** The reason is left out too, because it could tell the agent whether a file exists that it may not read. */
export function decisionForAgent(decision: Receipt["decision"]): Receipt["decision"] {
  if (!decision.because.some((why) => why.includes(UNEXAMINED_TEXT))) return decision;
  const because = decision.because.flatMap((why) => (why.includes(UNEXAMINED_TEXT) ? withoutFile(why) : [why]));
  return { ...decision, because: because.length === 0 ? decision.because : because };
}

function withoutFile(why: string): readonly string[] {
  const [start = "", notes = ""] = why.split(/: (.*)/s);
  const rest = notes.split("; ").filter((note) => note !== UNEXAMINED_TEXT);
  return rest.length === 0 ? [] : [`${start}: ${rest.join("; ")}`];
}

/** The word before a secret may be needed to recognise it, so a command with a secret is masked as one text. */
function shownTarget(target: Target): Target {
  if (target.kind !== "command") return target;
  const text = wordsText(target.words);
  const shown = maskText(text);
  return shown === text ? target : { ...target, words: [shown] };
}
