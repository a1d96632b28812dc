import { sayIn } from "../core/say/languages.ts";
import { span, inOrAgo as told } from "../core/show/when.ts";
import type { Language } from "./words.ts";

/** A span of time in the reader's language: `2 d 3 h`. */
export function spanText(language: Language, ms: number): string {
  return span(ms, sayIn(language));
}

export function inOrAgo(language: Language, atMs: number, nowMs: number): string {
  return told(atMs, nowMs, sayIn(language));
}
