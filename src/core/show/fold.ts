import type { Say } from "../say/say.ts";

/** Longer names are shortened on the first screen and shown in full below. */
const NAME_MAX = 100;

/** Shortens a text and says how much is missing. */
export function fold(text: string, say: Say, max = NAME_MAX): string {
  const letters = [...text];
  if (letters.length <= max) return text;
  return say.foldedLetters(letters.slice(0, max).join(""), letters.length - max);
}
