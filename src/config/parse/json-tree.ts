import type { Member, Tree } from "../../core/policy/tree.ts";
import { DEPTH_MAX } from "../../core/values/json.ts";

/**
 * JSON text as a tree with positions, or undefined if it has any problem: then the YAML reader reads it and reports
 * the problem. JSON is also YAML, and both readers give the same result. This one is much faster, and long files are
 * usually written by programs.
 */
export function readJsonTree(text: string, file: string): Tree | undefined {
  if (!text.isWellFormed()) return undefined;
  const reader: Reader = { text, file, next: 0, line: 1, lineStart: 0, floor: -1, manner: JSON_MANNER };
  skipLines(reader);
  const tree = text[reader.next] === "{" ? readValue(reader, 1) : undefined;
  skipLines(reader);
  return reader.next === text.length ? tree : undefined;
}

/** The reading position. `lineStart` is where the current line began, for columns. */
export type Reader = {
  text: string;
  file: string;
  next: number;
  line: number;
  lineStart: number;
  /** Continued lines must be indented more than this column. */
  floor: number;
  manner: Notation;
};

export type Scalar = Extract<Tree, { is: "scalar" }>["value"];

/** The differences between JSON and YAML inside brackets. */
export type Notation = {
  /** Goes over the space between two things. */
  space: (r: Reader) => void;
  /** A trailing comma is allowed. */
  lastComma: boolean;
  word: (r: Reader) => Scalar | undefined;
  key: (r: Reader) => string | undefined;
};

export function readValue(r: Reader, depth: number): Tree | undefined {
  if (depth > DEPTH_MAX) return undefined;
  const at = placeOf(r);
  switch (r.text.charCodeAt(r.next)) {
    case OPEN_BRACE: {
      const members = readItems(r, CLOSE_BRACE, () => readMember(r, depth));
      return members === undefined || anyTwice(members) ? undefined : { is: "map", members, at };
    }
    case OPEN_BRACKET: {
      const items = readItems(r, CLOSE_BRACKET, () => readValue(r, depth + 1));
      return items === undefined ? undefined : { is: "list", items, at };
    }
    case QUOTE: {
      const value = readText(r);
      return value === undefined ? undefined : { is: "scalar", value, at };
    }
    default: {
      const value = r.manner.word(r);
      return value === undefined ? undefined : { is: "scalar", value, at };
    }
  }
}

/** The items between two brackets, separated by commas. */
function readItems<T>(r: Reader, close: number, readOne: () => T | undefined): T[] | undefined {
  const items: T[] = [];
  const { space, lastComma } = r.manner;
  r.next++;
  space(r);
  if (took(r, close)) return items;
  for (;;) {
    const item = readOne();
    if (item === undefined) return undefined;
    items.push(item);
    space(r);
    if (took(r, close)) return items;
    if (!took(r, COMMA)) return undefined;
    space(r);
    if (lastComma && took(r, close)) return items;
  }
}

function readMember(r: Reader, depth: number): Member | undefined {
  const at = placeOf(r);
  const key = r.manner.key(r);
  // In YAML the colon must be on the same line as its key.
  if (key === undefined || !took(r, COLON)) return undefined;
  r.manner.space(r);
  const value = readValue(r, depth + 1);
  return value === undefined ? undefined : { key, at, value };
}

/** YAML does not accept longer keys. It counts escapes as written, so this limit is well below. */
const KEY_MAX = 100;

export function readQuotedKey(r: Reader): string | undefined {
  const key = r.text.charCodeAt(r.next) === QUOTE ? readText(r) : undefined;
  return key === undefined || key.length > KEY_MAX ? undefined : key;
}

export function anyTwice(members: readonly Member[]): boolean {
  if (members.length > FEW) return new Set(members.map(({ key }) => key)).size < members.length;
  for (let i = 1; i < members.length; i++) {
    for (let j = 0; j < i; j++) if (members[i]?.key === members[j]?.key) return true;
  }
  return false;
}

/** For so few keys, comparing each with each is cheaper than a set. */
const FEW = 12;

/** Text in double quotes, as JSON writes it. */
function readText(r: Reader): string | undefined {
  const { text, next: start } = r;
  let escaped = false;
  for (let i = start + 1; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) {
      r.next = i + 1;
      return escaped ? unescaped(text.slice(start, i + 1)) : text.slice(start + 1, i);
    }
    if (c < FIRST_PRINTABLE) return undefined;
    if (c === BACKSLASH) {
      escaped = true;
      i++;
    }
  }
  return undefined;
}

function unescaped(written: string): string | undefined {
  try {
    const value = JSON.parse(written) as string;
    return value.isWellFormed() ? value : undefined;
  } catch {
    // An escape that JSON does not know: the YAML reader decides whether it is valid.
    return undefined;
  }
}

const WORD = /(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?=[\s,}\]])/y;

function readWord(r: Reader): Scalar | undefined {
  WORD.lastIndex = r.next;
  const written = WORD.exec(r.text)?.[0];
  if (written === undefined) return undefined;
  r.next += written.length;
  const value = JSON.parse(written) as null | boolean | number;
  return typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER ? undefined : value;
}

export function placeOf(r: Reader): Tree["at"] {
  return { file: r.file, line: r.line, column: r.next - r.lineStart + 1 };
}

function took(r: Reader, c: number): boolean {
  if (r.text.charCodeAt(r.next) !== c) return false;
  r.next++;
  return true;
}

/** Only spaces and line feeds: YAML has special rules for tabs and carriage returns. */
function skipLines(r: Reader): void {
  for (;;) {
    const c = r.text.charCodeAt(r.next);
    if (c !== SPACE && c !== LINE_FEED) return;
    r.next++;
    if (c === SPACE) continue;
    r.line++;
    r.lineStart = r.next;
  }
}

const JSON_MANNER: Notation = { space: skipLines, lastComma: false, word: readWord, key: readQuotedKey };

const LINE_FEED = 10;
const SPACE = 32;
const FIRST_PRINTABLE = 32;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
