import type { Line } from "../../shell/path-uses.ts";
import { BUILTINS, namesakesOf } from "../../shell/program.ts";
import { type Assigned, type Simple, spend, TEXT_MAX, type Word, type Work } from "../../shell/script.ts";
import { type GivenCommand, understand } from "../../shell/understand.ts";
import { INTERPRETERS, LANGUAGES, programOf, RUNS_MARKED, RUNS_TEXTS, RUNS_WORDS } from "../../tables/launchers.ts";
import { otherNames } from "./other-spellings.ts";
import {
  beginsIn,
  commandsIn,
  corrected,
  functionsIn,
  gitSettings,
  handedOn,
  handedTo,
  mayNameGitSetting,
  type Startable,
  splitByEnv,
  startableIn,
  startedByTexts,
  startedByWords,
} from "./started-words.ts";

/** The steps for other readings of one call. Readings beyond this limit are not made, and the call says so. */
const STEPS_MAX = 10_000;
/** The fixed cost of a reading, in steps. */
const READING = 8;

/** What else a command may be: what its program is by its name or starts, and what a text among its words would be. */
type OtherReadings = { likely: readonly Line[]; guessed: readonly Line[] };

const NO_OTHERS: OtherReadings = { likely: [], guessed: [] };

/**
 * What else a command may be. A program in an unusual folder may be the well-known program of that name, and a command
 * that a program starts may be among its words. The result is used only by rules that deny, and what is not guessed also by marks.
 */
export function otherReadings(line: Line, work: Work): OtherReadings {
  const { simple } = line;
  if (simple.words[0]?.kind !== "plain") return NO_OTHERS;
  const likely = likelyCommands(line);
  const guessed = guessedCommands(line);
  if (likely.length + guessed.length === 0) return NO_OTHERS;
  const read = (given: readonly GivenCommand[]) => readAll(given, work).map((found) => placedAs(found, simple));
  return { likely: read(likely), guessed: read(guessed) };
}

function likelyCommands(line: Line): readonly GivenCommand[] {
  const { simple, name } = line;
  const texts = simple.words.map(textOf);
  const [first = ""] = texts;
  const found: GivenCommand[] = runsItsWords(line, programOf(first)) ? startedBy(simple) : startedByWords(line);
  found.push(...functionsIn(texts, simple.sets));
  if (name === "xargs" || name === "parallel") found.push(...handedOn(line));
  if (name === "env") found.push(...splitByEnv(texts));
  if (name === "git push" && forces(simple.words)) found.push({ words: [...texts, "--force"] });
  if (name === "git branch" && forgets(simple.words)) found.push({ words: [...texts, "-D"] });
  const names = namesakesOf(first);
  if (names !== undefined) found.push({ words: [...names, ...texts.slice(1)] });
  for (const words of otherNames(texts)) found.push({ words });
  if (first === "npm" && simple.sets.some(({ name: variable }) => GLOBAL_NPM.test(variable))) {
    for (const words of otherNames([...texts, "-g"])) found.push({ words });
    found.push({ words: [...texts, "-g"] });
  }
  if (BUILTINS.has(name)) found.push(...subscripts(simple.words));
  if ((name === "git" || name.startsWith("git ")) && (simple.sets.length > 0 || texts.some(mayNameGitSetting)))
    found.push(...gitSettings(simple));
  for (const { name: variable, value } of simple.sets)
    if (STARTING.test(variable)) found.push({ line: value.text.replace(/^\|+-?/, "") });
  return found;
}

/** A text among the words may be a command for a shell, and so may a text in the code of another language. */
function guessedCommands(line: Line): readonly GivenCommand[] {
  const { simple, inner, class: kind } = line;
  const program = programOf(simple.words[0]?.text ?? "");
  const spoken = LANGUAGES.has(program) ? { ...line, simple: withoutCode(simple) } : line;
  const found: GivenCommand[] = runsItsWords(line, program) ? [] : startedByTexts(spoken);
  if (inner.length === 0 && INTERPRETERS.has(program)) found.push(...quotedIn(simple.words));
  if (RUNS_TEXTS.has(program) && STARTED.test(kind)) found.push(...textsIn(spoken.simple));
  if (RUNS_MARKED.has(program)) found.push(...markedIn(simple));
  return found;
}

/** Code in a language that is not the shell's is no command; only the texts in it may be. */
function withoutCode(simple: Simple): Simple {
  const { words } = simple;
  const isCode = (word: Word, i: number) => CODE.test(words[i - 1]?.text ?? "") || CODE_BESIDE.test(word.text);
  return { ...simple, words: words.filter((word, i) => i === 0 || !isCode(word, i)) };
}

const CODE = /^(-[a-zA-Z]*[cepr]|--(eval|print|run|exec)|eval)$/;
const CODE_BESIDE = /^(--(eval|print)=|-[ce]\S+\s)/;

/** The words with which a command may start another one. */
export function startableBy(line: Line): Startable {
  const [first, ...words] = line.simple.words;
  const runs = first?.kind === "plain" && runsItsWords(line, programOf(first.text));
  return runs ? { words, begins: words.length } : startableIn(line);
}

/** Whether the program runs its words as a command, or may do so. */
function runsItsWords({ simple, inner }: Line, program: string): boolean {
  if (inner.length > 0 && !OWN_WORDS.has(program)) return false;
  return RUNS_WORDS.has(program) || LOADER.test(simple.words[0]?.text ?? "");
}

/** Whether some readings were left out. */
export function isOverspent({ steps }: Work): boolean {
  return steps > STEPS_MAX;
}

function readAll(readings: readonly GivenCommand[], work: Work): readonly Line[] {
  return readings.flatMap((given) => {
    if (isOverspent(work)) return NO_LINES;
    const { lines, steps } = understand(given);
    spend(work, steps + READING + ("words" in given ? given.words.length : 0));
    return lines;
  });
}

/** Other readings that follow only from all commands of a call together. */
export function togetherReadings(lines: readonly Line[], text: string | undefined, work: Work): readonly Line[] {
  const corrects = lines.some(({ simple }) => simple.words.some((word) => /^help\.autocorrect/i.test(word.text)));
  const changes = corrects || lines.some(({ name }) => CHANGING_LATER.test(name));
  const found = changes ? changedReadings(lines, corrects, work) : NO_LINES;
  const written = lines.length > 1 ? writtenReadings(lines, work) : NO_LINES;
  const again = text !== undefined && READ_AGAIN.test(text) ? readAgain(lines, text, work) : NO_LINES;
  return [...written, ...found, ...again];
}

/** Commands that change what later commands mean, or that run commands from their words. */
const CHANGING_LATER = /^(export|hash|history)$/;

function changedReadings(lines: readonly Line[], corrects: boolean, work: Work): readonly Line[] {
  const exported = lines.flatMap(({ name, simple }) => (name === "export" ? simple.words.flatMap(setBy) : []));
  const renamed = hashedNames(lines);
  return lines.flatMap(({ simple, name }): readonly Line[] => {
    const texts = simple.words.map(textOf);
    const given: GivenCommand[] = [];
    const program = renamed.get(texts[0] ?? "");
    if (program !== undefined) given.push({ words: [program, ...texts.slice(1)] });
    if (name === "history")
      given.push(
        ...texts
          .slice(1)
          .filter((word) => /\s/.test(word))
          .map((line) => ({ line })),
      );
    if (texts[0] === "git" && exported.length > 0) given.push(...gitSettings(simple, exported));
    if (texts[0] === "git" && corrects) given.push(...corrected(texts));
    return readAll(given, work).map((line) => placedAs(line, simple));
  });
}

function setBy({ text }: Word): Assigned[] {
  const [, name = "", value = ""] = /^(\w+)=(.*)$/s.exec(text) ?? [];
  return name === "" ? [] : [{ name, value: { kind: "plain", text: value } }];
}

/** `hash -p /bin/rm zz` makes `zz` a name of `rm`. */
function hashedNames(lines: readonly Line[]): ReadonlyMap<string, string> {
  const pairs = lines.flatMap(({ name, simple }): [string, string][] => {
    const at = name === "hash" ? simple.words.findIndex(({ text }) => text === "-p") : -1;
    const [path, ...names] = at < 0 ? [] : simple.words.slice(at + 1).map(textOf);
    return path === undefined ? [] : names.map((one) => [one, path.slice(path.lastIndexOf("/") + 1)]);
  });
  return new Map(pairs);
}

/** The shell runs commands in quoted texts if it uses them in arithmetic, as a variable name or as a prompt. */
function readAgain(lines: readonly Line[], text: string, work: Work): readonly Line[] {
  const quoted = [...text.slice(0, TEXT_MAX).matchAll(/'([^']*(?:\$\(|`)[^']*)'/g)].map((found) => found[1] ?? "");
  const [first] = lines;
  const within = readAll(
    quoted.map((one) => ({ line: `: "${one.replaceAll('"', "")}"` })),
    work,
  );
  return first === undefined ? within : within.map((line) => placedAs(line, first.simple));
}

const READ_AGAIN = /@P\}|\bPS\d=|\(\(|\[\[|\blet\b|\b(declare|typeset|local|export|readonly)\b|\w\[|\$\{!|\$\[/;

/** If one command writes a file and another one names that file, the second may run its content. */
function writtenReadings(lines: readonly Line[], work: Work): readonly Line[] {
  return lines.flatMap(({ simple }) => {
    const files = simple.redirects.flatMap(({ writes, to }) => (writes ? [to.text] : []));
    if (simple.words[0]?.text === "tee") files.push(...simple.words.slice(1).map(textOf));
    if (!files.some((file) => lines.some((other) => other.simple !== simple && tells(other, file)))) return NO_LINES;
    const [text] = writtenBy(simple);
    return text === undefined ? NO_LINES : readAll([{ line: text }], work).map((line) => placedAs(line, simple));
  });
}

function writtenBy(simple: Simple): readonly string[] {
  const [first, ...rest] = simple.words.map(textOf);
  if (first === "echo" || first === "printf") return [rest.join(" ").slice(0, TEXT_MAX)];
  return first === "cat" || first === "tee" ? handedTo(simple.input) : [];
}

function tells({ simple }: Line, file: string): boolean {
  const name = file.replace(/^\.\//, "");
  return simple.words.some(({ text }) => text.replace(/^\.\//, "") === name);
}

/** A quoted text in the code of a program may be a command that it starts. */
function quotedIn(words: readonly Word[]): GivenCommand[] {
  const texts = words.slice(1).map(({ text }) => text.slice(0, TEXT_MAX));
  const quoted = texts.flatMap((text) =>
    [...text.matchAll(/(["'`])([^"'`]*)\1/g)].map((found) => found[2] ?? "").filter((found) => /\s/.test(found)),
  );
  const lists = texts.flatMap((text) => [...text.matchAll(LISTED)].map(([found]) => wordsListed(found)));
  return [...quoted.map((line) => ({ line })), ...lists.map((listed) => ({ words: listed }))];
}

/** Lists of quoted words, `["rm", "-rf", "a"]`, and a single word in a call of a function that starts programs. */
const LISTED =
  /(?:(?:system|popen|spawn\w*|exec\w*|run|call|check_\w+|qx)\s*\(?\s*\[?\s*)?(["'])[^"'\s]+\1(?:\s*,\s*\[?\s*(["'])[^"']*\2)*/g;

function wordsListed(found: string): readonly string[] {
  return [...found.matchAll(/(["'])([^"']*)\1/g)].map((word) => word[2] ?? "");
}

const STARTED = /^(process\.exec|deploy\.write)$/;

/** Texts of several words, and the words after `--`. */
function textsIn({ words, input }: Simple): GivenCommand[] {
  const rest = words.slice(1).map(textOf);
  const behind = rest.findIndex((text) => /^(--|-exec|-toolexec)$/.test(text));
  const handed = handedTo(input).flatMap((text) => text.slice(0, TEXT_MAX).split("\n"));
  const texts = [...rest, ...handed.map((line) => line.trim())].filter((text) => /\s/.test(text));
  const lines: GivenCommand[] = texts.map((text) => ({ line: text.slice(0, TEXT_MAX).replace(BEFORE, "") }));
  return behind < 0 || behind === rest.length - 1 ? lines : [...lines, { words: rest.slice(behind + 1) }];
}

/** What may come before a command in such a text: an option, a variable, the target of a recipe. */
const BEFORE = /^(-{1,2}[\w-]+=)?([\w.-]+=|[\w.-]+:;?\s*|\$\((?:shell)?\s*)?/;

/** Marks after which a command follows. */
const MARKS = [
  /(?:^|[\s:;|+%"'\\])!+\s*([A-Za-z./~][^\n]*)/,
  /(?:^|[;{}\n\d$!/])\s*e\s+([^\n}]+)/,
  /s([/|#,])(?:.*?)\1(.*?)\1[gip\d]*e/,
  /^(?:EXEC|SYSTEM|SHELL):"?([^"]*)/i,
  /^\.?(?:shell|system|exec|spawn)\s+(.*)/,
  /^--(?:to-command|checkpoint-action=exec|use-compress-program|rsh-command|info-script)=(.*)/,
  /^-[HP](\S+\s.*)/,
  /^--pager=(.*)/,
];

function markedIn({ words, input }: Simple): GivenCommand[] {
  const handed = handedTo(input).flatMap((text) => text.split("\n"));
  const texts = [...words.slice(1).map(textOf), ...handed].map((text) => text.slice(0, TEXT_MAX));
  const found = texts.flatMap((text, i) =>
    /^(-TT|-F|--(info|new-volume)-script)$/.test(texts[i - 1] ?? "")
      ? [text]
      : MARKS.flatMap((mark) => mark.exec(text)?.at(-1) ?? []),
  );
  return found.map((line) => ({ line }));
}

/** `+branch` and `--mirror` push with force. */
function forces(words: readonly Word[]): boolean {
  return (
    words.some(({ text }) => /^\+\S/.test(text) || text === "--mirror") && !words.some(({ text }) => FORCE.test(text))
  );
}

const FORCE = /^(-f|--force)$/;

/** Deleting a branch with force is the same as `-D`. */
function forgets(words: readonly Word[]): boolean {
  const options = words.map(({ text }) => text).filter((text) => text.startsWith("-"));
  const has = (letter: string, name: string) =>
    options.some((text) =>
      /^-[a-z]+$/i.test(text) ? text.includes(letter) : text.length > 3 && name.startsWith(text),
    );
  return has("d", "--delete") && has("f", "--force");
}

/** Builtins that take the name of a variable run commands in its subscript: `test -v 'a[$(rm b)]'`. */
function subscripts(words: readonly Word[]): GivenCommand[] {
  const texts = words
    .slice(1)
    .flatMap(({ kind, text }) => (kind === "plain" && /\[.*(\$\(|`)/s.test(text) ? [text] : []));
  return texts.map((text) => ({ line: `: "${text.replaceAll('"', "")}"` }));
}

/** Variables that make npm install globally. */
const GLOBAL_NPM = /^npm_config_(global|location)$/i;

/** Variables that contain a command which programs start. */
const STARTING =
  /(PAGER|EDITOR|VISUAL|BROWSER|ASKPASS|_SSH|_COMMAND|^PS\d|_PROXY_COMMAND|_DIFF|_WRAPPER|^(CC|CXX|LD|AS|AR|RUSTC|SHELL|LESSOPEN|LESSCLOSE))$/;

/** The first word of these that is not an option belongs to them and is not the command. */
const OWN_WORDS: ReadonlySet<string> = new Set(["systemd-run", "aws-vault", "chamber"]);

/** The dynamic loader, which can start any program. */
const LOADER = /(^|\/)ld-[\w.-]*\.so[.\d]*$/;
const NO_LINES: readonly Line[] = [];

function startedBy({ words, input }: Simple): GivenCommand[] {
  const rest = words.slice(1);
  const texts = rest.map(textOf).filter((text) => /\s/.test(text));
  return [
    ...beginsIn({ words: rest, begins: rest.length }),
    ...texts.map((text) => ({ line: text.replace(/^([\w-]+=|[:+!]+|spawn\s+|"[^"]*":\s*)/, "") })),
    ...texts.flatMap(commandsIn),
    ...handedTo(input).map((text) => ({ line: text.replace(LEADING, "") })),
  ];
}

/** What comes before the command in a line of an editor or of a crontab. */
const LEADING = /^(!|[\d*\s,/-]+(?=[a-z./]))/gm;

function textOf({ text }: Word): string {
  return text;
}

/** Another reading runs in the same folder as the command. */
function placedAs(line: Line, { folders }: Simple): Line {
  return { ...line, folders, simple: { ...line.simple, folders } };
}
