import type { ParsedScript } from "unbash";
import { say } from "../messages/message.ts";
import { Notes } from "../messages/notes.ts";
import { UNREAD } from "../tables/unread.ts";
import { ARITHMETIC, type Counting } from "./arithmetic.ts";
import { type Assigned, HOME, isDigits, plain, type Simple, type Word } from "./script.ts";
import { isSpent, spend, type Work } from "./step-budget.ts";
import { changedSince, type Held, hold, isFilledByShell, newHeld, takeBack } from "./variable-values.ts";
import { below, either } from "./working-folders.ts";

/**
 * What is known at one point of a script. Commands, doubts and names are gathered for the whole of it; variables and
 * folders belong to the shell that runs this part, and a subshell's do not come back.
 */
export type Scope = {
  readonly simples: Simple[];
  readonly sets: Assigned[];
  readonly doubts: Notes;
  readonly shadowed: Set<string>;
  /** Variables that something is counted with. */
  readonly counted: Set<string>;
  /** Variables that hold lists, and those that are declared with a text nobody knows: bash reads the text of a list once more. */
  readonly lists: Set<string>;
  readonly declared: Set<string>;
  /** Variables of the shell's own that hold digits, whatever the script does. */
  readonly digits: Set<string>;
  /** True once any variable may have been set to anything. */
  wild: boolean;
  readable: boolean;
  depth: number;
  /** True once loops would be gone through more often than is told apart. */
  crowded: boolean;
  readonly work: Work;
  readonly variables: Held;
  /** True once the shell may cut words and find files in other ways than it does by default. */
  unruly: boolean;
  folders: readonly string[] | undefined;
  /** Where `popd` leads back to, the last one first; undefined where nobody can say. */
  pushed: readonly (readonly string[] | undefined)[] | undefined;
  /** The way back to whole scripts, for those that stand within a word. */
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
    variables: newHeld(),
    unruly: false,
    folders: START,
    pushed: [],
    walkNested,
  };
}

/** Where the script begins. */
const START = [""];

/** Runs a part in a shell of its own: what it sets and where it goes ends with it. */
export function apart(scope: Scope, run: () => void): void {
  const { variables, folders, pushed } = scope;
  const mark = variables.before.length;
  run();
  takeBack(variables, mark);
  scope.folders = folders;
  scope.pushed = pushed;
}

/** Runs parts of which any may be left out or repeated: afterwards only what holds either way is known. */
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

/** Counts the steps that a part takes. Behind the last one variables are not followed any more. */
export function take(scope: Scope, steps: number): void {
  spend(scope.work, steps);
  if (isSpent(scope.work)) scope.unruly = true;
}

export function namesHeld({ unruly, variables }: Scope): ReadonlySet<string> {
  return unruly ? NO_NAMES : new Set(variables.values.keys());
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** From here on the variable holds this, as far as anybody can say. */
export function setTo(scope: Scope, name: string, value: Word | undefined): void {
  // Where words may be cut in other ways no variable is looked up any more.
  if (!scope.unruly) hold(scope.variables, name, isFilledByShell(name) ? undefined : value);
}

/** The variables that a part may set: these, or any; and whether it may change the folder. */
export type Touched = {
  names: ReadonlySet<string>;
  moves: boolean;
  any: boolean;
  /** A variable names one of its commands: which one that is, and what it does to the shell, may differ in every round. */
  opaque: boolean;
};

/** A loop's body meets what its end left behind, so nothing it touches is known inside it. */
export function repeated(scope: Scope, touches: Touched, run: () => void): void {
  perhaps(scope, () => {
    // The first round still knows which command the variable names.
    if (touches.opaque) run();
    const names = touches.any || touches.opaque ? namesHeld(scope) : touches.names;
    take(scope, names.size / 8);
    for (const name of names) setTo(scope, name, undefined);
    if (touches.moves || touches.opaque) scope.folders = undefined;
    run();
  });
}

/** What arithmetic sets is a number; what it looks at has to be one, which only the whole script can say. */
export function count({ looks, sets, clear }: Counting, scope: Scope): void {
  if (!clear) scope.doubts.add(ARITHMETIC);
  for (const name of looks) scope.counted.add(name);
  for (const name of sets) {
    // One that is looked at too was something else before.
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

/** The variable is given a value that nobody knows. */
export function assignUnknown(name: string, scope: Scope): void {
  setHere({ name, value: UNKNOWN }, scope);
}

/** `${A:=b}` sets A where it was not set, however deep it stands. */
export function assignedBy(text: string): readonly string[] {
  if (!text.includes("=")) return NONE;
  return [...text.matchAll(/\$\{(\w+)(?:\[[^\]]*\])?:?=/g)].map(([, name = ""]) => name);
}

const NONE: readonly string[] = [];

export const UNKNOWN: Word = { kind: "open", text: "", start: "", split: false };

/** Bash takes `($(a))` for a list where a list is declared, wherever that text came from, and runs a. */
export function readsListAgain({ lists, declared }: Scope): boolean {
  return [...declared].some((name) => lists.has(name));
}

export const LIST_AGAIN = say("note.shell_reads_list_again");

/** No variable is known from here on. */
export function forget(scope: Scope): void {
  scope.unruly = true;
}

/** Where `cd` leads from every folder the shell may be in. Two words are none to bash; zsh puts the second into its path for the first. */
export function moved(scope: Scope, [to, ...others]: readonly Word[]): void {
  renameFolder(scope);
  if (to === undefined) scope.folders = ["~"];
  else if (others.length > 0 || to.kind !== "plain" || to.text === "" || to.text.startsWith("-"))
    scope.folders = undefined;
  else scope.folders = below(scope.folders, to.text);
}

/** `pushd a` leads to a, and `popd` back to where the shell was before. */
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

/** What a script put into `PWD` is gone when the shell goes elsewhere, or tries to. */
function renameFolder(scope: Scope): void {
  if (scope.variables.values.has("PWD")) setTo(scope, "PWD", undefined);
}

/** `$HOME` and `$PWD` are where the door says; any other variable of the surroundings may hold anything. */
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
  // The words of a command are found from its folder, so that this is a dot whatever the folder is called.
  return name === "PWD" && here !== undefined ? { kind: "plain", text: ".", placed: true, from: here } : undefined;
}
