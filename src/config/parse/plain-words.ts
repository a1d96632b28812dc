import { type Notation, type Reader, readQuotedKey, type Scalar } from "./json-tree.ts";

// Plain words as YAML 1.2 reads them; undefined for every word that is not obviously plain.

/** Begins with a letter, so it cannot be a number, and contains nothing that is special in YAML. */
const KEY = /[A-Za-z_/][A-Za-z0-9_./*-]{0,99}(?=:[ \n])/y;

export function readPlainKey(r: Reader): string | undefined {
  const key = taken(KEY, r);
  return key === undefined || WORDS.has(key) ? undefined : key;
}

/** To the end of the line or to a comment. A colon inside a word is part of it. */
const IN_LINE = /[A-Za-z0-9_/~.-](?:[^\n:#]|:(?=[!-~]))*/y;
/** The same between brackets, where commas and brackets end it. */
const IN_BRACKETS = /[A-Za-z0-9_/~.-](?:[^\n:#,[\]{}]|:(?=[A-Za-z0-9_/.*-]))*/y;
const SINGLE = /'(?:[^'\n]|'')*'/y;

export function readPlain(r: Reader): Scalar | undefined {
  return readSingle(r) ?? meaning(taken(IN_LINE, r), r);
}

export const BETWEEN_BRACKETS: Notation = {
  space: skipInBrackets,
  lastComma: true,
  word: (r) => readSingle(r) ?? meaning(taken(IN_BRACKETS, r), r),
  key: (r) => (r.text.charCodeAt(r.next) === QUOTE ? readQuotedKey(r) : readPlainKey(r)),
};

/** Continues on the next line only if that is indented more; otherwise stops before the line break. */
function skipInBrackets(r: Reader): void {
  const { text } = r;
  let i = r.next;
  let { line, lineStart } = r;
  for (;;) {
    const c = text.charCodeAt(i);
    if (c !== SPACE && c !== LINE_FEED) break;
    i++;
    if (c === SPACE) continue;
    line++;
    lineStart = i;
  }
  if (line > r.line && i - lineStart <= r.floor) return;
  r.next = i;
  r.line = line;
  r.lineStart = lineStart;
}

function readSingle(r: Reader): string | undefined {
  return r.text.charCodeAt(r.next) === APOSTROPHE ? taken(SINGLE, r)?.slice(1, -1).replaceAll("''", "'") : undefined;
}

const WORDS: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ...["null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
]);

/**
 * Numbers that all YAML versions read in the same way, and durations. Everything else that begins with a digit is
 * left to the library.
 */
const NUMBER = /^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?$/;
const DURATION = /^[0-9]{1,9}[smhd]$/;
/** A dot and a letter begin a file name, or `.inf` or `.nan`. */
const STARTS_AS_TEXT = /^(?:[A-Za-z_/]|~\/|\.(?!inf$|nan$)[a-z])/i;

function meaning(taken: string | undefined, r: Reader): Scalar | undefined {
  if (taken === undefined) return undefined;
  // Trailing spaces are not part of the word, and a comment needs a space before it.
  let length = taken.length;
  while (taken.charCodeAt(length - 1) === SPACE) length--;
  const word = taken.slice(0, length);
  r.next -= taken.length - length;
  if (STARTS_AS_TEXT.test(word)) {
    const known = WORDS.get(word);
    return known === undefined ? word : known;
  }
  if (NUMBER.test(word)) return Number(word);
  return DURATION.test(word) ? word : undefined;
}

function taken(pattern: RegExp, r: Reader): string | undefined {
  pattern.lastIndex = r.next;
  const found = pattern.exec(r.text)?.[0];
  if (found !== undefined) r.next += found.length;
  return found;
}

const LINE_FEED = 10;
const SPACE = 32;
const QUOTE = 34;
const APOSTROPHE = 39;
