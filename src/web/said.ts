import type { Language } from "../core/messages/text.ts";
import { sayIn } from "../core/say/languages.ts";
import { shown } from "./shown.ts";

/** What the gate said in English, to programs and to the record, in the language of the page. */
export function saidIn(language: Language, text: string): string {
  return shown(sayIn(language).told(text));
}

/** What a sentence ends with. */
export const ENDS: { readonly [L in Language]: string } = { en: ".", zh: "。" };

/** The same as a sentence that stands by itself. An id, and the name of a field, is written as it is. */
export function sentenceIn(language: Language, text: string): string {
  const said = saidIn(language, text);
  const begun = /^[a-z]+ /.test(said) ? said.charAt(0).toUpperCase() + said.slice(1) : said;
  return `${begun}${/[.!?。！？]$/.test(said) ? "" : ENDS[language]}`;
}
