import type { Assignment, Command, CommandArgument, Redirection, Word as WrittenWord } from "unbash";
import { UNREAD } from "../tables/unread.ts";
import { countingText } from "./arithmetic.ts";
import { effectOnShell } from "./builtins.ts";
import { ZSH_DOUBT } from "./other-shells.ts";

import { assignUnknown, count, type Scope, setHere, take } from "./scope.ts";
import { type Assigned, type Input, plain, type Redirect, type Simple, type Word } from "./script.ts";
import { filesFrom, walkInside, wordFrom } from "./words.ts";

export function walkCommand(node: Command, scope: Scope, handed?: Input): void {
  if (isTorn(node)) {
    scope.doubts.add(UNREAD.uncertain);
    scope.readable = false;
  }
  const sets = node.prefix.length === 0 ? NO_SETS : setsOf(node, scope);
  const written = wordsOf(node, scope);
  const words = TESTING.test(written[0]?.text ?? "") ? countedIn(written, scope) : written;
  const opens = node.redirects.length > 0;
  const redirects = opens ? redirectsOf(node.redirects, scope) : NO_REDIRECTS;
  take(scope, COMMAND + words.length + sets.length + redirects.length);
  const input = (opens ? inputOf(node.redirects, scope) : undefined) ?? handed;
  if (words.length === 0) for (const one of sets) setHere(one, scope);
  const simple: Simple = {
    words,
    sets: words.length === 0 ? NO_SETS : sets,
    redirects,
    folders: scope.folders,
    span: { from: node.pos, to: node.end },
    input,
    crossed: opens && node.redirects.some(isCrossed) ? true : undefined,
  };
  if (words.length > 0 || redirects.length > 0 || simple.crossed === true) scope.simples.push(simple);
  effectOnShell(simple, scope);
}

/** A command costs as many steps as a few of its words. */
const COMMAND = 4;

const NO_WORDS: readonly Word[] = [];
const NO_SETS: readonly Assigned[] = [];
const NO_REDIRECTS: readonly Redirect[] = [];

function setsOf({ prefix }: Command, scope: Scope): readonly Assigned[] {
  const sets: Assigned[] = [];
  for (const one of prefix) if (one.type === "Assignment") sets.push(assigned(one, scope));
  return sets;
}

function wordsOf({ name, args }: Command, scope: Scope): readonly Word[] {
  if (name === undefined) return NO_WORDS;
  const words = [...filesFrom(name, scope)];
  // For bash a `}` among the words is an ordinary word; in zsh it ends the group, and `always { … }` may follow.
  if (args.some(({ text }) => text === "}")) scope.doubts.add(ZSH_DOUBT);
  for (const arg of args) words.push(...argument(arg, { scope, keyed: words.some(declaresKeys) }));
  return words;
}

/** In `[ $a -lt 3 ]` an unquoted variable is one word if the script gives it only numbers, and is in doubt otherwise. */
function countedIn(words: readonly Word[], scope: Scope): readonly Word[] {
  if (words[0]?.kind !== "plain") return words;
  return words.map((word) => {
    const name = word.kind === "open" && word.split ? VARIABLE.exec(word.text)?.[1] : undefined;
    if (name === undefined) return word;
    count({ looks: [name], sets: [], clear: true }, scope);
    return { ...word, printed: "number" } as Word;
  });
}

const TESTING = /^(test|\[)$/;

const VARIABLE = /^\$\{?([A-Za-z_]\w*)\}?$/;

/** `declare -A a=([b]=1)` reads the content of the brackets as a text. */
function declaresKeys({ kind, text }: Word): boolean {
  return kind === "plain" && /^-[a-zA-Z]*A/.test(text);
}

function argument(arg: CommandArgument, { scope, keyed }: { scope: Scope; keyed: boolean }): readonly Word[] {
  if (arg.type === "Word") return filesFrom(arg, scope);
  const { name, value } = assigned(arg, scope, keyed);
  return [
    // A pattern stands for a file name, which may be any text.
    value.kind === "plain" && value.from === undefined
      ? plain(`${name}=${value.text}`)
      : { kind: "open", text: `${name}=${value.text}`, start: `${name}=`, split: value.kind === "open" && value.split },
  ];
}

function assigned(node: Assignment, scope: Scope, keyed = false): Assigned {
  if (node.index !== undefined) {
    walkInside(node.index, scope);
    count(countingText(node.index.text), scope);
  }
  if (node.value.type === "ArrayValue" || node.index !== undefined) scope.lists.add(node.name);
  if (node.value.type === "ArrayValue")
    for (const element of node.value.elements) {
      filesFrom(element, scope);
      const [, subscript] = keyed ? [] : (SUBSCRIPTED.exec(element.text) ?? []);
      if (subscript !== undefined) count(countingText(subscript), scope);
    }
  const value = node.value.type === "ArrayValue" ? undefined : wordFrom(node.value, scope);
  const known = value !== undefined && node.append !== true && node.index === undefined;
  return { name: node.name, value: known ? value : { kind: "open", text: node.text, start: "", split: false } };
}

/** `a=([b]=1)` evaluates b. */
const SUBSCRIPTED = /^\[([\s\S]*)\]\+?=/;

/** Files that are opened; copies of descriptors and here-documents open none. */
export function redirectsOf(nodes: readonly Redirection[], scope: Scope): readonly Redirect[] {
  const found: Redirect[] = [];
  for (const [i, node] of nodes.entries()) {
    if (node.descriptor?.type === "FileDescriptorVariable") assignDescriptor(node.descriptor.name, scope);
    if (node.type !== "Redirect" || node.target === undefined) continue;
    const copies = node.operator === ">&" || node.operator === "<&";
    if (copies && /^(\d+-?|-)$/.test(node.target.value) && node.target.parts === undefined) continue;
    // For bash `<&-a` closes the input, and a is a word of the command.
    if (copies && /^-./.test(node.target.text)) scope.doubts.add(UNREAD.uncertain);
    const writes = node.operator !== "<" && node.operator !== "<&";
    // In zsh `>! a` writes to a, even if it exists.
    if (node.target.text.startsWith("!")) scope.doubts.add(ZSH_DOUBT);
    for (const to of filesFrom(node.target, scope)) {
      if (!EMPTYING.test(node.operator)) found.push({ writes, to });
      else found.push(isUnused(nodes, i) ? { writes, to, empties: true, unused: true } : { writes, to, empties: true });
      // What is opened for both may be read as well.
      if (node.operator === "<>") found.push({ writes: false, to });
    }
  }
  return found;
}

/** `2< a` sends messages to a file opened for reading, `0> a` reads from one opened for writing, and `>&3` or `<&3` use an unknown file. */
export function isCrossed(node: Redirection): boolean {
  if (node.type !== "Redirect") return false;
  const { operator, descriptor, target } = node;
  const isInput = operator.startsWith("<");
  const onto =
    descriptor === undefined ? (isInput ? 0 : 1) : descriptor.type === "FileDescriptor" ? descriptor.value : 3;
  if (onto > 2) return false;
  const isOther = /^(0|[3-9]|\d\d+)-?$/.test(target?.text ?? "") || target?.parts !== undefined;
  if (operator.endsWith("&") && isOther) return onto > 0 || target?.text !== "0";
  return operator === "<>" || isInput !== (onto === 0);
}

/** Programs write only to the first two descriptors, and only the last redirection of each counts. */
function isUnused(nodes: readonly Redirection[], at: number): boolean {
  const own = descriptorOf(nodes[at]);
  if (own === undefined || own > 2) return true;
  const later = nodes.slice(at + 1);
  const next = later.findIndex((node) => descriptorOf(node) === own && writesTo(node));
  return next >= 0 && !later.slice(0, next).some((node) => node.type === "Redirect" && node.target?.value === `${own}`);
}

/** The number of a redirection; undefined if a variable gets it. */
function descriptorOf(node: Redirection | undefined): number | undefined {
  const { descriptor } = node ?? {};
  if (descriptor === undefined) return 1;
  return descriptor.type === "FileDescriptorVariable" ? undefined : Number(descriptor.value);
}

function writesTo(node: Redirection): boolean {
  return node.type === "Redirect" && /^(>|>>|>\||&>|&>>|>&)$/.test(node.operator);
}

/** `{fd}> file` puts a number into a variable, and `{a[b]}> file` evaluates b first. */
function assignDescriptor(variable: string, scope: Scope): void {
  const [name = "", subscript] = variable.split(/\[(.*)\]$/s);
  assignUnknown(name, scope);
  if (subscript !== undefined) count(countingText(subscript), scope);
}

/** `>>` appends, and `<>` keeps the content. */
const EMPTYING = /^(>|>\||&>|>&)$/;

/** The text of the last redirection of the input, if it is known. */
export function inputOf(nodes: readonly Redirection[], scope: Scope): Input | undefined {
  let input: Input | undefined;
  for (const node of nodes) {
    if (node.type === "HereDoc") {
      const { body, delimiter } = node;
      // Without quotes bash removes backslashes, and the result is another text.
      const still =
        delimiter?.quoted === true ||
        (!body.text.includes("\\") && (body.parts ?? []).every((part) => part.type === "Literal"));
      if (!still) walkInside(body, scope);
      input = still ? { text: body.text } : { written: body.text };
    } else if (node.type === "HereString") {
      const word = node.target === undefined ? undefined : wordFrom(node.target, scope);
      input = word === undefined ? "unknown" : word.kind === "plain" ? { text: word.text } : { written: word.text };
    } else if (node.operator === "<" && node.target?.value === "/dev/null") input = { text: "" };
    else if (node.operator === "<" || node.operator === "<>" || node.operator === "<&") input = "unknown";
  }
  return input;
}

/**
 * True if the grammar's reading of a command cannot be bash's: two words that touch each other, such as `<(a)b`, or an
 * unquoted character inside a word that would end it, such as `1<(a)`.
 */
function isTorn(node: Command): boolean {
  let end = -1;
  for (const one of itemsOf(node)) {
    if (isTornItem(one)) return true;
    if (one.type !== "Word" && one.type !== "Assignment") continue;
    if (one.pos === end) return true;
    end = one.end;
  }
  return false;
}

type Item = Command["suffix"][number];

export function itemsOf({ prefix, name, suffix }: Command): readonly Item[] {
  return name === undefined ? [...prefix, ...suffix] : [...prefix, name, ...suffix];
}

function isTornItem(one: Item): boolean {
  if (one.type === "Word") return endsInside(one);
  if (one.type === "Assignment") return endsInAssignment(one);
  if (one.type === "HereDoc") return one.delimiter !== undefined && isOpen(one.delimiter.text);
  return one.target !== undefined && endsInside(one.target);
}

/** Bash does not accept a delimiter with an unclosed quote. */
function isOpen(delimiter: string): boolean {
  return /[\n$]/.test(delimiter) || /['"`\s<>()&|;]/.test(delimiter.replace(/'[^']*'|"[^"]*"|\\[\s\S]/g, ""));
}

function endsInAssignment({ value }: Assignment): boolean {
  return value.type === "ArrayValue" ? value.elements.some(endsInside) : endsInside(value);
}

const ENDING = /[<>()|&;\s`]|\$\[/;

function endsInside({ text, parts }: WrittenWord): boolean {
  if (parts === undefined) return holds(text, ENDING);
  return parts.some((part, at) => {
    if (part.type === "Literal") return holds(part.text, ENDING);
    // Bash reads on to the end of `$[`, also behind the quote.
    if (part.type === "DoubleQuoted")
      return part.parts.some((one) => one.type === "Literal" && holds(one.text, /\$\[/));
    const before = parts[at - 1];
    return part.type === "Glob" && before?.type === "Literal" && part.text.startsWith("[") && holds(before.text, /\$$/);
  });
}

function holds(text: string, sign: RegExp): boolean {
  return sign.test(text) && sign.test(text.replace(/\\[\s\S]/g, ""));
}
