import {
  type CommandArgument,
  type CompoundList,
  forEachChild,
  type SyntaxNode,
  type WordPart,
  type Word as Written,
} from "unbash";
import { type Handed, namesFrom } from "./checks/handed-words.ts";
import { assignedBy, type Scope, type Touched, take } from "./scope.ts";
import { isSpent, SIMPLES_MAX, type Word } from "./script.ts";

/** A loop over at most this many plain words is read once for each word. In any other loop the variable may contain anything. */
export const ROUNDS_MAX = 64;

/**
 * Reads the body of a loop with each of these values. Nested loops multiply: if there would be too many commands, or too
 * many steps for one call, no further round is read.
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

/** Files that a program lists are represented by their patterns. */
export function namedFiles(word: Word): readonly Word[] {
  const names =
    word.kind === "open" && word.split && typeof word.printed === "object" ? namesFrom(word.printed) : "any";
  return names === "any" ? [word] : patternsOf(names, "word");
}

/** Each round has one of several numbers. */
export function oneOf(word: Word): Word {
  return word.kind === "open" && word.split && word.printed === "numbers" ? { ...word, printed: "number" } : word;
}

/** A root and everything below it; names that may begin with a dash are not put below their folder. */
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

/** The single variable that `read` sets, if the condition does nothing else. */
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

/** The variables that a part may set, and whether it may change the folder. */
export function touchedIn(node: SyntaxNode, scope: Scope): Touched {
  if (scope.unruly) return ANYTHING;
  const known = touchedBy.get(node);
  if (known !== undefined) return known;
  const touched = { names: new Set<string>(), moves: false, any: false, opaque: false };
  const rest: SyntaxNode[] = [node];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    take(scope, 1 / 8);
    if (scope.unruly) return ANYTHING;
    noteTouched(next, touched, scope);
    forEachChild(next, (child) => void rest.push(child));
  }
  touchedBy.set(node, touched);
  return touched;
}

/** What a part may change if nothing more is known about it: any variable, and the folder. */
const ANYTHING: Touched = { names: new Set(), moves: true, any: true, opaque: false };

/** Results by node: a nested loop is reached again in every round of the outer loop. */
const touchedBy = new WeakMap<SyntaxNode, Touched>();

type Noted = Omit<{ -readonly [key in keyof Touched]: Touched[key] }, "names"> & { names: Set<string> };

function noteTouched(node: SyntaxNode, touched: Noted, scope: Scope): void {
  const { names } = touched;
  if (node.type === "Assignment" || node.type === "FileDescriptorVariable") names.add(node.name);
  else if (node.type === "ArithmeticWord") names.add(node.value);
  else if (node.type === "For" || node.type === "Select") {
    names.add(node.name.value);
    if (node.type === "Select") names.add("REPLY");
  } else if (node.type === "Coproc") names.add(node.name?.value ?? "COPROC");
  else if (node.type === "ParameterExpansion") for (const name of assignedBy(node.text)) names.add(name);
  else if (node.type === "Command" && node.name !== undefined) noteCommand(node.name, node.args, { touched, scope });
}

const MOVING = new Set(["cd", "chdir", "pushd", "popd", "command", "builtin", "eval", "source", "."]);
/** Commands that set the variables that they name. */
const NAMING = new Set("read mapfile readarray getopts unset let export declare typeset local readonly".split(" "));
/** Commands that may set any variable. */
const SETTING_ANY = new Set(["eval", "source", ".", "trap", "alias"]);

function noteCommand(
  name: Written,
  args: readonly CommandArgument[],
  { touched, scope }: { touched: Noted; scope: Scope },
): void {
  const words = args.filter((arg) => arg.type === "Word");
  const at = /^(command|builtin)$/.test(name.value) ? words.findIndex(({ value }) => !value.startsWith("-")) : -1;
  const called = words[at] ?? name;
  if (isExpanded(called)) touched.opaque = true;
  // A function of the script may do anything to the shell.
  const own = scope.shadowed.has(called.value);
  if (own || SETTING_ANY.has(called.value)) touched.any = true;
  if (own || MOVING.has(called.value) || MOVING.has(name.value)) touched.moves = true;
  const given = words.slice(at + 1);
  const option = called.value === "printf" ? "-v" : called.value === "wait" ? "-p" : undefined;
  if (option === undefined ? !NAMING.has(called.value) : !given.some(({ value }) => value.startsWith(option))) return;
  if (given.some(isExpanded)) touched.any = true;
  // `printf -vname` and `read -aname` have the name in one word with the option.
  for (const { value } of given)
    for (const [found] of value.replace(/^-[a-zA-Z]/, "").matchAll(/[A-Za-z_]\w*/g)) touched.names.add(found);
  for (const unnamed of ["REPLY", "MAPFILE", "OPTARG"]) touched.names.add(unnamed);
}

/** True if the shell replaces a part of the word. */
function isExpanded({ parts }: Written): boolean {
  return parts?.some((part) => (part.type === "DoubleQuoted" ? part.parts.some(isPut) : isPut(part))) ?? false;
}

function isPut({ type }: WordPart): boolean {
  return !/^(Literal|SingleQuoted|AnsiCQuoted)$/.test(type);
}
