import { visible, visibleText } from "../letters/visible.ts";
import { MESSAGES as ENGLISH } from "./en/messages.ts";
import { isMessage, type Message, type Named } from "./message.ts";
import { shownValue } from "./shown-value.ts";
import { MESSAGES as CHINESE } from "./zh/messages.ts";

/** The languages of Leeway. */
export type Language = "en" | "zh";

/** The sentences of a language, and how it writes values. */
type Catalogue = {
  sentences: { readonly [id: string]: string };
  /** Separates the items of a list. */
  comma: string;
  /** Between two characters of this kind a space is inserted, where a value meets the words of the sentence. */
  apart?: RegExp;
};

const CATALOGUES: { readonly [L in Language]: Catalogue } = {
  en: { sentences: ENGLISH, comma: ", " },
  zh: { sentences: CHINESE, comma: "、", apart: /\p{Script=Han}[!-~]|[!-~]\p{Script=Han}/u },
};

/**
 * A message as text in a language. Its values are shown as `shownValue` says, so that no name in it can be more than a name.
 * A plain string, which is text of another parser or from before messages were data, keeps its lines. It never throws: an
 * entry may contain a message that only a newer version of Leeway knows.
 */
export function textOf(message: Message | string, language: Language): string {
  if (typeof message === "string") return visibleText(message);
  const { say: id, with: values } = message;
  const { sentences } = CATALOGUES[language];
  const sentence = Object.hasOwn(sentences, id) ? sentences[id] : undefined;
  if (sentence === undefined) return unknownText(id, values, language);
  return sentence.includes("{") ? filled(sentence, values, language) : sentence;
}

/** `{name}`, or `{count|reviewer|reviewers}` for one of two words. */
const SLOT = /\{(\w+)(?:\|([^{}|]*)\|([^{}|]*))?\}/g;

function filled(sentence: string, values: Message["with"], language: Language): string {
  const pieces: string[] = [];
  let end = 0;
  for (const { 0: slot, 1: name = "", 2: one, 3: many, index } of sentence.matchAll(SLOT)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const word = value === 1 ? one : many;
    const place = { slot: name, sentence, index, end: index + slot.length };
    const shown = word ?? (value === undefined ? slot : namedText(value, language, (text) => shownValue(text, place)));
    pieces.push(sentence.slice(end, index), shown);
    end = index + slot.length;
  }
  pieces.push(sentence.slice(end));
  const { apart } = CATALOGUES[language];
  if (apart === undefined) return pieces.join("");
  return pieces.reduce((text, piece) => text + (apart.test(text.slice(-1) + piece.slice(0, 1)) ? " " : "") + piece);
}

function namedText(value: Named, language: Language, shown: (text: string) => string): string {
  // The content of a row or an entry is not checked again here: a value that is not an object is shown as it is.
  if (typeof value !== "object" || value === null) return shown(String(value));
  if ("say" in value) return textOf(value, language);
  const items = value.map((one) => (typeof one === "string" ? shown(one) : textOf(one, language)));
  return items.join(CATALOGUES[language].comma);
}

/** `policy.new_thing (key: tier)`: an id is made of English words, and its values follow it. */
function unknownText(id: string, values: Message["with"], language: Language): string {
  const named = Object.entries(values).map(([slot, value]) => {
    const place = { slot, sentence: "", index: 0, end: 0 };
    return `${visible(slot)}: ${namedText(value, language, (text) => shownValue(text, place))}`;
  });
  return named.length === 0 ? visible(id) : `${visible(id)} (${named.join(CATALOGUES[language].comma)})`;
}

/** The same value with text instead of each message. A value that is known only as JSON stays JSON. */
export type InEnglish<T> = [Plain] extends [T] ? T : Told<T>;

type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain };

type Told<T> = T extends string | number | boolean
  ? T
  : T extends Message
    ? string
    : T extends object
      ? { [K in keyof T]: Told<T[K]> }
      : T;

/**
 * A value that Leeway made, as programs get it: with English text instead of every message. Not for values that others
 * sent, which may look like a message without being one.
 */
export function inEnglish<T>(value: T): InEnglish<T> {
  return told(value) as InEnglish<T>;
}

function told(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => (typeof one === "object" ? told(one) : one));
  if ("say" in value && isMessage(value)) return textOf(value, "en");
  const copied: Record<string, unknown> = { ...value };
  for (const name in copied) if (typeof copied[name] === "object") copied[name] = told(copied[name]);
  return copied;
}
