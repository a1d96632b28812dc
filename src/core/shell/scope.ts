import type { ParsedScript } from "unbash";
import { ARITHMETIC, type Counting } from "./arithmetic.ts";
import { type Assigned, HOME, inFolder, placedAt, plain, type Simple, type Word } from "./script.ts";

/**
 * What is known at one point of a script. Commands, doubts and names are gathered for the whole of it; variables and
 * folders belong to the shell that runs this part, and a subshell's do not come back.
 */
export type Scope = {
  readonly simples: Simple[];
  readonly sets: Assigned[];
  readonly doubts: Set<string>;
  readonly shadowed: Set<string>;
  /** Variables that something is counted with. */
  readonly counted: Set<string>;
  /** True once any variable may have been set to anything. */
  wild: boolean;
  readable: boolean;
  depth: number;
  /** How often the loops around would be gone through, all taken together. */
  rounds: number;
  /** How many commands and loops were walked through so far, those within a loop once for every round. */
  walked: number;
  /** True once loops would be gone through more often than is told apart. */
  crowded: boolean;
  variables: Map<string, Word | undefined>;
  /** True once the shell may cut words and find files in other ways than it does by default. */
  unruly: boolean;
  folders: readonly string[] | undefined;
  /** Where `popd` leads back to, the last one first; undefined where nobody can say. */
  pushed: readonly (readonly string[] | undefined)[] | undefined;
  /** The way back to whole scripts, for those that stand within a word. */
  readonly walkNested: (tree: ParsedScript | undefined, scope: Scope) => void;
};

export function newScope(walkNested: Scope["walkNested"]): Scope {
  return {
    simples: [],
    sets: [],
    doubts: new Set(),
    shadowed: new Set(),
    counted: new Set(),
    wild: false,
    readable: true,
    depth: 0,
    rounds: 1,
    walked: 0,
    crowded: false,
    variables: new Map(),
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
  scope.variables = new Map(variables);
  run();
  scope.variables = variables;
  scope.folders = folders;
  scope.pushed = pushed;
}

/** Runs parts of which any may be left out or repeated: afterwards only what holds either way is known. */
export function perhaps(scope: Scope, run: () => void): void {
  const before = new Map(scope.variables);
  const { folders, pushed } = scope;
  run();
  if (scope.pushed !== pushed) scope.pushed = undefined;
  for (const [name, value] of scope.variables) if (before.get(name) !== value) scope.variables.set(name, undefined);
  scope.folders = either(folders, scope.folders);
}

/** A loop's body meets what its end left behind, so nothing it touches is known inside it. */
export function repeated(scope: Scope, touches: { names: ReadonlySet<string>; moves: boolean }, run: () => void): void {
  perhaps(scope, () => {
    for (const name of touches.names) scope.variables.set(name, undefined);
    if (touches.moves) scope.folders = undefined;
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
    scope.variables.set(name, undefined);
  }
}

/** Set for the shell itself: from here on the value is known, and everything it starts may see it. */
export function setHere(one: Assigned, scope: Scope): void {
  scope.sets.push(one);
  scope.variables.set(one.name, one.value.kind === "open" ? undefined : one.value);
  if (one.name === "IFS") scope.unruly = true;
}

/** The variable is given a value that nobody knows. */
export function assignUnknown(name: string, scope: Scope): void {
  setHere({ name, value: UNKNOWN }, scope);
}

export const UNKNOWN: Word = { kind: "open", text: "", start: "", split: false };

export function forget(scope: Scope): void {
  for (const name of scope.variables.keys()) scope.variables.set(name, undefined);
  scope.unruly = true;
}

/** Many places are as good as none. */
const FOLDERS_MAX = 4;

export function either(a: Scope["folders"], b: Scope["folders"]): Scope["folders"] {
  if (a === b) return a;
  if (a === undefined || b === undefined) return undefined;
  const both = [...new Set([...a, ...b])];
  return both.length > FOLDERS_MAX ? undefined : both;
}

/** Where `cd` leads from every folder the shell may be in. */
export function moved(scope: Scope, to: Word | undefined): void {
  if (to === undefined) scope.folders = ["~"];
  else if (to.kind !== "plain" || to.text === "" || to.text.startsWith("-") || scope.folders === undefined)
    scope.folders = undefined;
  else scope.folders = [...new Set(scope.folders.map((folder) => inFolder(folder, to.text)))];
}

/** `pushd a` leads to a, and `popd` back to where the shell was before. */
export function pushedTo(scope: Scope, words: readonly Word[]): void {
  const [to, ...others] = words;
  const known = to?.kind === "plain" && !/^[-+]/.test(to.text) && others.length === 0;
  scope.pushed = known && scope.pushed !== undefined ? [scope.folders, ...scope.pushed] : undefined;
  if (known) moved(scope, to);
  else scope.folders = undefined;
}

export function popped(scope: Scope, words: readonly Word[]): void {
  const known = words.length === 0 ? scope.pushed : undefined;
  scope.pushed = known?.slice(1);
  scope.folders = known?.[0];
}

/** `$HOME` and `$PWD` are where the door says; any other variable of the surroundings may hold anything. */
export function variableIn(scope: Scope, name: string): Word | undefined {
  if (scope.unruly) return undefined;
  if (scope.variables.has(name)) return scope.variables.get(name);
  if (name === "HOME") return HOME;
  const [folder, ...others] = scope.folders ?? [];
  return name === "PWD" && folder !== undefined && others.length === 0
    ? placedAt(folder === "" ? "." : folder)
    : undefined;
}
