import type { ParsedScript } from "unbash";
import { Notes, say } from "../messages/message.ts";
import { UNREAD } from "../tables/unread.ts";
import { ARITHMETIC, type Counting, isFilledByShell } from "./arithmetic.ts";
import {
  type Assigned,
  below,
  either,
  HOME,
  isDigits,
  isSpent,
  plain,
  type Simple,
  spend,
  type Word,
  type Work,
} from "./script.ts";

/**
 * What is known at one point of a script. Commands, doubts and names are collected for the whole script; variables and
 * folders belong to the shell that runs this part, and those of a subshell are dropped at its end.
 */
export type Scope = {
  readonly simples: Simple[];
  readonly sets: Assigned[];
  readonly doubts: Notes;
  readonly shadowed: Set<string>;
  /** Variables that are used in arithmetic. */
  readonly counted: Set<string>;
  /** Variables that contain lists, and those declared with an unknown text: bash parses the text of a list again. */
  readonly lists: Set<string>;
  readonly declared: Set<string>;
  /** Special variables of the shell that contain digits, whatever the script does. */
  readonly digits: Set<string>;
  /** True once any variable may have been set to anything. */
  wild: boolean;
  readable: boolean;
  depth: number;
  /** True once there are more rounds of loops than the limit. */
  crowded: boolean;
  readonly work: Work;
  readonly variables: Held;
  /** True once the shell may split words and find files in other ways than by default. */
  unruly: boolean;
  folders: readonly string[] | undefined;
  /** Where `popd` leads back to, the last one first; undefined if unknown. */
  pushed: readonly (readonly string[] | undefined)[] | undefined;
  /** The function for whole scripts, for those inside a word. */
  readonly walkNested: (tree: ParsedScript | undefined, scope: Scope) => void;
};

export function newScope(walkNested: Scope["walkNested"], work: Work, digits: Set<string>): Scope {
  return {
    simples: [],
    sets: [],
    doubts: new Notes(),
    shadowed: new Set(),
    counted: new Set(),
    lists: new Set(),
    declared: new Set(),
    digits,
    wild: false,
    readable: true,
    depth: 0,
    crowded: false,
    work,
    variables: { values: new Map(), before: [] },
    unruly: false,
    folders: START,
    pushed: [],
    walkNested,
  };
}

/** Where the script begins. */
const START = [""];

/** Runs a part in a subshell: its variables and folders end with it. */
export function apart(scope: Scope, run: () => void): void {
  const { variables, folders, pushed } = scope;
  const mark = variables.before.length;
  run();
  if (variables.before.length > mark) takeBack(variables, mark);
  scope.folders = folders;
  scope.pushed = pushed;
}

/** Runs parts of which any may be skipped or repeated: afterwards only what is true in every case is known. */
export function perhaps(scope: Scope, run: () => void): void {
  const { variables, folders, pushed } = scope;
  const mark = variables.before.length;
  run();
  if (scope.pushed !== pushed) scope.pushed = undefined;
  const changed = variables.before.length - mark;
  if (changed > 0) {
    take(scope, changed / 8);
    for (const [name, value] of changedSince(variables, mark))
      if (variables.values.get(name) !== value) hold(variables, name, undefined);
  }
  scope.folders = either(folders, scope.folders);
}

/** Counts the steps of a part. After the last step variables are not tracked any more. */
export function take(scope: Scope, steps: number): void {
  spend(scope.work, steps);
  if (isSpent(scope.work)) scope.unruly = true;
}

function namesHeld({ unruly, variables }: Scope): ReadonlySet<string> {
  return unruly ? NO_NAMES : new Set(variables.values.keys());
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** From here on the variable has this value, as far as it is known. */
export function setTo(scope: Scope, name: string, value: Word | undefined): void {
  // If words may be split in other ways, no variable is looked up any more.
  if (!scope.unruly) hold(scope.variables, name, isFilledByShell(name) ? undefined : value);
}

/** The variables that a part may set: these, or any; and whether it may change the folder. */
export type Touched = {
  names: ReadonlySet<string>;
  moves: boolean;
  any: boolean;
  /** A variable names one of its commands: which one, and its effect on the shell, may differ in every round. */
  opaque: boolean;
};

/** The body of a loop starts with what its end left behind, so nothing it changes is known inside it. */
export function repeated(scope: Scope, touches: Touched, run: () => void): void {
  perhaps(scope, () => {
    // In the first round it is still known which command the variable names.
    if (touches.opaque) run();
    const names = touches.any || touches.opaque ? namesHeld(scope) : touches.names;
    take(scope, names.size / 8);
    for (const name of names) setTo(scope, name, undefined);
    if (touches.moves || touches.opaque) scope.folders = undefined;
    run();
  });
}

/** Arithmetic assigns numbers; what it reads must be a number, which only the whole script can show. */
export function count({ looks, sets, clear }: Counting, scope: Scope): void {
  if (!clear) scope.doubts.add(ARITHMETIC);
  for (const name of looks) scope.counted.add(name);
  for (const name of sets) {
    // A variable that is also read was something else before.
    if (!looks.includes(name)) scope.sets.push({ name, value: plain("0") });
    setTo(scope, name, undefined);
  }
}

/** Set for the shell itself: from here on the value is known, and everything it starts may see it. */
export function setHere(one: Assigned, scope: Scope): void {
  scope.sets.push(one);
  setTo(scope, one.name, one.value.kind === "open" && !isDigits(one.value) ? undefined : one.value);
  if (one.name === "IFS") scope.unruly = true;
}

/** The variable gets an unknown value. */
export function assignUnknown(name: string, scope: Scope): void {
  setHere({ name, value: UNKNOWN }, scope);
}

/** `${A:=b}` sets A if it was not set, at any depth. */
export function assignedBy(text: string): readonly string[] {
  if (!text.includes("=")) return NONE;
  return [...text.matchAll(/\$\{(\w+)(?:\[[^\]]*\])?:?=/g)].map(([, name = ""]) => name);
}

const NONE: readonly string[] = [];

export const UNKNOWN: Word = { kind: "open", text: "", start: "", split: false };

/** If a list is declared, bash parses `($(a))` as a list, wherever that text came from, and runs a. */
export function readsListAgain({ lists, declared }: Scope): boolean {
  return [...declared].some((name) => lists.has(name));
}

export const LIST_AGAIN = say("note.shell_reads_list_again");

/** No variable is known from here on. */
export function forget(scope: Scope): void {
  scope.unruly = true;
}

/** Where `cd` leads from every possible folder. Bash refuses two words; zsh replaces the first by the second in the path. */
export function moved(scope: Scope, [to, ...others]: readonly Word[]): void {
  renameFolder(scope);
  if (to === undefined) scope.folders = ["~"];
  else if (others.length > 0 || to.kind !== "plain" || to.text === "" || to.text.startsWith("-"))
    scope.folders = undefined;
  else scope.folders = below(scope.folders, to.text);
}

/** `pushd a` leads to a, and `popd` back to the previous folder. */
export function pushedTo(scope: Scope, words: readonly Word[]): void {
  const [to, ...others] = words;
  const known = to?.kind === "plain" && !/^[-+]/.test(to.text) && others.length === 0;
  const full = (scope.pushed?.length ?? 0) >= PUSHED_MAX;
  scope.pushed =
    known && scope.pushed !== undefined && scope.pushed.length < PUSHED_MAX
      ? [scope.folders, ...scope.pushed]
      : undefined;
  if (scope.pushed === undefined && known && full) scope.doubts.add(UNREAD.folders);
  if (known) moved(scope, words);
  else scope.folders = undefined;
  renameFolder(scope);
}

const PUSHED_MAX = 32;

export function popped(scope: Scope, words: readonly Word[]): void {
  renameFolder(scope);
  const known = words.length === 0 ? scope.pushed : undefined;
  scope.pushed = known?.slice(1);
  scope.folders = known?.[0];
}

/** A value that a script assigned to `PWD` is lost when the shell changes its folder, or tries to. */
function renameFolder(scope: Scope): void {
  if (scope.variables.values.has("PWD")) setTo(scope, "PWD", undefined);
}

/** `$HOME` and `$PWD` are known from the door; any other variable of the environment may contain anything. */
export function variableIn(scope: Scope, name: string): Word | undefined {
  if (scope.unruly) return undefined;
  const { values } = scope.variables;
  const [folder, ...others] = scope.folders ?? [];
  const here = others.length === 0 ? folder : undefined;
  if (values.has(name)) {
    const value = values.get(name);
    const isElsewhere = value !== undefined && value.kind !== "open" && value.from !== undefined && value.from !== here;
    return isElsewhere ? undefined : value;
  }
  if (name === "HOME") return HOME;
  // The words of a command are relative to its folder, so this is a dot for every folder.
  return name === "PWD" && here !== undefined ? { kind: "plain", text: ".", placed: true, from: here } : undefined;
}

/**
 * The values of variables, by name; undefined if unknown. Earlier values are kept too, so that everything a part of a
 * script did can be undone without a copy.
 */
type Held = { readonly values: Map<string, Word | undefined>; readonly before: Before[] };

type Before = { name: string; had: boolean; value: Word | undefined };

function hold({ values, before }: Held, name: string, value: Word | undefined): void {
  const held = values.get(name);
  const had = held !== undefined || values.has(name);
  if (had && held === value) return;
  before.push({ name, had, value: held });
  values.set(name, value);
}

/** Restores the state after this number of changes. */
function takeBack({ values, before }: Held, to: number): void {
  while (before.length > to) {
    const { name, had, value } = before.pop() as Before;
    if (had) values.set(name, value);
    else values.delete(name);
  }
}

/** The values of changed variables before their first change since then. */
function changedSince({ before }: Held, from: number): ReadonlyMap<string, Word | undefined> {
  const first = new Map<string, Word | undefined>();
  for (let i = from; i < before.length; i++) {
    const { name, value } = before[i] as Before;
    if (!first.has(name)) first.set(name, value);
  }
  return first;
}
