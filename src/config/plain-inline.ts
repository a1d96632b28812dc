import { DEPTH_MAX } from "../core/json.ts";
import type { Member, Tree } from "../core/policy/tree.ts";
import { anyTwice, quotedAt } from "./json-tree.ts";

/** A line of a text. `start` is where its first sign stands. */
export type Line = { text: string; file: string; number: number; start: number };

/** A value that ends with its line, or with the comment behind it. */
export function readInline(line: Line, start: number, depth: number): Tree | undefined {
  const cursor: Cursor = { line, next: start };
  const sign = line.text.charAt(start);
  const tree = sign === "{" || sign === "[" || isQuote(sign) ? readFlow(cursor, depth) : readRest(cursor);
  return tree !== undefined && NOTHING_MORE.test(line.text.slice(cursor.next)) ? tree : undefined;
}

/** A key and where its value begins in the line; `end` is undefined where nothing follows it. */
export function readKey(line: Line, start: number): { key: string; end: number | undefined } | undefined {
  const cursor: Cursor = { line, next: start };
  const key = readName(cursor);
  if (key === undefined || line.text.charCodeAt(cursor.next) !== COLON) return undefined;
  const after = cursor.next + 1;
  if (NOTHING_MORE.test(line.text.slice(after))) return { key, end: undefined };
  if (line.text.charCodeAt(after) !== SPACE) return undefined;
  cursor.next = after;
  skipSpace(cursor);
  return { key, end: cursor.next };
}

type Cursor = { line: Line; next: number };

const NOTHING_MORE = /^(?: +#.*| *)$/;
const NAME = /[A-Za-z_/][A-Za-z0-9_./-]*(?=:)/y;
const NAME_MAX = 100;
/** Text to the end of the line: no colon that could end a key, no comment, and no sign in front that means something. */
const REST = /[A-Za-z0-9_/.~$(](?:[^:# ]|:(?=[^ ])|(?<=[^ ])#| +(?=[^ #]))*/y;
/** The same between brackets. */
const PART = /[A-Za-z0-9_/.~$(](?:[^:# ,[\]{}]|:(?=[A-Za-z0-9_/.])| +(?=[^ #,[\]{}]))*(?= *[,\]}])/y;
/** What is no text although it has no quotes. */
const SPECIAL =
  /^(?:~|null|true|false|[-+]?\.inf|\.nan|[-+]?[0-9]+|0o[0-7]+|0x[0-9a-f]+|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:e[-+]?[0-9]+)?)$/i;
const NUMBER = /^(?:0|[1-9][0-9]{0,14})$/;
const WORDS: { readonly [word: string]: null | boolean } = { null: null, true: true, false: false };
const SINGLE = /'(?:[^']|'')*'/y;

function readFlow(c: Cursor, depth: number): Tree | undefined {
  if (depth > DEPTH_MAX - 2) return undefined;
  const at = placeOf(c);
  const sign = c.line.text.charAt(c.next);
  if (sign === "{") {
    const members = readList(c, "}", () => readMember(c, depth));
    return members === undefined || anyTwice(members) ? undefined : { is: "map", members, at };
  }
  if (sign === "[") {
    const items = readList(c, "]", () => readFlow(c, depth + 1));
    return items === undefined ? undefined : { is: "list", items, at };
  }
  if (!isQuote(sign)) return plain(take(c, PART), at);
  const value = readQuoted(c);
  return value === undefined ? undefined : { is: "scalar", value, at };
}

function readList<T>(c: Cursor, close: string, readOne: () => T | undefined): T[] | undefined {
  const items: T[] = [];
  c.next++;
  skipSpace(c);
  if (c.line.text.charAt(c.next) === close) {
    c.next++;
    return items;
  }
  for (;;) {
    const item = readOne();
    if (item === undefined) return undefined;
    items.push(item);
    skipSpace(c);
    const sign = c.line.text.charAt(c.next++);
    if (sign === close) return items;
    if (sign !== ",") return undefined;
    skipSpace(c);
  }
}

function readMember(c: Cursor, depth: number): Member | undefined {
  const at = placeOf(c);
  const quoted = isQuote(c.line.text.charAt(c.next));
  const key = readName(c);
  if (key === undefined || c.line.text.charCodeAt(c.next) !== COLON) return undefined;
  c.next++;
  // Only behind a quoted key may the value follow at once.
  if (!quoted && c.line.text.charCodeAt(c.next) !== SPACE) return undefined;
  skipSpace(c);
  const value = readFlow(c, depth + 1);
  return value === undefined ? undefined : { key, at, value };
}

function readName(c: Cursor): string | undefined {
  const quoted = isQuote(c.line.text.charAt(c.next));
  const name = quoted ? readQuoted(c) : take(c, NAME);
  return name === undefined || name.length > NAME_MAX || (!quoted && SPECIAL.test(name)) ? undefined : name;
}

function readRest(c: Cursor): Tree | undefined {
  const at = placeOf(c);
  return plain(take(c, REST), at);
}

function plain(text: string | undefined, at: Tree["at"]): Tree | undefined {
  if (text === undefined) return undefined;
  if (!SPECIAL.test(text)) return { is: "scalar", value: text, at };
  if (NUMBER.test(text)) return { is: "scalar", value: Number(text), at };
  const value = Object.hasOwn(WORDS, text) ? WORDS[text] : undefined;
  return value === undefined ? undefined : { is: "scalar", value, at };
}

function readQuoted(c: Cursor): string | undefined {
  if (c.line.text.charAt(c.next) === "'") return take(c, SINGLE)?.slice(1, -1).replaceAll("''", "'");
  const read = quotedAt(c.line.text, c.next);
  if (read !== undefined) c.next = read.end;
  return read?.value;
}

/** What the pattern finds at the cursor, which then stands behind it. */
function take(c: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = c.next;
  const found = pattern.exec(c.line.text)?.[0];
  if (found !== undefined) c.next += found.length;
  return found;
}

function skipSpace(c: Cursor): void {
  while (c.line.text.charCodeAt(c.next) === SPACE) c.next++;
}

function isQuote(sign: string): boolean {
  return sign === '"' || sign === "'";
}

function placeOf(c: Cursor): Tree["at"] {
  return { file: c.line.file, line: c.line.number, column: c.next + 1 };
}

const SPACE = 32;
const COLON = 58;
