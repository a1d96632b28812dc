import { type CompoundList, forEachChild, type SyntaxNode } from "unbash";
import { type Handed, namesFrom } from "./checks/handed.ts";
import { type Scope, take } from "./scope.ts";
import { SIMPLES_MAX, type Word } from "./script.ts";
import { isSpent } from "./work.ts";

/** Plain words are gone through one by one; with more of them, or other ones, the variable may hold anything. */
export const ROUNDS_MAX = 64;

/**
 * Goes through the body of a loop by each of these values. Loops within loops multiply: where that comes to more
 * commands than are told apart, or to more steps than are spent on a call, no further round is gone through.
 */
export function eachRound(
  values: readonly (Word | undefined)[],
  scope: Scope,
  run: (value: Word | undefined) => void,
): void {
  for (const [round, value] of values.entries()) {
    take(scope, 1);
    const enough = values.length > 1 && (scope.simples.length > SIMPLES_MAX || isSpent(scope.work));
    if (enough) scope.crowded = true;
    if (enough && round > 0) break;
    run(enough ? undefined : value);
  }
}

/** Files that a program lists are gone through by their patterns. */
export function namedFiles(word: Word): readonly Word[] {
  const names =
    word.kind === "open" && word.split && typeof word.printed === "object" ? namesFrom(word.printed) : "any";
  return names === "any" ? [word] : patternsOf(names, "word");
}

/** A root and everything below it; names that may begin with a dash are not put below the folder they lie in. */
export function patternsOf(
  { under, bare, all = false }: Exclude<Handed, "any">,
  listed: "line" | "word",
): readonly Word[] {
  return under.flatMap((place): readonly Word[] => {
    const root = place.replace(/^\.\/(?=.)/, "");
    if (root.includes("*")) return [{ kind: "glob", text: root, listed, all }];
    if (root === "." && bare === true) return [{ kind: "glob", text: "**", listed, all }];
    return [
      { kind: "glob", text: root, listed, all },
      { kind: "glob", text: `${root}/**`, listed, all },
    ];
  });
}

/** The one variable that `read` fills, where that is all that the condition does. */
export function lineName({ commands: [only, ...others] }: CompoundList): string | undefined {
  if (only?.command.type !== "Command" || others.length > 0 || only.background === true) return undefined;
  const { name, args, redirects, prefix } = only.command;
  const words = args.map((arg) => (arg.type === "Word" && arg.parts === undefined ? arg.value : ""));
  const rest = words[0] === "-r" ? words.slice(1) : words;
  const plainly = prefix.every((one) => one.type === "Assignment" && /^IFS=$/.test(one.text));
  const [variable = ""] = rest;
  return name?.text === "read" && plainly && redirects.length === 0 && rest.length === 1 && /^[a-z]\w*$/.test(variable)
    ? variable
    : undefined;
}

const MOVING = new Set(["cd", "pushd", "popd", "command", "builtin", "eval", "source", "."]);

/** The variables that a part sets by plain assignment, and whether it may change the folder. */
export function touchedIn(node: SyntaxNode, scope: Scope): Touched {
  if (scope.unruly) return ANYTHING;
  const known = touchedBy.get(node);
  if (known !== undefined) return known;
  const names = new Set<string>();
  let moves = false;
  const rest: SyntaxNode[] = [node];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    take(scope, 1 / 8);
    if (scope.unruly) return ANYTHING;
    if (next.type === "Assignment") names.add(next.name);
    else if (next.type === "ArithmeticWord") names.add(next.value);
    else if (next.type === "For" || next.type === "Select") names.add(next.name.value);
    else if (next.type === "Command" && next.name !== undefined) moves ||= MOVING.has(next.name.value);
    forEachChild(next, (child) => void rest.push(child));
  }
  const touched = { names, moves };
  touchedBy.set(node, touched);
  return touched;
}

/** Where no variable is looked up any more it does not matter which ones are set. */
const ANYTHING: Touched = { names: new Set(), moves: true };

type Touched = { names: ReadonlySet<string>; moves: boolean };

/** A loop within a loop is come to once in every round. */
const touchedBy = new WeakMap<SyntaxNode, Touched>();
