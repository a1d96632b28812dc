import { visible } from "./visible.ts";

/** A name as one word, however it is written: in quotes unless it is a plain word, so that it cannot be mistaken for the words around it. */
export function nameText(name: string): string {
  return PLAIN.test(name) && !UNSPACED.test(name) ? name : visible(quoted(name));
}

/** A word with double quotes in it is easiest to read in single quotes, if nothing else in it needs care. */
export function quoted(word: string): string {
  if (word.includes('"') && READABLE.test(word)) return `'${word}'`;
  return JSON.stringify(word).replaceAll("`", "\\u0060");
}

export const PLAIN = /^[\p{L}\p{M}\p{N}_@%+=:,./*?~^!{}[\]$#-]+$/u;
const READABLE = /^[^'`\\\p{C}\p{Zl}\p{Zp}]+$/u;
/** Written without spaces, so that a whole sentence would look like one plain word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
