import type { Say } from "../say/say.ts";

/** Longer names are folded on the first screen and stand in full below. */
const NAME_MAX = 100;

/** A text of some length, and how much more there is: nothing is left out in silence. */
export function fold(text: string, say: Say, max = NAME_MAX): string {
  const letters = [...text];
  if (letters.length <= max) return text;
  return say.foldedLetters(letters.slice(0, max).join(""), letters.length - max);
}
