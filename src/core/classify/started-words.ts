import { BUILTINS, nameOf, namesakesOf } from "../shell/names.ts";
import type { Line } from "../shell/path-uses.ts";
import { programCalled } from "../shell/program.ts";
import { type Simple, TEXT_MAX, type Word } from "../shell/script.ts";
import type { GivenCommand } from "../shell/understand.ts";

// Commands that stand among the words of a program which may start them. Nobody relies on this; it is for rules that
// deny a command.

/** Of a command that stands among many words so many are read; what it is told behind them may be anything. */
const COMMAND_WORDS_MAX = 32;
/** Before a word such as `run` few words come. */
const WORDS_NEAR = 4;

/** What a program starts of which the tables do not say that it starts nothing. */
export function startedByWords(line: Line): GivenCommand[] {
  const { simple, inner, program, class: kind } = line;
  const [first, ...rest] = simple.words;
  if (first === undefined || inner.length > 0 || BUILTINS.has(first.text)) return [];
  const texts = rest.map(textOf);
  const begins = beginsIn(startableIn(line));
  if (program === undefined) return [...begins, ...behindMarks(texts), ...textsOf(texts), ...handedLines(simple)];
  if (!RUNNING.test(kind)) return kind === "network.write" ? toldByOptions(texts) : [];
  const lines = kind === "permissions.change" || ORDERED.test(first.text) ? handedLines(simple) : [];
  return [...begins, ...behindMarks(texts), ...textsOf(texts), ...lines];
}

/** Where a word stands behind which come names of packages, files and the like; below zero if nowhere. */
function namingAt(texts: readonly string[]): number {
  return texts.slice(0, 2).findIndex((text) => NAMING.test(text));
}

/** Words among which a command may begin: with one of the first so many of them. */
export type Startable = { words: readonly Word[]; begins: number };

/** The words with which a program may start a command, if the tables do not say how it does that. */
export function startableIn({ program, simple, inner, class: kind }: Line): Startable {
  const [first, ...rest] = simple.words;
  if (first === undefined || inner.length > 0 || BUILTINS.has(first.text)) return NOTHING_STARTS;
  const names = namingAt(rest.map(textOf));
  if (program === undefined) return { words: rest, begins: names < 0 ? rest.length : names + 1 };
  return RUNNING.test(kind) && names !== 0 ? behindRun(rest, first.text) : NOTHING_STARTS;
}

const NOTHING_STARTS: Startable = { words: [], begins: 0 };

/** Classes of programs that run what they are told. */
const RUNNING = /^(process\.exec|deploy\.write|permissions\.change|secrets\.read)$/;
/** They take what they are handed for orders. */
const ORDERED = /^(dc|bc|m4)$/;
/** Behind these stand names of packages, files and the like, whatever a program is. */
const NAMING =
  /^(install|i|add|remove|rm|uninstall|search|info|show|view|why|update|upgrade|download|list|ls|help|doc|docs|new|create|init|which|where)$/;

/** The commands of programs that the tables know. Of other programs the words are all there is (`addStarted`). */
export function beginsIn({ words, begins }: Startable): GivenCommand[] {
  const texts = words.map(textOf);
  return words.slice(0, begins).flatMap((word, i) => {
    return isProgram(word) && isKnown(word.text) ? [commandFrom(texts, i)] : [];
  });
}

function isKnown(text: string): boolean {
  return BUILTINS.has(text) || programCalled(nameOf(text)) !== undefined || namesakesOf(text) !== undefined;
}

function commandFrom(texts: readonly string[], at: number): GivenCommand {
  const words = texts.slice(at, at + COMMAND_WORDS_MAX);
  return at + COMMAND_WORDS_MAX < texts.length ? { words, more: "any" } : { words };
}

function isProgram({ kind, text }: Word): boolean {
  return kind === "plain" && /^[^-\s=]+$|^[^-\s=][^\s=]*$/.test(text);
}

/** Words by which programs say that a command follows. */
const RUN =
  /^(run|exec|shell|ssh|env|time|chdir|foreach|forall|console|unshare|execute|devenv|super|workspace|dev:exec|emulators:exec)$/;
/** They start what they find under a name that is none of their own. */
const DIRECT = /^(yarn|pnpm|bun)$/;
/** The word behind is a name. */
const NAMED = /^--?(name|tag|t|hostname|network|label|image|bin|package|p|target|example|test)$/;

function behindRun(words: readonly Word[], program: string): Startable {
  const at = words.slice(0, WORDS_NEAR).findIndex(({ text }) => RUN.test(text));
  if (at < 0) return DIRECT.test(program) ? { words, begins: 1 } : NOTHING_STARTS;
  const named = words.filter((_, i) => i > at && !(i > 0 && NAMED.test(words[i - 1]?.text ?? "")));
  return { words: named, begins: named.length };
}

/** Options whose value is a command, and the end of a program's own words. */
const MARK =
  /^(--|-c|-C|-x|-z|-exec|--exec|--command|--cmd|--run|--run-command|--test-command|--execute|--call|--mode=execute|-E)$/;

function behindMarks(texts: readonly string[]): GivenCommand[] {
  // A text of several words is no program: it is read as a command of its own (`textsOf`).
  return texts.flatMap((text, i) =>
    MARK.test(text) && /^\S+$/.test(texts[i + 1] ?? "") ? [commandFrom(texts, i + 1)] : [],
  );
}

/** Options whose value says something to people, or picks among names. */
const SAYING =
  /^(-[mktg]|--(message|title|body|description|name|grep|filter|keyword|label|comment|reason|notes?|subject|text|tag|header|testNamePattern|test-name-pattern|expression))$/;

/** Texts of several words. */
function textsOf(texts: readonly string[]): GivenCommand[] {
  const found = texts.filter((text, i) => {
    const [option = ""] = text.split("=", 1);
    return (
      /\s/.test(text) &&
      /[A-Za-z]{2}/.test(text.replace(/^-{1,2}[\w-]+=/, "")) &&
      !SAYING.test(texts[i - 1] ?? "") &&
      !(text.startsWith("-") && SAYING.test(option))
    );
  });
  return found.flatMap(commandsIn);
}

/** `--rsync-path='rm a'` and `-oProxyCommand='rm a'` of a program that goes elsewhere. */
function toldByOptions(texts: readonly string[]): GivenCommand[] {
  const found = texts.flatMap((text, i) => {
    const [option = ""] = text.startsWith("-") ? text.split("=", 1) : [texts[i - 1] ?? ""];
    return /\s/.test(text) && /^-.*(command|cmd|exec|rsh|path|program)|^-e$/i.test(option) ? [text] : [];
  });
  return [
    ...behindMarks(texts.filter((text, i) => text === "--" || texts.slice(0, i).includes("--"))),
    ...found.flatMap(commandsIn),
  ];
}

/** A command in a text: all of it, what a setting is set to, and what stands behind a mark or in brackets. */
export function commandsIn(text: string): GivenCommand[] {
  const whole = text.slice(0, TEXT_MAX);
  const value = whole.replace(/^-{1,2}[\w-]+=|^-o\w+=/, "").replace(/^[\w.:-]+=(?=["'!\w])/, "");
  const bare = value.replace(/^["'\s]*[!|+:]*\s*/, "").replace(/["'\s]*$/, "");
  const [, inside] = /^[%\w:-]*\((?:[`"']*)([\s\S]*?)[`"']*\)[\s\S]*$/.exec(bare) ?? [];
  return [...new Set([whole, value, bare, ...(inside === undefined ? [] : [inside])])].map((line) => ({ line }));
}

function handedLines({ input }: Simple): GivenCommand[] {
  const lines = handedTo(input).flatMap((text) => text.slice(0, TEXT_MAX).split("\n"));
  return lines.filter((line) => line.trim() !== "").flatMap((line) => commandsIn(line.trim()));
}

/** What a command is handed where its text is known: by a here-document, or by a command that only prints it. */
export function handedTo(input: Simple["input"]): readonly string[] {
  if (typeof input !== "object") return [];
  if ("text" in input) return [input.text];
  if (!("from" in input)) return [];
  const [first, ...rest] = input.from.words;
  if (first?.text === "cat" && rest.length === 0) return handedTo(input.from.input);
  return /^(echo|printf)$/.test(first?.text ?? "") ? [rest.map(textOf).join(" ")] : [];
}

/** Words that xargs gets to put behind a command: together they may be another one. */
export function handedOn({ name, simple, inner }: Line): GivenCommand[] {
  if (!/^(xargs|parallel)$/.test(name)) return [];
  const texts = handedTo(simple.input).map((text) => text.slice(0, TEXT_MAX).replace(/\\n|\n/g, " "));
  return texts.flatMap((text) => [
    { line: text },
    ...inner.flatMap((one) =>
      "words" in one ? [{ line: `${quoted(one.words)} ${text.replace(/;\s*$/, "\\;")}` }] : [],
    ),
  ]);
}

function quoted(words: readonly Word[]): string {
  return words.map(({ text }) => (/^[\w./=-]+$/.test(text) ? text : `'${text.replaceAll("'", "")}'`)).join(" ");
}

/** A function that the environment hands to bash, under whatever name. */
export function functionsIn({ simple }: Line): GivenCommand[] {
  const texts = [...simple.words.map(textOf), ...simple.sets.map(({ name, value }) => `${name}=${value.text}`)];
  return texts.flatMap((text) => {
    const [, body] = /BASH_FUNC_[^=]*=\s*\(\)\s*\{([\s\S]*)\}/.exec(text.slice(0, TEXT_MAX)) ?? [];
    return body === undefined ? [] : [{ line: body }];
  });
}

/** `env -S'rm\_-rf' a` takes a text apart itself. */
export function splitByEnv({ name, simple }: Line): GivenCommand[] {
  if (name !== "env") return [];
  const texts = simple.words.slice(1).map(textOf);
  const at = texts.findIndex((text) => /^(-[a-zA-Z0]*S|--split-string)/.test(text));
  if (at < 0) return [];
  const own = (texts[at] ?? "").replace(/^(-[a-zA-Z0]*?S|--split-string=?)/, "");
  const rest = texts.slice(at + 1);
  const text = [own, ...rest].join(" ").replace(/\\[_ntrfv]/g, " ");
  return [{ line: text }];
}

function textOf({ text }: Word): string {
  return text;
}
