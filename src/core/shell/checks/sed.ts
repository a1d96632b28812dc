import { Notes, say } from "../../messages/message.ts";
import { hasOpenBracket, type ScriptUses } from "./script-uses.ts";

type Cursor = { text: string; at: number; reads: string[]; writes: string[]; runs: boolean; doubts: Notes };

const UNKNOWN = say("note.sed_part_unknown");

/** What a script for sed reads, writes and runs besides the files it is given. */
export function sedUses(text: string): ScriptUses {
  const c: Cursor = { text, at: 0, reads: [], writes: [], runs: false, doubts: new Notes() };
  while (c.at < text.length && c.doubts.size === 0) takeCommand(c);
  return { reads: c.reads, writes: c.writes, runs: c.runs, secrets: false, doubts: [...c.doubts] };
}

function skip(c: Cursor, pattern: RegExp): string {
  pattern.lastIndex = c.at;
  const found = pattern.exec(c.text)?.[0] ?? "";
  c.at += found.length;
  return found;
}

function takeCommand(c: Cursor): void {
  skip(c, /[\s;{}]*/y);
  if (c.at >= c.text.length) return;
  takeAddress(c);
  if (skip(c, /[ \t]*,[ \t]*/y) !== "") takeAddress(c);
  skip(c, /[ \t]*(![ \t!]*)?/y);
  const letter = c.text[c.at++] ?? "";
  if (letter === "{" || letter === "}" || letter === "") return;
  if (/[=dDgGhHnNpPxzF]/.test(letter)) end(c);
  else if (/[lLqQ]/.test(letter)) {
    skip(c, /[ \t]*\d*/y);
    end(c);
  } else if (/[aic]/.test(letter)) skip(c, /(?:[^\\\n]|\\[\s\S])*/y);
  else if (/[btT:]/.test(letter)) {
    skip(c, /[ \t]*[\w.-]*/y);
    end(c);
  } else if (letter === "#") skip(c, /[^\n]*/y);
  else if (/[rRwW]/.test(letter)) {
    skip(c, /[ \t]*/y);
    (letter.toLowerCase() === "r" ? c.reads : c.writes).push(skip(c, /[^\n]*/y));
  } else if (letter === "e") {
    c.runs = true;
    skip(c, /[^\n]*/y);
  } else if (letter === "s" || letter === "y") takeReplacing(c, letter);
  else c.doubts.add(UNKNOWN);
}

/** A command without arguments ends at a semicolon, a brace, a line or a comment. */
function end(c: Cursor): void {
  skip(c, /[ \t]*/y);
  if (c.at < c.text.length && !/[;\n}#]/.test(c.text[c.at] ?? "")) c.doubts.add(UNKNOWN);
}

function takeAddress(c: Cursor): void {
  if (skip(c, /[+~]?\d+(~\d+)?|\$/y) !== "") return;
  const mark = c.text[c.at];
  if (mark !== "/" && mark !== "\\") return;
  c.at += mark === "/" ? 1 : 2;
  takeUntil(c, c.text[c.at - 1] ?? "");
  skip(c, /[IM]*/y);
}

/**
 * Up to the character that ends a pattern. Whether that character may be between brackets depends on the program, so
 * this is a doubt.
 */
function takeUntil(c: Cursor, sign: string): void {
  if (sign === "" || /[\n\\]/.test(sign)) c.doubts.add(UNKNOWN);
  const from = c.at;
  for (; c.at < c.text.length; c.at++) {
    if (c.text[c.at] === "\\") c.at++;
    else if (c.text[c.at] === sign) break;
  }
  if (c.at >= c.text.length) c.doubts.add(UNKNOWN);
  if (hasOpenBracket(c.text.slice(from, c.at))) c.doubts.add(say("note.sed_pattern_end_unclear"));
  c.at++;
}

function takeReplacing(c: Cursor, letter: string): void {
  const sign = c.text[c.at++] ?? "";
  takeUntil(c, sign);
  const from = c.at;
  for (; c.at < c.text.length && c.text[c.at] !== sign; c.at++) if (c.text[c.at] === "\\") c.at++;
  if (c.at >= c.text.length || from > c.text.length) c.doubts.add(UNKNOWN);
  c.at++;
  if (letter === "s") {
    const flags = skip(c, /[gpiImMe\d]*/y);
    if (flags.includes("e")) c.runs = true;
    if (c.text[c.at] === "w") {
      c.at++;
      skip(c, /[ \t]*/y);
      c.writes.push(skip(c, /[^\n]*/y));
      return;
    }
  }
  end(c);
}
