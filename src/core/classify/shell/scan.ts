import { RESERVED } from "../../tables/launchers.ts";

/** One simple command, as far as letters tell: its words without quotes, and the variables set in front of it. */
export type Simple = { words: readonly string[]; env: readonly string[] };

/**
 * Every simple command that a line seems to hold, and why the words cannot be relied upon. It errs towards seeing too
 * many commands, never too few, because rules that refuse look at each of them.
 */
export type Scanned = { commands: readonly Simple[]; notes: readonly string[]; readable: boolean };

/** What a longer line holds is not examined; it asks. */
export const LINE_MAX = 16_384;

const OPERATORS = new Set([";", "&", "|", "\n", "(", ")"]);
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)\+?=/;

type Frame = { closes: ")" | "`"; quoted: boolean };
type State = {
  commands: Simple[];
  notes: Set<string>;
  words: string[];
  /** The word being read; undefined between words, so that `""` is a word too. */
  word: string | undefined;
  /** The next word is where a redirection leads, not a word of the command. */
  redirected: boolean;
  quoted: boolean;
  frames: Frame[];
};

export function scan(line: string): Scanned {
  if (line.length > LINE_MAX) return { commands: [], notes: ["the command is too long to examine"], readable: false };
  const hidden = /[^\P{Cc}\t\n]|\p{Cf}|[\u2028\u2029\u00A0\u3164]/u.test(line);
  const s: State = {
    commands: [],
    notes: new Set(),
    words: [],
    word: undefined,
    redirected: false,
    quoted: false,
    frames: [],
  };
  for (let at = 0; at < line.length; ) at = s.quoted ? insideQuotes(s, line, at) : outside(s, line, at);
  if (s.quoted || s.frames.length > 0) s.notes.add("a quote or bracket is not closed");
  endCommand(s);
  if (s.commands.length > 1) s.notes.add("the command holds several commands");
  if (hidden) s.notes.add("the command holds invisible or control characters");
  return { commands: s.commands, notes: [...s.notes], readable: !hidden };
}

/** Reads one thing and returns the place after it. */
function outside(s: State, line: string, at: number): number {
  const char = line[at] as string;
  if (char === "'") return singleQuoted(s, line, at);
  if (char === '"') {
    s.word ??= "";
    s.quoted = true;
    return at + 1;
  }
  if (char === "\\") return escaped(s, line, at);
  if (char === "$" || char === "`") return substituted(s, line, at);
  if (char === " " || char === "\t") {
    endWord(s);
    return at + 1;
  }
  if (char === ">" || char === "<" || (char === "&" && line[at + 1] === ">")) return redirection(s, line, at);
  if (OPERATORS.has(char)) return operator(s, char, at);
  if ("*?[{!#".includes(char)) s.notes.add("the command holds patterns that the shell expands");
  s.word = (s.word ?? "") + char;
  return at + 1;
}

function insideQuotes(s: State, line: string, at: number): number {
  const char = line[at] as string;
  if (char === '"') {
    s.quoted = false;
    return at + 1;
  }
  if (char === "$" || char === "`") return substituted(s, line, at);
  if (char === "\\" && /["\\$`\n]/.test(line[at + 1] ?? "")) return escaped(s, line, at);
  s.word = (s.word ?? "") + char;
  return at + 1;
}

function singleQuoted(s: State, line: string, at: number): number {
  const end = line.indexOf("'", at + 1);
  if (end === -1) s.notes.add("a quote or bracket is not closed");
  s.word = (s.word ?? "") + line.slice(at + 1, end === -1 ? line.length : end);
  return end === -1 ? line.length : end + 1;
}

function escaped(s: State, line: string, at: number): number {
  const next = line[at + 1];
  if (next !== undefined && next !== "\n") s.word = (s.word ?? "") + next;
  if (next === "\n") s.notes.add("the command goes on over a line break");
  return at + 2;
}

/** `$X` stays in the word as written; what `$(…)` or backticks hold is a command of its own. */
function substituted(s: State, line: string, at: number): number {
  s.notes.add("the command holds a variable or a substitution");
  const ticks = line[at] === "`";
  const top = s.frames.at(-1);
  if (ticks && top?.closes === "`") return closeFrame(s, at);
  if (ticks || line[at + 1] === "(") {
    endCommand(s);
    s.frames.push({ closes: ticks ? "`" : ")", quoted: s.quoted });
    s.quoted = false;
    return at + (ticks ? 1 : 2);
  }
  s.word = (s.word ?? "") + "$";
  return at + 1;
}

function closeFrame(s: State, at: number): number {
  endCommand(s);
  s.quoted = s.frames.pop()?.quoted ?? false;
  return at + 1;
}

function redirection(s: State, line: string, at: number): number {
  s.notes.add("the command redirects input or output");
  if (s.word !== undefined && /^\d+$/.test(s.word)) s.word = undefined;
  endWord(s);
  let end = at;
  while ("<>&|-".includes(line[end] ?? " ")) end++;
  if (line[end] === "(") return end;
  s.redirected = true;
  return end;
}

function operator(s: State, char: string, at: number): number {
  if (char === ")" && s.frames.at(-1)?.closes === ")") return closeFrame(s, at);
  s.notes.add(char === "\n" ? "the command has several lines" : "the command holds an operator of the shell");
  endCommand(s);
  if (char === "(") s.frames.push({ closes: ")", quoted: false });
  return at + 1;
}

function endWord(s: State): void {
  if (s.word === undefined) return;
  if (s.redirected) s.redirected = false;
  else s.words.push(s.word);
  s.word = undefined;
}

function endCommand(s: State): void {
  endWord(s);
  s.redirected = false;
  const env: string[] = [];
  let start = 0;
  for (; start < s.words.length; start++) {
    const word = s.words[start] as string;
    const assigned = ASSIGNMENT.exec(word);
    if (assigned !== null) env.push(assigned[1] as string);
    else if (!RESERVED.has(word)) break;
  }
  if (env.length > 0) s.notes.add("the command sets variables");
  const words = s.words.slice(start);
  if (words.length > 0 || env.length > 0) s.commands.push({ words, env });
  s.words = [];
}
