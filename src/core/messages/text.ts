import { MESSAGES as ENGLISH } from "./en/messages.ts";
import type { Message, Named } from "./message.ts";
import { MESSAGES as CHINESE } from "./zh/messages.ts";

/** The languages that Leeway speaks. */
export type Language = "en" | "zh";

/** The sentences of a language, and how it writes what they name. */
type Catalogue = {
  sentences: { readonly [id: string]: string };
  /** Stands between the items of a list. */
  comma: string;
  /** Two neighbours of this kind have a space between them, where what is named meets the words of the sentence. */
  apart?: RegExp;
};

const CATALOGUES: { readonly [L in Language]: Catalogue } = {
  en: { sentences: ENGLISH, comma: ", " },
  zh: { sentences: CHINESE, comma: "、", apart: /\p{Script=Han}[!-~]|[!-~]\p{Script=Han}/u },
};

/**
 * A message as text in a language. A plain string stays as it is: a parser of somebody else said it, or an entry was written
 * before messages were data. It never throws: an entry may hold a message that only a newer version of Leeway knows.
 */
export function textOf(message: Message | string, language: Language): string {
  if (typeof message === "string") return message;
  const { say: id, with: values } = message;
  const { sentences } = CATALOGUES[language];
  const sentence = Object.hasOwn(sentences, id) ? sentences[id] : undefined;
  return sentence === undefined ? unknownText(id, values, language) : filled(sentence, values, language);
}

/** `{name}`, or `{count|reviewer|reviewers}` for one of two words. */
const SLOT = /\{(\w+)(?:\|([^{}|]*)\|([^{}|]*))?\}/g;

function filled(sentence: string, values: Message["with"], language: Language): string {
  let text = "";
  let end = 0;
  for (const { 0: slot, 1: name = "", 2: one, 3: many, index } of sentence.matchAll(SLOT)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const word = value === 1 ? one : many;
    text = joined(text, sentence.slice(end, index), language);
    text = joined(text, word ?? (value === undefined ? slot : namedText(value, language)), language);
    end = index + slot.length;
  }
  return joined(text, sentence.slice(end), language);
}

function joined(left: string, right: string, language: Language): string {
  const isApart = CATALOGUES[language].apart?.test(left.slice(-1) + right.slice(0, 1)) ?? false;
  return `${left}${isApart ? " " : ""}${right}`;
}

function namedText(value: Named, language: Language): string {
  // What a row or an entry holds is not checked again here: whatever is no object is shown as it is written.
  if (typeof value !== "object" || value === null) return String(value);
  return "say" in value
    ? textOf(value, language)
    : value.map((one) => textOf(one, language)).join(CATALOGUES[language].comma);
}

/** `policy.new_thing (key: tier)`: an id is made of English words, and what it names is said beside it. */
function unknownText(id: string, values: Message["with"], language: Language): string {
  const named = Object.entries(values).map(([name, value]) => `${name}: ${namedText(value, language)}`);
  return named.length === 0 ? id : `${id} (${named.join(CATALOGUES[language].comma)})`;
}
