import { BUILTINS, nameOf, namesakesOf } from "../shell/names.ts";
import type { Simple, Word } from "../shell/script.ts";
import { type Given, understand } from "../shell/understand.ts";
import type { Line } from "../shell/uses.ts";
import { INTERPRETERS, programOf, RUNS_WORDS } from "../tables/launchers.ts";
import { meantBy } from "../tables/namesakes.ts";

/** More parts than this of other readings are not looked at. */
const PARTS_MAX = 500;
/** A command that a program starts begins with one of so many of its words. */
const WORDS_MAX = 8;

/**
 * What else a command may be: a program in some folder may be the one whose name it has, and what a program is told to
 * start stands somewhere among its words. Nobody relies on this; it is for rules that deny.
 */
export function otherReadings({ simple, inner, name }: Line, before: number): readonly Line[] {
  const [first] = simple.words;
  if (first?.kind !== "plain" || before >= PARTS_MAX) return NO_LINES;
  const names = namesakesOf(first.text);
  const runs = inner.length === 0 && (RUNS_WORDS.has(programOf(first.text)) || LOADER.test(first.text));
  const readings: Given[] = runs ? startedBy(simple) : [];
  if (inner.length === 0 && INTERPRETERS.has(programOf(first.text))) readings.push(...quotedIn(simple.words));
  if (name === "git push" && forces(simple.words)) readings.push({ words: [...simple.words.map(textOf), "--force"] });
  if (names !== undefined) readings.push({ words: [...names, ...simple.words.slice(1).map(textOf)] });
  readings.push(...otherNames(simple.words.map(textOf)), ...subscripts(name, simple.words));
  if (name === "git" || name.startsWith("git ")) readings.push(...settingsIn(simple.words));
  for (const { name: variable, value } of simple.sets) if (STARTING.test(variable)) readings.push({ line: value.text });
  return readings.flatMap((given) => understand(given).lines).map((line) => placedAs(line, simple));
}

/** A text between quotes in a program may be a command that it starts. */
function quotedIn(words: readonly Word[]): Given[] {
  const texts = words.slice(1).map(({ text }) => text.slice(0, TEXT_MAX));
  const quoted = texts.flatMap((text) =>
    [...text.matchAll(/(["'`])([^"'`]*\s[^"'`]*)\1/g)].map((found) => found[2] ?? ""),
  );
  return quoted.slice(0, WORDS_MAX).map((line) => ({ line }));
}

const TEXT_MAX = 10_000;

/** A plus before a branch, and a mirror, push with force. */
function forces(words: readonly Word[]): boolean {
  return (
    words.some(({ text }) => /^\+\S/.test(text) || text === "--mirror") && !words.some(({ text }) => FORCE.test(text))
  );
}

const FORCE = /^(-f|--force)$/;

/** Programs that take their own words in either case. */
const SHOUTED = /^(redis|valkey|keydb)-cli$/;

/** What a word of the shell itself finds in a text that names a variable, it carries out: `test -v 'a[$(rm b)]'`. */
function subscripts(name: string, words: readonly Word[]): Given[] {
  if (!BUILTINS.has(name)) return [];
  const texts = words
    .slice(1)
    .flatMap(({ kind, text }) => (kind === "plain" && /\[.*(\$\(|`)/s.test(text) ? [text] : []));
  return texts.slice(0, WORDS_MAX).map((text) => ({ line: `: "${text.replaceAll('"', "")}"` }));
}

/** `pip3`, `git.exe` and, where the disk does not tell them apart, `GIT`; then whatever else the command is called. */
function otherNames(words: readonly string[]): Given[] {
  const [first = "", ...rest] = words;
  const program = first.includes("/") ? first : nameOf(programOf(first.toLowerCase()));
  const named = SHOUTED.test(program)
    ? [program, ...rest.map((word) => word.toLowerCase())]
    : program === first
      ? words
      : [program, ...rest];
  const meant = meantBy(named) ?? named;
  return meant === words ? [] : [{ words: meant }];
}

/** Variables that hold a command which programs start. */
const STARTING = /(PAGER|EDITOR|VISUAL|BROWSER|ASKPASS|_SSH|_COMMAND|^PS\d|_PROXY_COMMAND|_DIFF)$/;

/** `git -c core.pager='rm a' log` starts what it is told, and `git -c alias.x=push x` is another command. */
function settingsIn(words: readonly Word[]): Given[] {
  return words.flatMap(({ text }, i) => {
    const [, key = "", value = ""] = words[i - 1]?.text === "-c" ? (/^([\w.-]+)=(.*)$/s.exec(text) ?? []) : [];
    if (value === "") return [];
    const line = value.startsWith("!") ? value.slice(1) : key.startsWith("alias.") ? `git ${value}` : value;
    return [{ line }];
  });
}

/** The system starts every program by one of these, and it takes another one to start. */
const LOADER = /(^|\/)ld-[\w.-]*\.so[.\d]*$/;
const NO_LINES: readonly Line[] = [];

function startedBy({ words, input }: Simple): Given[] {
  const rest = words.slice(1);
  const begins = rest.slice(0, WORDS_MAX).flatMap((word, i) => (isProgram(word) ? [i] : []));
  const texts = rest.map(textOf).filter((text) => /\s/.test(text));
  return [
    ...begins.map((i) => ({ words: rest.slice(i).map(textOf) })),
    ...texts.slice(0, WORDS_MAX).map((text) => ({ line: text.replace(/^([\w-]+=|[:+!]+|spawn\s+|"[^"]*":\s*)/, "") })),
    ...handedTo(input).map((text) => ({ line: text.replace(LEADING, "") })),
  ];
}

/** What a line of an editor or of a table of times begins with, before the command. */
const LEADING = /^(!|[\d*\s,/-]+(?=[a-z./]))/gm;

function handedTo(input: Simple["input"]): readonly string[] {
  if (typeof input !== "object") return [];
  if ("text" in input) return [input.text];
  if (!("from" in input) || !/^(echo|printf)$/.test(input.from.words[0]?.text ?? "")) return [];
  return [input.from.words.slice(1).map(textOf).join(" ")];
}

function isProgram({ kind, text }: Word): boolean {
  return kind === "plain" && /^[^-\s]\S*$/.test(text);
}

function textOf({ text }: Word): string {
  return text;
}

/** It runs where the command does that it is another reading of. */
function placedAs(line: Line, { folders }: Simple): Line {
  return { ...line, folders, simple: { ...line.simple, folders } };
}
