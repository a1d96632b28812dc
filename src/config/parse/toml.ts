import { say } from "../../core/messages/message.ts";
import { collectFaults, type Faults } from "../../core/policy/shape.ts";
import type { Fault, Tree } from "../../core/policy/tree.ts";
import type { Position } from "../../core/policy.ts";
import { type Cursor, notRead, positionOf, take, unescaped } from "./text-cursor.ts";

// TOML as a tree with positions, so that an importer can name the line of every mistake. Times are read as text.

type Table = { is: "map"; at: Position; members: Map<string, { at: Position; value: Value }>; kind: TableKind };
/** A table that stands in braces is complete; one that only a longer name has made may still get its own heading. */
type TableKind = "heading" | "implied" | "dotted" | "braces";
type Items = { is: "list"; at: Position; items: Value[]; isOfTables: boolean };
type Value = Table | Items | { is: "scalar"; at: Position; value: boolean | number | string };
type Key = { name: string; at: Position };

export function readToml(
  text: string,
  file: string,
): { ok: true; tree: Tree } | { ok: false; faults: readonly Fault[] } {
  const faults = collectFaults();
  const cursor: Cursor = { text, file, next: 0 };
  const root = tableAt({ file, line: 1, column: 1 }, "heading");
  let current: Table | undefined = root;
  while (current !== undefined && !isAtEnd(cursor)) {
    current = cursor.text[cursor.next] === "[" ? heading(cursor, root, faults) : line(cursor, current, faults);
    if (current !== undefined && !endsLine(cursor)) current = notRead(cursor, faults, say("toml.not_read"));
  }
  return current === undefined ? { ok: false, faults: faults.all } : { ok: true, tree: treeOf(root) };
}

const EMPTY_LINES = /(?:[ \t\r\n]|#[^\n]*)*/y;
const SPACE = /[ \t]*/y;

function isAtEnd(cursor: Cursor): boolean {
  take(cursor, EMPTY_LINES);
  return cursor.next === cursor.text.length;
}

function endsLine(cursor: Cursor): boolean {
  return take(cursor, /[ \t]*(?:#[^\n]*)?(?:\r?\n|$(?![\s\S]))/y) !== undefined;
}

/** `[table]` or `[[list of tables]]`: the table that the following lines belong to. */
function heading(cursor: Cursor, root: Table, faults: Faults): Table | undefined {
  const isList = take(cursor, /\[\[/y) !== undefined;
  if (!isList) take(cursor, /\[/y);
  const keys = keysIn(cursor, faults);
  if (keys === undefined) return undefined;
  if (take(cursor, isList ? /\]\]/y : /\]/y) === undefined) return notRead(cursor, faults, say("toml.not_read"));
  const within = below(root, keys.slice(0, -1), "implied", faults);
  const last = keys.at(-1);
  if (within === undefined || last === undefined) return undefined;
  const held = within.members.get(last.name)?.value;
  if (isList) return nextTable(within, last, held, faults);
  if (held === undefined) return added(within, last, tableAt(last.at, "heading"));
  if (held.is !== "map" || held.kind !== "implied") return twice(last, held, faults);
  held.kind = "heading";
  return held;
}

function nextTable(within: Table, key: Key, held: Value | undefined, faults: Faults): Table | undefined {
  const made = tableAt(key.at, "heading");
  if (held === undefined) {
    within.members.set(key.name, {
      at: key.at,
      value: { is: "list", at: key.at, items: [made], isOfTables: true },
    });
    return made;
  }
  if (held.is !== "list" || !held.isOfTables) return twice(key, held, faults);
  held.items.push(made);
  return made;
}

function line(cursor: Cursor, table: Table, faults: Faults): Table | undefined {
  return entry(cursor, table, faults) ? table : undefined;
}

/** `key = value`, where the key may have dots. */
function entry(cursor: Cursor, table: Table, faults: Faults): boolean {
  const keys = keysIn(cursor, faults);
  const last = keys?.at(-1);
  if (keys === undefined || last === undefined) return false;
  if (take(cursor, /=[ \t]*/y) === undefined) {
    notRead(cursor, faults, say("toml.not_read"));
    return false;
  }
  const within = below(table, keys.slice(0, -1), "dotted", faults);
  const value = within === undefined ? undefined : valueIn(cursor, faults);
  if (within === undefined || value === undefined) return false;
  const held = within.members.get(last.name)?.value;
  if (held !== undefined) {
    twice(last, held, faults);
    return false;
  }
  within.members.set(last.name, { at: last.at, value });
  return true;
}

function keysIn(cursor: Cursor, faults: Faults): readonly Key[] | undefined {
  const keys: Key[] = [];
  do {
    take(cursor, SPACE);
    const at = positionOf(cursor, cursor.next);
    const name = take(cursor, /[A-Za-z0-9_-]+/y) ?? quotedLine(cursor);
    if (name === undefined) return notRead(cursor, faults, say("toml.not_read"));
    keys.push({ name, at });
    take(cursor, SPACE);
  } while (take(cursor, /\./y) !== undefined);
  return keys;
}

/** The table that these keys lead to, made where it is missing. */
function below(table: Table, keys: readonly Key[], kind: TableKind, faults: Faults): Table | undefined {
  let within = table;
  for (const key of keys) {
    const held = within.members.get(key.name)?.value;
    const found = held?.is === "list" && held.isOfTables ? held.items.at(-1) : held;
    if (found === undefined) within = added(within, key, tableAt(key.at, kind));
    else if (found.is !== "map" || found.kind === "braces") return twice(key, found, faults);
    else if (kind === "dotted" && found.kind !== "dotted") return twice(key, found, faults);
    else within = found;
  }
  return within;
}

function added(within: Table, { name, at }: Key, table: Table): Table {
  within.members.set(name, { at, value: table });
  return table;
}

function twice({ name, at }: Key, held: Value, faults: Faults): undefined {
  faults.add(at, say("yaml.duplicate_key", { key: name }), say("yaml.remove_one", { line: held.at.line }));
  return undefined;
}

function tableAt(at: Position, kind: TableKind): Table {
  return { is: "map", at, members: new Map(), kind };
}

/** As deep as files go; more would only fill the memory. */
const DEPTH_MAX = 32;

function valueIn(cursor: Cursor, faults: Faults, depth = 0): Value | undefined {
  const at = positionOf(cursor, cursor.next);
  if (depth > DEPTH_MAX) return notRead(cursor, faults, say("yaml.too_deep", { max: DEPTH_MAX }));
  if (take(cursor, /\[/y) !== undefined) return itemsIn(cursor, at, faults, depth);
  if (take(cursor, /\{/y) !== undefined) return bracesIn(cursor, at, faults, depth);
  const text = quotedLines(cursor) ?? quotedLine(cursor);
  if (text !== undefined) return { is: "scalar", at, value: text };
  const word = take(cursor, /[A-Za-z0-9_.+:-]+/y);
  const value = word === undefined ? undefined : plainValue(word);
  return value === undefined ? notRead(cursor, faults, say("toml.not_read")) : { is: "scalar", at, value };
}

function itemsIn(cursor: Cursor, at: Position, faults: Faults, depth: number): Items | undefined {
  const items: Value[] = [];
  for (;;) {
    take(cursor, EMPTY_LINES);
    if (take(cursor, /\]/y) !== undefined) return { is: "list", at, items, isOfTables: false };
    const item = valueIn(cursor, faults, depth + 1);
    if (item === undefined) return undefined;
    items.push(item);
    take(cursor, EMPTY_LINES);
    if (take(cursor, /,/y) === undefined && cursor.text[cursor.next] !== "]")
      return notRead(cursor, faults, say("toml.not_read"));
  }
}

function bracesIn(cursor: Cursor, at: Position, faults: Faults, depth: number): Table | undefined {
  const table = tableAt(at, "heading");
  if (depth > DEPTH_MAX) return notRead(cursor, faults, say("yaml.too_deep", { max: DEPTH_MAX }));
  for (;;) {
    take(cursor, EMPTY_LINES);
    if (take(cursor, /\}/y) !== undefined) break;
    if (!entry(cursor, table, faults)) return undefined;
    take(cursor, EMPTY_LINES);
    if (take(cursor, /,/y) === undefined && cursor.text[cursor.next] !== "}")
      return notRead(cursor, faults, say("toml.not_read"));
  }
  table.kind = "braces";
  return table;
}

function quotedLine(cursor: Cursor): string | undefined {
  const start = cursor.next;
  const literal = take(cursor, /'[^'\n]*'/y);
  if (literal !== undefined) return literal.slice(1, -1);
  const basic = take(cursor, /"(?:[^"\\\n]|\\[^\n])*"/y);
  const text = basic === undefined ? undefined : unescaped(basic.slice(1, -1));
  if (text === undefined) cursor.next = start;
  return text;
}

/** Text in three quotes; a line break right after them does not count. */
function quotedLines(cursor: Cursor): string | undefined {
  const start = cursor.next;
  const literal = take(cursor, /'''[\s\S]*?'{3,5}/y);
  if (literal !== undefined) return literal.slice(3, -3).replace(/^\r?\n/, "");
  const basic = take(cursor, /"""(?:[^\\]|\\[\s\S])*?"{3,5}/y);
  if (basic === undefined) return undefined;
  const joined = basic
    .slice(3, -3)
    .replace(/^\r?\n/, "")
    .replace(/\\[ \t]*\r?\n[ \t\r\n]*/g, "");
  const text = unescaped(joined);
  if (text === undefined) cursor.next = start;
  return text;
}

function plainValue(word: string): boolean | number | string | undefined {
  if (word === "true" || word === "false") return word === "true";
  if (/^[+-]?(\d+(_\d+)*)(\.\d+(_\d+)*)?([eE][+-]?\d+)?$/.test(word)) return Number(word.replaceAll("_", ""));
  if (/^0(x[0-9A-Fa-f_]+|o[0-7_]+|b[01_]+)$/.test(word)) return Number(word.replaceAll("_", ""));
  // A date or a time.
  return /^\d{2,4}[-:]\d{2}[-:.\dTtZz+]*$/.test(word) ? word : undefined;
}

function treeOf(value: Value): Tree {
  if (value.is === "scalar") return value;
  if (value.is === "list") return { is: "list", at: value.at, items: value.items.map(treeOf) };
  const members = [...value.members].map(([key, member]) => ({ key, at: member.at, value: treeOf(member.value) }));
  return { is: "map", at: value.at, members };
}
