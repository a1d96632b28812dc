import type { Member, Tree } from "../../core/policy/tree.ts";
import { DEPTH_MAX } from "../../core/values/json.ts";
import { anyTwice, placeOf, type Reader, readQuotedKey, readValue } from "./json-tree.ts";
import { BETWEEN_BRACKETS, readPlain, readPlainKey } from "./plain-words.ts";

/**
 * A fast reader for the YAML that nearly all policies use: maps and lists by indentation, one value per line,
 * brackets, comments. Returns undefined for everything else, rare or wrong: then the library reads the whole text and
 * reports errors. What this reader accepts, the library reads in the same way, with the same positions.
 */
export function readPlainYaml(text: string, file: string): Tree | undefined {
  if (UNUSUAL.test(text) || !text.isWellFormed()) return undefined;
  const reader: Reader = { text, file, next: 0, line: 1, lineStart: 0, floor: -1, manner: BETWEEN_BRACKETS };
  const tree = nextColumn(reader) === 0 ? readMap(reader, 0, 1) : undefined;
  return reader.next === text.length ? tree : undefined;
}

/** Tabs, carriage returns and unusual spaces, for which YAML has special rules. */
const UNUSUAL =
  /[\0-\x09\x0b-\x1f\x7f-\xa0\xad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff0-\uffff]/;

/** The keys of a map, all at one column. */
function readMap(r: Reader, column: number, depth: number): Tree | undefined {
  const at = placeOf(r);
  const members: Member[] = [];
  do {
    const keyAt = placeOf(r);
    const key = readKey(r);
    const value = key === undefined ? undefined : readMemberValue(r, column, depth + 1);
    if (key === undefined || value === undefined) return undefined;
    members.push({ key, at: keyAt, value });
  } while (nextColumn(r) === column);
  return anyTwice(members) ? undefined : { is: "map", members, at };
}

/** The items of a list, all at one column. */
function readList(r: Reader, column: number, depth: number): Tree | undefined {
  const at = placeOf(r);
  const items: Tree[] = [];
  do {
    r.next++;
    skipSpaces(r);
    const item = readItem(r, column, depth + 1);
    if (item === undefined) return undefined;
    items.push(item);
  } while (nextColumn(r) === column && isDash(r));
  return { is: "list", items, at };
}

/** A map may begin after the dash; its other keys are then below the first. */
function readItem(r: Reader, column: number, depth: number): Tree | undefined {
  if (depth > DEPTH_MAX) return undefined;
  const start = r.next;
  const isMap = readKey(r) !== undefined;
  r.next = start;
  return isMap ? readMap(r, start - r.lineStart, depth) : readInLine(r, column, depth);
}

/** The value of a key: the rest of its line, or the indented lines below; a list may start directly below. */
function readMemberValue(r: Reader, column: number, depth: number): Tree | undefined {
  if (depth > DEPTH_MAX) return undefined;
  if (!atLineEnd(r)) {
    skipSpaces(r);
    return readInLine(r, column, depth);
  }
  const below = nextColumn(r);
  if (below >= column && isDash(r)) return readList(r, below, depth);
  if (below <= column) return undefined;
  return isBracket(r) ? readInLine(r, column, depth) : readMap(r, below, depth);
}

/** A value in the rest of the line; only brackets may continue on the next line, indented more than `column`. */
function readInLine(r: Reader, column: number, depth: number): Tree | undefined {
  const at = placeOf(r);
  if (isBracket(r) || r.text.charCodeAt(r.next) === QUOTE) {
    r.floor = column;
    const tree = readValue(r, depth);
    return tree !== undefined && atLineEnd(r) ? tree : undefined;
  }
  const value = readPlain(r);
  return value !== undefined && atLineEnd(r) ? { is: "scalar", value, at } : undefined;
}

/** A key and its colon, with a space or the end of the line behind it. */
function readKey(r: Reader): string | undefined {
  const key = r.text.charCodeAt(r.next) === QUOTE ? readQuotedKey(r) : readPlainKey(r);
  if (key === undefined || r.text.charCodeAt(r.next) !== COLON) return undefined;
  r.next++;
  const behind = r.text.charCodeAt(r.next);
  return behind === SPACE || behind === LINE_FEED ? key : undefined;
}

/** Expects the end of the line or a comment. A comment needs a space before it. */
function atLineEnd(r: Reader): boolean {
  const { text } = r;
  let i = r.next;
  while (text.charCodeAt(i) === SPACE) i++;
  return i === text.length || text.charCodeAt(i) === LINE_FEED || (i > r.next && text.charCodeAt(i) === HASH);
}

/** Moves to the next content and returns its column; -1 at the end of the text. */
function nextColumn(r: Reader): number {
  const { text } = r;
  for (;;) {
    skipSpaces(r);
    const c = text.charCodeAt(r.next);
    if (c !== LINE_FEED && c !== HASH) return r.next === text.length ? -1 : r.next - r.lineStart;
    const end = text.indexOf("\n", r.next);
    if (end === -1) {
      r.next = text.length;
      return -1;
    }
    r.next = end + 1;
    r.line++;
    r.lineStart = r.next;
  }
}

function isDash({ text, next }: Reader): boolean {
  return text.charCodeAt(next) === DASH && text.charCodeAt(next + 1) === SPACE;
}

function isBracket({ text, next }: Reader): boolean {
  const c = text.charCodeAt(next);
  return c === OPEN_BRACE || c === OPEN_BRACKET;
}

function skipSpaces(r: Reader): void {
  while (r.text.charCodeAt(r.next) === SPACE) r.next++;
}

const LINE_FEED = 10;
const SPACE = 32;
const QUOTE = 34;
const HASH = 35;
const DASH = 45;
const COLON = 58;
const OPEN_BRACKET = 91;
const OPEN_BRACE = 123;
