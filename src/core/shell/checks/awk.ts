import { Notes, say } from "../../messages/message.ts";
import { hasOpenBracket, type ScriptUses } from "./script-uses.ts";

/** Words of the language that reach beyond the input. */
const RUNNING = /(?<![\w$])(system|getline)(?!\w)/;
const REACHING = /(?<!\w)(ARGV|ARGC|PROCINFO|SYMTAB|FUNCTAB)(?!\w)|@/;

/** What an awk program does besides reading its input and printing. Strings and patterns are removed first. */
export function awkUses(text: string): ScriptUses {
  const { code, strings, clear } = withoutTexts(text);
  const doubts = new Notes();
  if (!clear || REACHING.test(code)) doubts.add(say("note.awk_part_unknown"));
  const writes: string[] = [];
  for (const to of code.split(/[;{}\n]/).flatMap(printedTo)) {
    const name = to === undefined ? undefined : strings[to];
    if (name !== undefined && /^\/dev\/std(out|err)$/.test(name)) continue;
    doubts.add(say("note.awk_writes_files"));
    if (name !== undefined) writes.push(name);
  }
  return {
    reads: [],
    writes,
    runs: RUNNING.test(code) || /(?<!\|)\|(?!\|)/.test(code),
    secrets: /(?<!\w)ENVIRON(?!\w)/.test(code),
    doubts: [...doubts],
  };
}

/** In a print statement `>` opens a file; elsewhere it compares. Returns the number of the string that names the file. */
function printedTo(statement: string): readonly (number | undefined)[] {
  const from = statement.search(/\bprintf?\b/);
  if (from === -1) return [];
  return [...statement.slice(from).matchAll(/>>?(?!=)\s*(?:\0(\d+)\0)?/g)].map(([, number]) =>
    number === undefined ? undefined : Number(number),
  );
}

type Cursor = { text: string; at: number; code: string; last: string; strings: string[]; clear: boolean };

const STRING = /"((?:[^"\\\n]|\\[\s\S])*)"/y;
const REMARK = /#[^\n]*/y;
const PATTERN = /\/((?:[^/\\\n]|\\[^\n])*)\//y;
const BLANK = /(?:\s|\\\n)+/y;
const WORD = /\w+/y;
/** Words after which a slash begins a pattern. */
const BEFORE = /^(print|printf|return|else|do|in|exit)$/;
/** For some awk programs these are words of the language, for others names of variables. */
const PERHAPS_BEFORE = /^(case|default|switch|func|nextfile|delete|getline)$/;

/** Every string becomes its number between two marks, and every pattern two marks. */
function withoutTexts(text: string): { code: string; strings: readonly string[]; clear: boolean } {
  const c: Cursor = { text, at: 0, code: "", last: "", strings: [], clear: !text.includes("\0") };
  while (c.at < text.length) takeToken(c);
  return c;
}

function takeToken(c: Cursor): void {
  const blank = match(c, BLANK);
  if (blank !== undefined) {
    c.code += blank[0].includes("\n") && !blank[0].includes("\\") ? "\n" : " ";
    return;
  }
  if (match(c, REMARK) !== undefined) return;
  const string = match(c, STRING);
  const word = string === undefined ? match(c, WORD) : undefined;
  const sign = c.text[c.at] ?? "";
  if (string !== undefined) put(c, `\0${c.strings.push(string[1] ?? "") - 1}\0`);
  else if (word !== undefined) put(c, word[0]);
  else if (sign === "/") takeSlash(c);
  else {
    if (sign === '"') c.clear = false;
    c.at++;
    put(c, sign);
  }
}

/** After a value a slash divides; otherwise it begins a pattern. If it is unclear which of the two is meant, the script is in doubt. */
function takeSlash(c: Cursor): void {
  const from = c.at;
  const pattern = match(c, PATTERN);
  const inner = pattern?.[1] ?? "";
  if (PERHAPS_BEFORE.test(c.last)) c.clear = false;
  if (/[\w)\]$.\0]$/.test(c.last) && !BEFORE.test(c.last)) {
    if (/["#]/.test(inner)) c.clear = false;
    c.at = from + 1;
    put(c, "/");
    return;
  }
  if (pattern === undefined || /[+-]/.test(c.last) || hasOpenBracket(inner)) c.clear = false;
  if (pattern === undefined) c.at++;
  put(c, "\0\0");
}

function match(c: Cursor, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = c.at;
  const found = pattern.exec(c.text) ?? undefined;
  c.at += found?.[0].length ?? 0;
  return found;
}

function put(c: Cursor, text: string): void {
  c.code += text;
  c.last = text;
}
