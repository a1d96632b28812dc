/** Words as they could be typed: special ones are quoted, so that nobody can fake where a word or the command ends. */
export function wordsText(words: readonly string[]): string {
  return words.map((word) => (PLAIN.test(word) ? word : quoted(word))).join(" ");
}

function quoted(word: string): string {
  return JSON.stringify(word).replaceAll("`", "\\u0060");
}

const PLAIN = /^[\p{L}\p{M}\p{N}_@%+=:,./*?~^!{}[\]$#-]+$/u;
