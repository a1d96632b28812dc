import { span } from "../core/show/when.ts";
import type { Language } from "./words.ts";

const ZH_UNITS: readonly (readonly [RegExp, string])[] = [
  [/ d\b/, " 天"],
  [/ h\b/, " 小时"],
  [/ min\b/, " 分钟"],
  [/ s\b/, " 秒"],
];

/** A span of time in the reader's language: `2 d 3 h`. */
export function spanText(language: Language, ms: number): string {
  const english = span(ms);
  return language === "en" ? english : ZH_UNITS.reduce((text, [unit, word]) => text.replace(unit, word), english);
}

export function inOrAgo(language: Language, atMs: number, nowMs: number): string {
  const text = spanText(language, Math.abs(atMs - nowMs));
  if (Math.abs(atMs - nowMs) < 1000) return language === "en" ? "now" : "现在";
  if (atMs > nowMs) return language === "en" ? `in ${text}` : `${text}后`;
  return language === "en" ? `${text} ago` : `${text}前`;
}
