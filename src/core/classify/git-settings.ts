import { programCalled } from "../shell/program.ts";
import type { Assigned, Simple, Word } from "../shell/script.ts";
import type { GivenCommand } from "../shell/understand.ts";

// What git is told by its settings to start, and to call a command by. Nobody relies on this; it is for rules that deny.

/** `git -c core.pager='rm a' log` starts what it is told, and `git -c alias.x=push x` is another command. */
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

/** Git takes settings from variables with numbers, and from one that holds them all. */
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

/** A misspelled subcommand that git corrects by itself is any that has nearly the same letters. */
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

/** At least half of the letters of each are in the other. */
function sharesLetters(one: string, other: string): boolean {
  const shared = [...one].filter((letter) => other.includes(letter)).length;
  return Math.abs(one.length - other.length) <= 2 && shared * 2 >= Math.max(one.length, other.length);
}

function textOf({ text }: Word): string {
  return text;
}
