import { graver } from "../effect.ts";
import { say } from "../messages/message.ts";
import { TELLING } from "../tables/launchers.ts";
import { LEFT_FILES } from "../tables/left-files.ts";
import type { ProgramRow } from "../tables/programs/row.ts";
import { UNREAD } from "../tables/unread.ts";
import { isProgramPath, namesFrom } from "./checks/handed-words.ts";
import { CHECKS, type Check } from "./checks/index.ts";
import { obeyAt } from "./checks/named-files.ts";
import { readOptions } from "./options.ts";
import { doubtFolder, type Line, newLine, startInner, takeOperands, takeWord } from "./path-uses.ts";
import { nameOf, type Option, type Program, programCalled } from "./program.ts";
import type { Simple, Word } from "./script.ts";

/** Reads one simple command by the line of the table that matches it best. */
export function readLine(given: Simple, shadowed: ReadonlySet<string>): Line {
  const simple = given.words.at(-1)?.kind === "open" ? withHanded(given) : given;
  const [first] = simple.words;
  const line = newLine(simple);
  if (first === undefined) return line;
  line.class = "process.exec";
  if (first.kind !== "plain") {
    line.doubts.add(UNREAD.program);
    return line;
  }
  if (shadowed.has(first.text)) line.doubts.add(say("note.program_is_shadowed", { program: first.text }));
  line.name = nameOf(first.text);
  const head = programCalled(line.name);
  if (head === undefined) {
    if (simple.words.some((word) => word.kind === "open")) line.doubts.add(say("note.word_known_only_at_run"));
    if (simple.more !== undefined) line.doubts.add(say("note.more_words_known_only_at_run"));
    return line;
  }
  if (onlyAsks(simple, head)) {
    line.class = "none";
    for (const by of [head.row.obeys ?? []].flat()) line.obeys.push({ by });
    // `git log --help` is `git help log`, and shows the page with the program that the settings name.
    if (line.name === "git" && simple.words.length > 2) line.obeys.push({ by: "git" });
    return line;
  }
  if (head.own) {
    settleClass(line, head, NONE);
    if (simple.words.some((word) => word.kind === "open" && word.split)) line.doubts.add(SPLIT);
    // A filter can only read, whatever its options are.
    if (head.row.check !== "jq" && simple.words.some(mayBeDashed)) line.doubts.add(DASHED);
  } else sortWords(line, head);
  const { program = head } = line;
  for (const by of [program.row.obeys ?? []].flat()) line.obeys.push({ by });
  if (program.row.partly !== undefined) line.doubts.add(say(program.row.partly));
  if (program.row.check === undefined) takeOperands(line, program);
  else closelyRead(line, program, CHECKS[program.row.check]);
  doubtFolder(
    line,
    line.paths.map(({ word }) => word),
  );
  obeyBesideFiles(line, program.row.obeys);
  if (program.row.atfile === true) doubtArgumentFiles(line);
  if (line.given.size > 0) takeLeftFiles(line);
  return line;
}

/** Linters search for settings beside each file that they get, and compose follows the files that it is given. */
function obeyBesideFiles(line: Line, obeys: ProgramRow["obeys"]): void {
  if (obeys === "linter") obeyAt(line, "linter", line.operands);
  const named = line.paths.map(({ word }) => word);
  if (obeys === "composed") obeyAt(line, "composed", named);
}

/** `@name` is a file of further words, and may be the name of a file from a pattern or a lister. */
function doubtArgumentFiles({ operands, simple, doubts }: Line): void {
  const isNamed = operands.some(({ kind, text }) => (kind === "plain" ? text.startsWith("@") : /^[@*?[]/.test(text)));
  const isHanded = typeof simple.more === "object" && simple.more.bare === true;
  if (isNamed || isHanded) doubts.add(say("note.more_words_in_file"));
}

/** Files that an option creates under a name that the command does not contain. */
function takeLeftFiles(line: Line): void {
  for (const { run, option, file, named, unless = [] } of LEFT_FILES) {
    if (!line.given.has(option) || !run.test(line.name) || unless.some((other) => line.given.has(other))) continue;
    const value = named === undefined ? undefined : line.given.get(named)?.at(-1);
    const name = /[^/]+$/.exec(value?.text ?? "")?.[0] ?? "magic";
    takeWord(line, "write", value?.kind === "open" ? value : { kind: "plain", text: file.replace("*", name) });
  }
}

/** `wc -l $(git ls-files)` gives the names of files to a program that only reads them. */
function withHanded(simple: Simple): Simple {
  const last = simple.words.at(-1);
  if (last?.kind !== "open" || !last.split || typeof last.printed !== "object" || simple.more !== undefined)
    return simple;
  const [first] = simple.words;
  const head = first?.kind === "plain" ? programCalled(nameOf(first.text)) : undefined;
  if (head?.row.class !== "fs.read" || head.row.free !== true) return simple;
  const more = isProgramPath(last.printed) ? PROGRAMS : namesFrom(last.printed);
  return more === "any" ? simple : { ...simple, words: simple.words.slice(0, -1), more };
}

const PROGRAMS: Simple["more"] & object = { under: ["/usr/bin"] };

/** A program that is asked for its help or version does nothing else, unless a program of the project may have that name. */
function onlyAsks({ words, more }: Simple, head: Program): boolean {
  const last = words.length < 2 ? undefined : words[words.length - 1];
  if (last?.kind !== "plain" || more !== undefined) return false;
  if (last.text !== "--help" && (last.text !== "--version" || words.length > 2)) return false;
  let program: Program | undefined = head;
  for (const word of words.slice(1, -1)) program = word.kind === "plain" ? program?.subs.get(word.text)?.() : undefined;
  // A group of subcommands without its own line only lists them.
  if (program === undefined) return false;
  return (
    program.row.class !== "process.exec" || program.row.tries.length === 0 || TELLING.has(nameOf(words[0]?.text ?? ""))
  );
}

/** A pattern may match files with any name, and one that begins with a dash is an option. */
function mayBeDashed(word: Word): boolean {
  return word.kind === "glob" && /^[*?[]/.test(word.text);
}

const DASHED = say("note.name_may_be_option");
const NONE: readonly Option[] = [];
const SPLIT = say("note.word_count_known_only_at_run");

/** Words that a check has not seen may be anything. */
function closelyRead(line: Line, program: Program, check: Check): void {
  let seen = false;
  check(line, () => {
    seen = true;
    takeOperands(line, program);
  });
  const { more } = line.simple;
  if (more !== undefined && (more === "any" || !seen) && line.inner.length === 0)
    line.doubts.add(say("note.more_words_known_only_at_run"));
}

function sortWords(line: Line, head: Program): void {
  const { program, operands, values, taken, rest, optional } = readOptions(line, head);
  line.operands = operands;
  settleClass(line, program, taken);
  for (const { role, word } of values) takeWord(line, role, word);
  if (rest === undefined) return;
  if (optional) {
    startInner(line, rest);
    return;
  }
  const roles = program.slots.map((slot) => slot.role).filter((role) => role !== "env");
  for (const word of operands) takeWord(line, isAssignment(word) ? "env" : (roles.shift() ?? "text"), word);
  line.operands = [];
  startInner(line, rest);
}

function isAssignment(word: Word): boolean {
  return /^[A-Za-z_]\w*=/.test(word.text);
}

/** The line's class, milder or more serious depending on the given options. */
function settleClass(line: Line, program: Program, given: readonly Option[]): void {
  line.program = program;
  line.class = program.row.class;
  if (given.length === 0) return;
  line.deep = given.some((option) => option.deep);
  line.lasting = given.some((option) => option.lasting);
  for (const option of given) if (option.only !== undefined) line.class = option.only;
  for (const option of given) if (option.graver !== undefined) line.class = graver(line.class, option.graver);
}
