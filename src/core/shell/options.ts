import { type Message, say } from "../messages/message.ts";
import type { Role } from "../tables/programs/row.ts";
import type { Line } from "./path-uses.ts";
import { isText, layoutOf, type Option, type Program } from "./program.ts";
import type { Word } from "./script.ts";
import { isNoOption } from "./substitution-output.ts";

/** The words of a line, sorted: options, operands, and the command at the end. */
type Sorted = {
  program: Program;
  /** True if the command at the end belongs to an option, and the words before it are still the program's own. */
  optional: boolean;
  operands: readonly Word[];
  values: readonly Value[];
  taken: readonly Option[];
  rest: readonly Word[] | undefined;
};

/** The value of an option, and its role for the program. */
type Value = { role: Role; word: Word };

type Cursor = {
  line: Line;
  program: Program;
  /** Parent programs whose options also count after the subcommand. */
  heads: readonly Program[];
  words: readonly Word[];
  operands: Word[];
  values: Value[];
  taken: Option[];
  at: number;
  /** The command given to an option: all the words after it. */
  rest: readonly Word[] | undefined;
  /** Unknown options that were accepted because the line says `free`. If a milder subcommand follows, they are in doubt. */
  passed: string[];
  /** Options such as `--no-check` that no line names. */
  negations: string[];
};

/** Finds the subcommand and reads every option before and after it, each by the line of the table that names the option. */
export function readOptions(line: Line, head: Program): Sorted {
  const c: Cursor = {
    line,
    program: head,
    heads: [],
    words: line.simple.words,
    operands: [],
    values: [],
    taken: [],
    at: 1,
    rest: undefined,
    passed: [],
    negations: [],
  };
  const { operands, values, taken } = c;
  let ended = false;
  while (c.at < c.words.length) {
    const word = c.words[c.at] as Word;
    if (!ended && word.text === "--" && word.kind === "plain") {
      ended = true;
      c.at++;
      continue;
    }
    if (!ended && isOption(c, word)) {
      takeOption(c, word);
      continue;
    }
    if (!ended && mayBeOption(c, word)) doubtOption(c, word);
    if (c.program.subs.size > 0 && operands.length === 0) {
      if (goDown(c, word)) continue;
      if (c.program.row.takes === undefined)
        return { program: unknownSub(c, word), optional: false, operands, values, taken, rest: undefined };
    }
    if (startsCommand(c.program, word, operands))
      return { program: c.program, optional: false, operands, values, taken, rest: c.words.slice(c.at) };
    operands.push(word);
    c.at++;
  }
  if (c.negations.length > 0) doubtTakenBack(c);
  const { program, rest } = c;
  return { program, optional: rest !== undefined, operands, values, taken, rest };
}

function goDown(c: Cursor, word: Word): boolean {
  const sub = word.kind === "plain" ? c.program.subs.get(word.text)?.() : undefined;
  if (sub === undefined) return false;
  for (const name of c.passed.splice(0)) c.line.doubts.add(unknown(c.line, name));
  c.line.name += ` ${word.text}`;
  if (c.program.row.everywhere === true) c.heads = [c.program, ...c.heads];
  c.program = sub;
  c.at++;
  c.line.named = c.at;
  return true;
}

/** A subcommand without a line may do anything that its program can. */
function unknownSub(c: Cursor, word: Word): Program {
  c.line.doubts.add(say("note.command_unknown", { command: `${c.line.name} ${word.text}` }));
  const { takes: _, check: __, ...row } = c.program.row;
  return { ...c.program, slots: [], layout: layoutOf([]), conditional: false, row: { ...row, class: "process.exec" } };
}

/** The words before a command are counted; an assignment before it is included if the line says so. */
function startsCommand({ lead }: Program, word: Word, operands: readonly Word[]): boolean {
  if (lead === undefined) return false;
  const { fixed, sets } = lead;
  if (sets && ASSIGNMENT.test(word.text)) return false;
  return operands.filter((one) => !(sets && ASSIGNMENT.test(one.text))).length >= fixed;
}

const ASSIGNMENT = /^[A-Za-z_]\w*=/;

function isOption(c: Cursor, word: Word): boolean {
  const sure = sureText(word);
  if (sure.startsWith("+")) return find(c, sure) !== undefined;
  return sure.startsWith("-") && (sure.length > 1 || word.kind !== "plain");
}

function sureText(word: Word): string {
  return word.kind === "open" ? word.start : word.text;
}

/** A word that is known only at run time may begin with a dash, and so may its second piece, and a file that a pattern matches. */
function mayBeOption(c: Cursor, word: Word): boolean {
  // `export A=$X` is the only place where a word without quotes is not split.
  if (word.kind === "open") return word.start === "" || (word.split && c.program.row.check !== "declaring");
  return word.kind === "glob" && /^[*?[]/.test(word.text);
}

function doubtOption(c: Cursor, word: Word): void {
  if (isNoOption(word)) return;
  const { touchy, starts, acts, row } = c.program;
  // A name from a lister can be anything, such as `--target-directory=.git`; a name from a pattern must match it.
  const fits = word.kind === "glob" && word.listed === undefined && /\.\w+$/.test(word.text);
  const changes = word.kind !== "glob" ? touchy || row.free !== true : fits ? starts : acts;
  if (changes) {
    c.line.doubts.add(say("note.word_may_be_option"));
  }
}

function takeOption(c: Cursor, word: Word): void {
  const { line, program } = c;
  c.at++;
  const text = sureText(word);
  const equals = text.indexOf("=");
  const long = text.startsWith("--") || program.row.words === true;
  const name = equals > 0 && long ? text.slice(0, equals) : text;
  const exact = find(c, name);
  const option = exact ?? (text.startsWith("--") ? abbreviated(c, name) : undefined);
  if (option !== undefined && (word.kind !== "open" || name !== text)) {
    if (exact === undefined && name === text && option.value === "needed") takeShortened(c, option);
    else apply(c, option, name === text ? undefined : after(word, equals + 1));
    return;
  }
  if (name.startsWith("--no-") && exact === undefined) c.negations.push(name);
  if (!long) takeCluster(c, word);
  else if (program.row.free !== true || (word.kind === "open" && program.touchy)) line.doubts.add(unknown(line, name));
  else c.passed.push(name);
  if (long) doubtSeveral(c, word);
}

/** Without quotes the shell splits a value, and the pieces after the first are files for a program that takes files. */
function doubtSeveral({ line, program }: Cursor, word: Word): void {
  const isOne = word.kind !== "open" || !word.split || word.printed === "number";
  if (!isOne && program.slots.some(({ role }) => !isText(role)))
    line.doubts.add(say("note.option_value_may_be_several"));
}

/** `-rf` is `-r -f`, and `-n5` is `-n 5`. */
function takeCluster(c: Cursor, word: Word): void {
  const { line, program } = c;
  const text = sureText(word);
  if (/^-\d+$/.test(text) && (program.row.free === true || find(c, "-#") !== undefined)) return;
  for (let i = 1; i < text.length; i++) {
    const option = findLetter(c, text[i] ?? "");
    if (option === undefined) {
      if (program.row.free !== true) line.doubts.add(unknown(line, `-${text[i]}`));
      else c.passed.push(`-${text[i]}`);
      continue;
    }
    const last = i === text.length - 1 && word.kind !== "open";
    // `kill -KILL` is not `kill -L`: an option that makes a command harmless counts only among known letters.
    if (option.only === "none" && isOdd(c, text)) continue;
    if (option.value === "none") apply(c, option, undefined);
    else {
      if (!last && program.row.apart === true) line.doubts.add(say("note.options_joined_with_values", { word: text }));
      apply(c, option, last ? undefined : after(word, i + 1));
      return;
    }
  }
  if (word.kind === "open") doubtOption(c, word);
  doubtSeveral(c, word);
}

function isOdd(c: Cursor, cluster: string): boolean {
  return [...cluster.slice(1)].some((letter) => findLetter(c, letter) === undefined);
}

function unknown(line: Line, option: string): Message {
  return say("note.option_unknown", { option, program: line.name });
}

function find(c: Cursor, name: string): Option | undefined {
  const own = c.program.options.get(name);
  if (own !== undefined || c.heads.length === 0) return own;
  return c.heads.find((head) => head.options.has(name))?.options.get(name);
}

function findLetter(c: Cursor, letter: string): Option | undefined {
  const own = c.program.letters.get(letter);
  if (own !== undefined || c.heads.length === 0) return own;
  return c.heads.find((head) => head.letters.has(letter))?.letters.get(letter);
}

/** `--outp` is `--output` for most programs; if it may be several, the first that takes a value or does more counts. */
function abbreviated(c: Cursor, name: string): Option | undefined {
  if (name.length < 3) return undefined;
  const fitting = [c.program, ...c.heads]
    .flatMap((program) => [...program.options])
    .filter(([spelling, option]) => spelling.startsWith(name) && option.only === undefined)
    .map(([, option]) => option);
  return fitting.find((option) => !isText(option.role) || option.graver !== undefined) ?? fitting[0];
}

/**
 * `--stat` may be short for `--stat-width` or an unknown option itself: the next word is then both its value and what it
 * would be alone.
 */
function takeShortened(c: Cursor, option: Option): void {
  const { line, words, at } = c;
  const next = words[at];
  c.taken.push(option);
  give(line, option, next);
  if (next?.text === "--")
    line.doubts.add(say("note.option_without_value", { option: option.name, program: line.name }));
  else if (next !== undefined && !sureText(next).startsWith("-")) c.values.push({ role: option.role, word: next });
}

function give({ given }: Line, { name }: Option, value: Word | undefined): void {
  const before = given.get(name);
  if (before === undefined) given.set(name, [value]);
  else before.push(value);
}

function apply(c: Cursor, option: Option, attached: Word | undefined): void {
  const { line } = c;
  if (option.role === "command") {
    c.rest = [...(attached === undefined ? [] : [attached]), ...c.words.slice(c.at)];
    c.at = c.words.length;
    c.taken.push(option);
    line.given.set(option.name, [undefined]);
    return;
  }
  const written = c.words[c.at - 1];
  const value = attached ?? (option.value === "needed" ? c.words[c.at++] : undefined);
  if (attached === undefined && value !== undefined && isMistakable(c, value)) {
    line.doubts.add(say("note.option_value_may_be_option", { option: option.name, program: line.name }));
  }
  // After a word of the program, `--version` may be meant for what the program starts.
  if (option.only !== "none" || c.operands.length === 0) c.taken.push(option);
  give(line, option, value);
  if (attached !== undefined && option.value === "none" && option.only !== undefined) {
    line.doubts.add(say("note.option_takes_no_value", { option: option.name, program: line.name }));
  }
  if (value === undefined) {
    if (option.value === "needed")
      line.doubts.add(say("note.option_without_value", { option: option.name, program: line.name }));
    return;
  }
  const holder = attached === undefined ? value : written;
  if (option.role === "local" && holder !== undefined) line.local.add(holder);
  // Without quotes the shell splits it, and the second piece is whatever it looks like.
  if (value.kind === "open" && value.split) doubtOption(c, value);
  doubtSeveral(c, value);
  c.values.push({ role: option.role, word: value });
}

/** Some programs accept an option without its value, and then what follows is read as an option. */
function isMistakable(c: Cursor, value: Word): boolean {
  const text = sureText(value);
  if (/^--./.test(text)) return true;
  const other = text.startsWith("-") ? find(c, text) : undefined;
  return other !== undefined && (!isText(other.role) || other.graver !== undefined);
}

/** `--check --no-check` is neither, and an abbreviated option can also reverse one: the harmless option may be cancelled. */
function doubtTakenBack({ line, program, heads, negations }: Cursor): void {
  for (const name of negations) {
    const positive = `--${name.slice("--no-".length)}`;
    const isTakenBack = [program, ...heads]
      .flatMap(({ options }) => [...options])
      .some(([spelling, option]) => spelling.startsWith(positive) && line.given.has(option.name));
    if (isTakenBack) line.doubts.add(say("note.option_undoes_another", { option: name, program: line.name }));
  }
}

/** What follows the option's name in the same word. */
function after(word: Word, from: number): Word {
  if (word.kind === "open") return { ...word, text: word.text.slice(from), start: word.start.slice(from) };
  return { ...word, text: word.text.slice(from) };
}
