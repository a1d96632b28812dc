/** Words as they could be typed: special ones are quoted, so that nobody can fake where a word or the command ends. */
export function wordsText(words: readonly string[]): string {
  return words.map((word) => (PLAIN.test(word) ? word : quoted(word))).join(" ");
}

/** A word with double quotes in it is easiest to read in single quotes, if nothing else in it needs care. */
function quoted(word: string): string {
  if (word.includes('"') && READABLE.test(word)) return `'${word}'`;
  return JSON.stringify(word).replaceAll("`", "\\u0060");
}

const PLAIN = /^[\p{L}\p{M}\p{N}_@%+=:,./*?~^!{}[\]$#-]+$/u;
const READABLE = /^[^'`\\\p{C}\p{Zl}\p{Zp}]+$/u;
