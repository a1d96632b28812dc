/** Words as one could type them: what is not plain is quoted, so that where a word or the command ends cannot be forged. */
export function wordsText(words: readonly string[]): string {
  return words.map((word) => (PLAIN.test(word) ? word : quoted(word))).join(" ");
}

function quoted(word: string): string {
  return JSON.stringify(word).replaceAll("`", "\\u0060");
}

const PLAIN = /^[\p{L}\p{M}\p{N}_@%+=:,./*?~^!{}[\]$#-]+$/u;
