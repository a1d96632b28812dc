import type { Word } from "./script.ts";

/**
 * What variables hold, by name; undefined where nobody can say. What each held before is kept too, so that all that a
 * part of a script did can be taken back without a copy of everything.
 */
export type Held = { readonly values: Map<string, Word | undefined>; readonly before: Before[] };

type Before = { name: string; had: boolean; value: Word | undefined };

/** Variables that the shell fills by itself, so that what a script puts into them is gone sooner or later. */
const FILLED: ReadonlySet<string> = new Set(
  (
    "_ OLDPWD DIRSTACK PIPESTATUS GROUPS FUNCNAME UID EUID PPID RANDOM SRANDOM SECONDS EPOCHSECONDS EPOCHREALTIME LINENO " +
    "LINES COLUMNS HISTCMD OPTARG OPTIND SHELLOPTS BASHOPTS BASHPID BASH_ARGC BASH_ARGV BASH_ARGV0 BASH_COMMAND " +
    "BASH_LINENO BASH_REMATCH BASH_SOURCE BASH_SUBSHELL BASH_VERSINFO"
  ).split(" "),
);

export function isFilledByShell(name: string): boolean {
  return FILLED.has(name);
}

export function newHeld(): Held {
  return { values: new Map(), before: [] };
}

export function hold({ values, before }: Held, name: string, value: Word | undefined): void {
  const held = values.get(name);
  const had = held !== undefined || values.has(name);
  if (had && held === value) return;
  before.push({ name, had, value: held });
  values.set(name, value);
}

/** Everything as it was when so many changes had been made. */
export function takeBack({ values, before }: Held, to: number): void {
  while (before.length > to) {
    const { name, had, value } = before.pop() as Before;
    if (had) values.set(name, value);
    else values.delete(name);
  }
}

/** What those held that were changed since, before the first change. */
export function changedSince({ before }: Held, from: number): ReadonlyMap<string, Word | undefined> {
  const first = new Map<string, Word | undefined>();
  for (let i = from; i < before.length; i++) {
    const { name, value } = before[i] as Before;
    if (!first.has(name)) first.set(name, value);
  }
  return first;
}
