import type { Line } from "../../shell/path-uses.ts";
import { BUILTINS, nameOf, namesakesOf, programCalled } from "../../shell/program.ts";
import { type Assigned, type Simple, TEXT_MAX, type Word } from "../../shell/script.ts";
import type { GivenCommand } from "../../shell/understand.ts";

// Commands among the words of a program that may start them. The result is used only by rules that deny a
// command.

/** At most this many words of such a command are read. The words after them count as unknown. */
const COMMAND_WORDS_MAX = 32;

/** A word such as `run` is among the first words. */
const WORDS_NEAR = 4;

/** Commands that begin at a word of a program, unless the tables say that it starts nothing. */
export function startedByWords(line: Line): GivenCommand[] {
  return line.program !== undefined && !RUNNING.test(line.class) ? [] : beginsIn(startableIn(line));
}

/** Commands that a text among the words of a program may be, or that its input may be. */
export function startedByTexts(line: Line): GivenCommand[] {
  const { simple, inner, program, class: kind } = line;
  const [first, ...rest] = simple.words;
  if (first === undefined || inner.length > 0 || BUILTINS.has(first.text)) return [];
  const texts = rest.map(textOf);
  if (program !== undefined && !RUNNING.test(kind)) return kind === "network.write" ? toldByOptions(texts) : [];
  const isOrdered = program === undefined || kind === "permissions.change" || ORDERED.test(first.text);
  return [...behindMarks(texts), ...textsOf(texts), ...(isOrdered ? handedLines(simple) : [])];
}

/** Words in which a command may begin, at one of the first `begins` words. */
export type Startable = { words: readonly Word[]; begins: number };

/** The words with which a program may start a command, if the tables do not say how it does that. */
export function startableIn({ program, simple, inner, class: kind }: Line): Startable {
  const [first, ...rest] = simple.words;
  if (first === undefined || inner.length > 0 || BUILTINS.has(first.text)) return NOTHING_STARTS;
  if (program !== undefined && !RUNNING.test(kind)) return NOTHING_STARTS;
  const names = rest.slice(0, 2).findIndex(({ text }) => NAMING.test(text));
  if (program === undefined) return { words: rest, begins: names < 0 ? rest.length : names + 1 };
  return names === 0 ? NOTHING_STARTS : behindRun(rest, first.text);
}

const NOTHING_STARTS: Startable = { words: [], begins: 0 };

/** Classes of programs that run other commands. */
const RUNNING = /^(process\.exec|deploy\.write|permissions\.change|secrets\.read)$/;

/** Programs that run their input as commands. */
const ORDERED = /^(dc|bc|m4)$/;

/** After these words, names of packages or files follow, in every program. */
const NAMING =
  /^(install|i|add|remove|rm|uninstall|search|info|show|view|why|update|upgrade|download|list|ls|help|doc|docs|new|create|init|which|where)$/;

/** The commands of programs that the tables know. For other programs only the words count (`addStarted`). */
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

/** Words after which a command follows. */
const RUN =
  /^(run|exec|shell|ssh|env|time|chdir|foreach|forall|console|unshare|execute|devenv|super|workspace|dev:exec|emulators:exec)$/;

/** Programs that start another program if they do not know the subcommand. */
const DIRECT = /^(yarn|pnpm|bun)$/;

/** After `run` these build and start code of their own language. The words behind it are files and arguments, and no command. */
const OWN_CODE = /^(go|cargo|deno|dotnet|swift)$/;

/** Options whose value is a name. */
const NAMED = /^--?(name|tag|t|hostname|network|label|image|bin|package|p|target|example|test)$/;

function behindRun(words: readonly Word[], program: string): Startable {
  const at = words.slice(0, WORDS_NEAR).findIndex(({ text }) => RUN.test(text));
  if (at < 0) return DIRECT.test(program) ? { words, begins: 1 } : NOTHING_STARTS;
  if (at === 0 && words[0]?.text === "run" && OWN_CODE.test(program)) return NOTHING_STARTS;
  const named = words.filter((_, i) => i > at && !(i > 0 && NAMED.test(words[i - 1]?.text ?? "")));
  return { words: named, begins: named.length };
}

/** Options whose value is a command, and `--`, which ends a program's own words. */
const MARK =
  /^(--|-c|-C|-x|-z|-exec|--exec|--command|--cmd|--run|--run-command|--test-command|--execute|--call|--mode=execute|-E)$/;

function behindMarks(texts: readonly string[]): GivenCommand[] {
  // A text of several words is not the name of a program. `textsOf` reads it as a command.
  return texts.flatMap((text, i) =>
    MARK.test(text) && /^\S+$/.test(texts[i + 1] ?? "") ? [commandFrom(texts, i + 1)] : [],
  );
}

/** Options whose value is a text for people or a filter of names. */
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

/** `--rsync-path='rm a'` and `-oProxyCommand='rm a'` of a program that connects to another machine. */
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

/** Possible commands in a text: all of it, the value of a setting, and what follows a mark or is in brackets. */
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

/** The input of a command if its text is known: from a here-document, or from a command that only prints it. */
export function handedTo(input: Simple["input"]): readonly string[] {
  if (typeof input !== "object") return [];
  if ("text" in input) return [input.text];
  if (!("from" in input)) return [];
  const [first, ...rest] = input.from.words;
  if (first?.text === "cat" && rest.length === 0) return handedTo(input.from.input);
  return /^(echo|printf)$/.test(first?.text ?? "") ? [rest.map(textOf).join(" ")] : [];
}

/** xargs adds its input to a command. Together they may be another command. */
export function handedOn({ simple, inner }: Line): GivenCommand[] {
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

/** A function that bash imports from the environment, under any name. */
export function functionsIn(words: readonly string[], sets: readonly Assigned[]): GivenCommand[] {
  if (sets.length === 0 && !words.some((text) => text.includes("BASH_FUNC_"))) return [];
  const texts = [...words, ...sets.map(({ name, value }) => `${name}=${value.text}`)];
  return texts.flatMap((text) => {
    const [, body] = /BASH_FUNC_[^=]*=\s*\(\)\s*\{([\s\S]*)\}/.exec(text.slice(0, TEXT_MAX)) ?? [];
    return body === undefined ? [] : [{ line: body }];
  });
}

/** `env -S'rm\_-rf' a` splits the text itself. */
export function splitByEnv([, ...texts]: readonly string[]): GivenCommand[] {
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

// Programs and aliases in git settings of a command. The result is used only by rules that deny.

/** Whether `gitSettings` may find something in a word of git. */
export function mayNameGitSetting(word: string): boolean {
  return /^(-c$|-O|--open-files-in-pager=|--config-env|alias\.|for-each-repo$)/i.test(word);
}

/** `git -c core.pager='rm a' log` starts `rm`, and `git -c alias.x=push x` is `git push`. */
export function gitSettings({ words, sets }: Simple, exported: readonly Assigned[] = []): GivenCommand[] {
  const texts = words.map(textOf);
  const pagers = texts.flatMap((text, i) => {
    const [, pager = ""] = /^(?:-O|--open-files-in-pager=)(.+)$/s.exec(text) ?? [];
    if (pager !== "") return [{ line: pager }];
    return ALIAS.test(text) ? [aliased(texts[i + 1] ?? "", [])] : [];
  });
  const at = texts.indexOf("for-each-repo");
  const each = at < 0 ? [] : [{ words: ["git", ...texts.slice(at + 1).filter((text) => !/^--config=/.test(text))] }];
  const told = [...onCommandLine(texts, [...exported, ...sets]), ...inEnvironment([...exported, ...sets])];
  return [...pagers, ...each, ...told.flatMap(([key, value]) => started(texts, key, value))];
}

type Setting = readonly [key: string, value: string];

function onCommandLine(texts: readonly string[], sets: readonly Assigned[]): readonly Setting[] {
  return texts.flatMap((text, i): Setting[] => {
    const before = texts[i - 1] ?? "";
    const [, key, value] = before === "-c" ? (SETTING.exec(text) ?? []) : [];
    if (key !== undefined) return [[key, value ?? ""]];
    const from = before === "--config-env" ? text : (/^--config-env=(.*)$/s.exec(text)?.[1] ?? "");
    const [, named, variable] = SETTING.exec(from) ?? [];
    return named === undefined ? [] : [[named, settingFrom(sets, variable ?? "")]];
  });
}

const SETTING = /^([\w.-]+)=(.*)$/s;

/** Git reads settings from numbered variables, and from one variable that holds them all. */
function inEnvironment(sets: readonly Assigned[]): readonly Setting[] {
  return sets.flatMap(({ name, value }): readonly Setting[] => {
    const [, number] = /^GIT_CONFIG_KEY_(\d+)$/.exec(name) ?? [];
    if (number !== undefined) return [[value.text, settingFrom(sets, `GIT_CONFIG_VALUE_${number}`)]];
    if (name !== "GIT_CONFIG_PARAMETERS") return [];
    const all = [...value.text.matchAll(/'([\w.-]+)(?:'=')?=?([^']*)'/g)];
    return all.map((found): Setting => [found[1] ?? "", found[2] ?? ""]);
  });
}

function settingFrom(sets: readonly Assigned[], name: string): string {
  return sets.findLast((one) => one.name === name)?.value.text ?? "";
}

function started(texts: readonly string[], key: string, value: string): GivenCommand[] {
  if (/^help\.autocorrect$/i.test(key)) return corrected(texts);
  if (value === "") return [];
  const [, name] = ALIAS.exec(key) ?? [];
  if (name === undefined) return [{ line: value }];
  const called = texts.lastIndexOf(name);
  return [aliased(value, called < 0 ? [] : texts.slice(called + 1))];
}

const ALIAS = /^alias\.([\w-]+)(?:\.command)?$/i;

function aliased(value: string, rest: readonly string[]): GivenCommand {
  const line = value.startsWith("!") ? value.slice(1) : `git ${value}`;
  return rest.length === 0 ? { line } : { line: `${line} ${rest.map((word) => JSON.stringify(word)).join(" ")}` };
}

/** Git may correct a misspelled subcommand to any that has nearly the same letters. */
export function corrected(texts: readonly string[]): GivenCommand[] {
  const subs = programCalled("git")?.subs;
  const at = texts.findIndex(
    (text, i) => i > 0 && /^[a-z-]+$/.test(text) && texts[i - 1] !== "-c" && !text.startsWith("-"),
  );
  const typed = texts[at];
  if (subs === undefined || typed === undefined || subs.has(typed)) return [];
  const near = [...subs.keys(), "push"].filter((sub) => sharesLetters(sub, typed));
  return [...new Set(near)].map((sub) => ({ words: ["git", sub, ...texts.slice(at + 1)] }));
}

/** At least half of the letters are the same. */
function sharesLetters(one: string, other: string): boolean {
  const shared = [...one].filter((letter) => other.includes(letter)).length;
  return Math.abs(one.length - other.length) <= 2 && shared * 2 >= Math.max(one.length, other.length);
}
