import { PLAIN, quoted } from "../letters/name-text.ts";

/** Words as they could be typed: special ones are quoted, so that nobody can fake where a word or the command ends. */
export function wordsText(words: readonly string[]): string {
  return words.map((word) => (PLAIN.test(word) ? word : quoted(word))).join(" ");
}
