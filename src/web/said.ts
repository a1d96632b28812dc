import type { Message } from "../core/messages/message.ts";
import { type Language, textOf } from "../core/messages/text.ts";
import { shown } from "./shown.ts";

/** A message in the language of the page. What was kept as text, before messages were data, is shown as it is. */
export function saidIn(language: Language, said: Message | string): string {
  return shown(textOf(said, language));
}

/** The end of a sentence. */
export const ENDS: { readonly [L in Language]: string } = { en: ".", zh: "。" };

/** The same as a sentence that stands by itself. An id, and the name of a field, is written as it is. */
export function sentenceIn(language: Language, said: Message | string): string {
  const text = saidIn(language, said);
  const begun = /^[a-z]+ /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return `${begun}${/[.!?。！？]$/.test(text) ? "" : ENDS[language]}`;
}
