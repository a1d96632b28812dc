import { maskText } from "../../core/masking/redact.ts";
import type { Message } from "../../core/messages/message.ts";
import { type Language, textOf } from "../../core/messages/text.ts";
import { sayIn } from "../../core/say/languages.ts";
import { span, inOrAgo as told } from "../../core/show/when.ts";
import { visible, visibleLines } from "../../core/values/text.ts";
import { type Html, html } from "./html.ts";

/** A message in the language of the page. Text from before messages were data is shown unchanged. */
export function saidIn(language: Language, said: Message | string): string {
  return shown(textOf(said, language));
}

/** The end of a sentence. */
export const ENDS: { readonly [L in Language]: string } = { en: ".", zh: "。" };

/** The same as a complete sentence. An id, and the name of a field, is not capitalised. */
export function sentenceIn(language: Language, said: Message | string): string {
  const text = saidIn(language, said);
  const begun = /^[a-z]+ /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return `${begun}${/[.!?。！？]$/.test(text) ? "" : ENDS[language]}`;
}

/** Text of others for a page: invisible characters are written out, and secrets are masked. */
export function shown(text: string): string {
  return visible(maskText(text));
}

/** The same for text with several lines. */
export function shownLines(text: string): Html {
  return html`${visibleLines(maskText(text.trim())).map((line, at) => html`${at > 0 && html`<br>`}${line}`)}`;
}

/** A span of time in the reader's language: `2 d 3 h`. */
export function spanText(language: Language, ms: number): string {
  return span(ms, sayIn(language));
}

export function inOrAgo(language: Language, atMs: number, nowMs: number): string {
  return told(atMs, nowMs, sayIn(language));
}
