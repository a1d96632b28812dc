import { UNEXAMINED } from "../core/classify/facts.ts";
import type { Effect, Part, Target, ToldEffect } from "../core/effect.ts";
import { maskArgs, maskText } from "../core/masking/redact.ts";
import { inEnglish } from "../core/messages/in-english.ts";
import { textOf } from "../core/messages/text.ts";
import type { Receipt } from "../core/receipt.ts";
import { bodyInEnglish } from "../core/show/entry-body.ts";
import { canonical } from "../core/values/canonical.ts";
import { isObject, type JsonObject } from "../core/values/json.ts";
import { wordsText } from "../core/values/words-text.ts";
import type { Suggested } from "../gate/standing/grants.ts";

const UNEXAMINED_TEXT = textOf(UNEXAMINED, "en");

/** The same with what looks like a secret masked in every text. Rows are JSON but for what is sealed, which is not in them. */
export function maskedTexts<T extends object>(value: T): T {
  return maskArgs(value as JsonObject) as T;
}

/** What a call would do, as far as a card would show it. */
export function shownEffect({ maybe: _, ...given }: Effect): Omit<ToldEffect, "maybe"> {
  const effect = inEnglish(given);
  const parts = eachPart(effect, (part) => ({ ...part, targets: part.targets.map(shownTarget) }));
  return maskedTexts({ ...effect, parts });
}

/** There is always one. */
function eachPart({ parts: [first, ...rest] }: Pick<Effect, "parts">, shown: (part: Part) => Part): Effect["parts"] {
  return [shown(first), ...rest.map(shown)];
}

/** A grant is kept and shown as it is written: one that would have to write a secret down is not offered. */
export function withoutSecret(offer: Suggested): boolean {
  const json = offer as JsonObject;
  return canonical(json) === canonical(maskArgs(json));
}

/** What an entry says, as far as people see it: without what its call may stand for, where a value stands apart from its name. */
export function shownBody(body: JsonObject): JsonObject {
  const told = bodyInEnglish(body);
  const { effect } = told;
  if (!isObject(effect)) return maskArgs(told);
  const { maybe: _, ...rest } = effect;
  return maskArgs({ ...told, effect: rest });
}

/**
 * Without what was found on the server's disk: an agent may ask about any path, and the server may see more than the
 * agent does. Where a path really leads is left out too; the paths that the agent named it knows.
 */
export function effectForAgent({ facts: _, declared: __, maybe: ___, ...effect }: Effect): ToldEffect {
  const notes = effect.notes.map((note) => textOf(note, "en")).filter((note) => note !== UNEXAMINED_TEXT);
  // Only whether a file is there was in doubt, and that is not told.
  const understood = notes.length === 0 && effect.notes.length > 0 ? "fully" : effect.understood;
  return {
    ...inEnglish(effect),
    notes,
    understood,
    parts: eachPart(effect, (part) => ({ ...part, targets: part.targets.filter(({ kind }) => kind !== "path") })),
  };
}

/** Nor does the agent hear why: whether a file is there that it may not read, nobody tells it. */
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

/** A secret may be told by the word before it: a command that holds one is shown as one text, masked as a whole. */
function shownTarget(target: Target): Target {
  if (target.kind !== "command") return target;
  const text = wordsText(target.words);
  const shown = maskText(text);
  return shown === text ? target : { ...target, words: [shown] };
}
