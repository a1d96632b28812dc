import { DEPTH_MAX } from "../core/json.ts";
import type { Member, Tree } from "../core/policy/tree.ts";
import { anyTwice } from "./json-tree.ts";
import { type Line, readInline, readKey } from "./plain-inline.ts";

/**
 * The plain part of YAML that policies are written in, as a tree with positions: maps and lists by indentation, and
 * values that begin and end in their line. Undefined wherever a line is anything else, and then the reader of all of
 * YAML takes the whole text. That one is the definition; this one is only its fast way through a long file.
 */
export function readPlainYaml(text: string, file: string): Tree | undefined {
  if (NOT_PLAIN.test(text)) return undefined;
  const lines = linesOf(text, file);
  const [first] = lines;
  if (lines.some((line) => line.text.length > LINE_MAX)) return undefined;
  if (first === undefined || first.start !== 0) return undefined;
  const reader: Reader = { lines, next: 0 };
  const tree = readBlock(reader, first.start, 1);
  return reader.next === lines.length ? tree : undefined;
}

/** Other letters have rules of their own in YAML, as tabs and carriage returns have. */
const NOT_PLAIN = /[^ -~\n]/;
/** Nobody writes longer ones, and patterns are tried on them. */
const LINE_MAX = 10_000;
/** Marks of documents and directives. */
const MARK = /^(---|\.\.\.|%)/;

type Reader = { lines: Line[]; next: number };

/** The lines that say something, each from its first sign. */
function linesOf(text: string, file: string): Line[] {
  const lines: Line[] = [];
  let number = 0;
  for (let from = 0; from <= text.length; ) {
    number++;
    const feed = text.indexOf("\n", from);
    const end = feed < 0 ? text.length : feed;
    let start = from;
    while (start < end && text.charCodeAt(start) === SPACE) start++;
    if (start < end && text.charCodeAt(start) !== HASH) {
      lines.push({ text: text.slice(from, end), file, number, start: start - from });
    }
    from = end + 1;
  }
  return lines;
}

function readBlock(r: Reader, indent: number, depth: number): Tree | undefined {
  const line = r.lines[r.next];
  if (line === undefined || depth > DEPTH_MAX - 2) return undefined;
  const at = { file: line.file, line: line.number, column: indent + 1 };
  if (isItem(line)) {
    const items = readItems(r, indent, depth);
    return items === undefined ? undefined : { is: "list", items, at };
  }
  const members = readMembers(r, indent, depth);
  return members === undefined || anyTwice(members) ? undefined : { is: "map", members, at };
}

function readItems(r: Reader, indent: number, depth: number): Tree[] | undefined {
  const items: Tree[] = [];
  for (let line = r.lines[r.next]; line?.start === indent && isItem(line); line = r.lines[r.next]) {
    let start = indent + 1;
    while (line.text.charCodeAt(start) === SPACE) start++;
    const item = readItem(r, { ...line, start }, depth);
    if (item === undefined) return undefined;
    items.push(item);
  }
  return isDeeper(r, indent) ? undefined : items;
}

/** What follows the dash: a value, or the first line of a map that goes on below it. */
function readItem(r: Reader, rest: Line, depth: number): Tree | undefined {
  if (readKey(rest, rest.start) === undefined) {
    r.next++;
    return readInline(rest, rest.start, depth + 1);
  }
  r.lines[r.next] = rest;
  return readBlock(r, rest.start, depth + 1);
}

function readMembers(r: Reader, indent: number, depth: number): Member[] | undefined {
  const members: Member[] = [];
  for (let line = r.lines[r.next]; line?.start === indent && !isItem(line); line = r.lines[r.next]) {
    const key = MARK.test(line.text) ? undefined : readKey(line, indent);
    if (key === undefined) return undefined;
    r.next++;
    const value = key.end === undefined ? readBelow(r, indent, depth + 1) : readInline(line, key.end, depth + 1);
    if (value === undefined) return undefined;
    members.push({ key: key.key, at: { file: line.file, line: line.number, column: indent + 1 }, value });
  }
  return isDeeper(r, indent) ? undefined : members;
}

/** The block under a key: further in, or a list whose dashes stand under the key itself. */
function readBelow(r: Reader, indent: number, depth: number): Tree | undefined {
  const line = r.lines[r.next];
  if (line === undefined) return undefined;
  if (line.start > indent || (line.start === indent && isItem(line))) return readBlock(r, line.start, depth);
  return undefined;
}

/** A line further in than the block it follows belongs to a value of several lines, or to a mistake. */
function isDeeper(r: Reader, indent: number): boolean {
  const line = r.lines[r.next];
  return line !== undefined && line.start > indent;
}

function isItem({ text, start }: Line): boolean {
  return text.charCodeAt(start) === DASH && text.charCodeAt(start + 1) === SPACE;
}

const SPACE = 32;
const HASH = 35;
const DASH = 45;
