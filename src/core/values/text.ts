export {
  hasHidden,
  visible,
  visibleJson,
  visibleLines,
  visibleOnOneLine,
  visibleOnScreen,
  visibleText,
} from "../letters/visible.ts";

const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ["Latin", /\p{Script=Latin}/u],
  ["Cyrillic", /\p{Script=Cyrillic}/u],
  ["Greek", /\p{Script=Greek}/u],
  ["Armenian", /\p{Script=Armenian}/u],
  ["Hebrew", /\p{Script=Hebrew}/u],
  ["Arabic", /\p{Script=Arabic}/u],
  ["Cherokee", /\p{Script=Cherokee}/u],
  ["Georgian", /\p{Script=Georgian}/u],
  ["Coptic", /\p{Script=Coptic}/u],
  ["Lisu", /\p{Script=Lisu}/u],
];
/** Letters in another form: full width, mathematical, enclosed. They look like Latin letters but are not. */
const DRESSED = /[\uFF01-\uFF5E\u{1D400}-\u{1D7FF}\u2100-\u214F\u2460-\u24FF]/u;

/** The scripts that a word mixes, if it mixes any: `pаypal` with a Cyrillic а. */
export function mixedScripts(text: string): readonly string[] {
  for (const word of text.match(/[\p{L}\p{N}]+/gu) ?? []) {
    const found = SCRIPTS.filter(([, pattern]) => pattern.test(word)).map(([name]) => name);
    if (DRESSED.test(word)) found.push("letters in other dress");
    if (found.length > 1 || (found.length === 1 && DRESSED.test(word))) return found;
  }
  return [];
}

/** Wraps text to `width`; nothing is lost. */
export function wrap(text: string, width: number, indent = ""): readonly string[] {
  const room = Math.max(8, width - indent.length);
  const letters = [...text];
  if (letters.length <= room) return [indent + text];
  const lines: string[] = [];
  for (let at = 0; at < letters.length; ) {
    let end = Math.min(letters.length, at + room);
    if (end < letters.length) {
      // Searched only in the second half, so that a line without spaces is not searched from its beginning each time.
      let space = end;
      while (space > at + room / 2 && letters[space] !== " ") space--;
      if (letters[space] === " ") end = space + 1;
    }
    lines.push(indent + letters.slice(at, end).join("").trimEnd());
    at = end;
  }
  return lines;
}
