import { say } from "../../core/messages/message.ts";
import { collectFaults, type Faults } from "../../core/policy/shape.ts";
import type { Fault, Member, Tree } from "../../core/policy/tree.ts";
import { type Cursor, notRead, positionOf, take, unescaped } from "./text-cursor.ts";

/**
 * A `.rules` file of Codex as a tree: one list, `prefix_rule`, with the arguments of each call. The language of these
 * files is Starlark, a program; only calls of `prefix_rule` with texts and lists are read. Everything else is an
 * error, because a rule that a program makes would be missing.
 */
export function readCodexRules(
  text: string,
  file: string,
): { ok: true; tree: Tree } | { ok: false; faults: readonly Fault[] } {
  const faults = collectFaults();
  const cursor: Cursor = { text, file, next: 0 };
  const items: Tree[] = [];
  for (;;) {
    take(cursor, SPACE);
    if (cursor.next === text.length) break;
    const call = callIn(cursor, faults);
    if (call === undefined) return { ok: false, faults: faults.all };
    items.push(call);
  }
  const at = { file, line: 1, column: 1 };
  const members = items.length === 0 ? [] : [{ key: "prefix_rule", at, value: { is: "list" as const, at, items } }];
  return { ok: true, tree: { is: "map", at, members } };
}

const SPACE = /(?:[ \t\r\n;]|#[^\n]*)*/y;
const INNER = /(?:[ \t\r\n]|\\\r?\n|#[^\n]*)*/y;

function callIn(cursor: Cursor, faults: Faults): Tree | undefined {
  const at = positionOf(cursor, cursor.next);
  if (take(cursor, /prefix_rule[ \t]*\(/y) === undefined) {
    faults.add(at, say("codex.only_prefix_rule"), say("codex.remove_other_lines"));
    return undefined;
  }
  const members: Member[] = [];
  for (;;) {
    take(cursor, INNER);
    if (take(cursor, /\)/y) !== undefined) return { is: "map", at, members };
    const member = argumentIn(cursor, faults);
    if (member === undefined) return undefined;
    if (members.some(({ key }) => key === member.key)) {
      faults.add(member.at, say("yaml.duplicate_key", { key: member.key }), say("text.check_signs"));
      return undefined;
    }
    members.push(member);
    take(cursor, INNER);
    if (take(cursor, /,/y) === undefined && cursor.text[cursor.next] !== ")")
      return notRead(cursor, faults, say("codex.not_read"));
  }
}

function argumentIn(cursor: Cursor, faults: Faults): Member | undefined {
  const at = positionOf(cursor, cursor.next);
  const key = take(cursor, /[A-Za-z_]\w*/y);
  take(cursor, INNER);
  if (key === undefined || take(cursor, /=(?!=)/y) === undefined) return notRead(cursor, faults, say("codex.not_read"));
  const value = valueIn(cursor, faults);
  if (value === undefined) return undefined;
  // `"a" + b` would be another value than the one read.
  take(cursor, INNER);
  return { key, at, value };
}

function valueIn(cursor: Cursor, faults: Faults, depth = 0): Tree | undefined {
  take(cursor, INNER);
  const at = positionOf(cursor, cursor.next);
  const text = textIn(cursor);
  if (text !== undefined) return { is: "scalar", at, value: text };
  if (depth > 3 || take(cursor, /\[/y) === undefined) return notRead(cursor, faults, say("codex.not_read"));
  const items: Tree[] = [];
  for (;;) {
    take(cursor, INNER);
    if (take(cursor, /\]/y) !== undefined) return { is: "list", at, items };
    const item = valueIn(cursor, faults, depth + 1);
    if (item === undefined) return undefined;
    items.push(item);
    take(cursor, INNER);
    if (take(cursor, /,/y) === undefined && cursor.text[cursor.next] !== "]")
      return notRead(cursor, faults, say("codex.not_read"));
  }
}

function textIn(cursor: Cursor): string | undefined {
  const start = cursor.next;
  const long = take(cursor, /"""(?:[^\\]|\\[\s\S])*?"""|'''(?:[^\\]|\\[\s\S])*?'''/y);
  const raw = long ?? take(cursor, /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/y);
  const quotes = long === undefined ? 1 : 3;
  const text = raw === undefined ? undefined : unescaped(raw.slice(quotes, -quotes).replace(/\\\r?\n/g, ""));
  if (text === undefined) cursor.next = start;
  return text;
}
