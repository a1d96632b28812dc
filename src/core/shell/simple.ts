import type { Assignment, Command, CommandArgument, ParsedScript, Redirection } from "unbash";
import { countingText } from "./arithmetic.ts";
import { effectOnShell } from "./builtins.ts";
import { apart, count, type Scope, variableIn } from "./scope.ts";
import { type Assigned, type Input, plain, type Redirect, type Simple, type Word } from "./script.ts";
import { isTorn } from "./seams.ts";
import { assignedIn, type Reader, scriptsIn, wordFrom, wordsFrom } from "./words.ts";

/** Where a command is read: the scope, and the way back to whole scripts for substitutions. */
export type At = { scope: Scope; nested: (tree: ParsedScript | undefined, scope: Scope) => void; input?: Input };

/** As deep as substitutions within substitutions are followed. */
const NESTED_MAX = 40;

export function readerOf({ scope, nested }: At): Reader {
  return {
    variable: (name) => variableIn(scope, name),
    count: (counting) => count(counting, scope),
    doubt: (why) => void scope.doubts.add(why),
    assign: (name) => setHere([{ name, value: { kind: "open", text: "", start: "", split: false } }], scope),
    nested: (node) =>
      scriptsIn(node, (script) => {
        if (scope.depth >= NESTED_MAX) {
          scope.doubts.add("the command is nested too deep");
          scope.readable = false;
          return;
        }
        scope.depth++;
        apart(scope, () => nested(script, scope));
        scope.depth--;
      }),
  };
}

export function walkCommand(node: Command, at: At): void {
  const { scope } = at;
  if (isTorn(node)) {
    scope.doubts.add("where a word of the command ends is not certain");
    scope.readable = false;
  }
  const reader = readerOf(at);
  const prefix = node.prefix.filter((one): one is Assignment => one.type === "Assignment");
  const sets = prefix.map((one) => assigned(one, reader));
  const words =
    node.name === undefined
      ? []
      : [...wordsFrom(node.name, reader), ...node.args.flatMap((arg) => argument(arg, reader))];
  const redirects = redirectsOf(node.redirects, reader);
  const input = inputOf(node.redirects, reader) ?? at.input;
  if (words.length === 0) setHere(sets, scope);
  const simple: Simple = {
    words,
    sets: words.length === 0 ? [] : sets,
    redirects,
    folders: scope.folders,
    span: { from: node.pos, to: node.end },
    ...(input === undefined ? {} : { input }),
  };
  if (words.length > 0 || redirects.length > 0) scope.simples.push(simple);
  effectOnShell(simple, scope);
}

/** Set for the shell itself: from here on the value is known, and everything it starts may see it. */
export function setHere(sets: readonly Assigned[], scope: Scope): void {
  for (const one of sets) {
    scope.sets.push(one);
    scope.variables.set(one.name, one.value.kind === "open" ? undefined : one.value);
    if (one.name === "IFS") scope.unruly = true;
  }
}

function argument(arg: CommandArgument, reader: Reader): readonly Word[] {
  if (arg.type === "Word") return wordsFrom(arg, reader);
  const { name, value } = assigned(arg, reader);
  return [
    value.kind === "open"
      ? { ...value, text: `${name}=${value.text}`, start: `${name}=` }
      : plain(`${name}=${value.text}`),
  ];
}

function assigned(node: Assignment, reader: Reader): Assigned {
  if (node.index !== undefined) {
    reader.nested(node.index);
    reader.count(countingText(node.index.text));
  }
  if (node.value.type === "ArrayValue") for (const element of node.value.elements) wordsFrom(element, reader);
  const value = node.value.type === "ArrayValue" ? undefined : wordFrom(node.value, reader);
  const known = value !== undefined && node.append !== true && node.index === undefined;
  return { name: node.name, value: known ? value : { kind: "open", text: node.text, start: "", split: false } };
}

/** Files that are opened; copies of descriptors and here-documents open none. */
export function redirectsOf(nodes: readonly Redirection[], reader: Reader): readonly Redirect[] {
  return nodes.flatMap((node) => {
    // `{fd}> file` puts a number into a variable.
    if (node.descriptor?.type === "FileDescriptorVariable") reader.assign(node.descriptor.name);
    if (node.type !== "Redirect" || node.target === undefined) return [];
    const copies = node.operator === ">&" || node.operator === "<&";
    if (copies && /^(\d+-?|-)$/.test(node.target.value) && node.target.parts === undefined) return [];
    const writes = node.operator !== "<" && node.operator !== "<&";
    return wordsFrom(node.target, reader).map((to) => ({ writes, to }));
  });
}

/** What the last redirection of the input hands over, where its text is known. */
export function inputOf(nodes: readonly Redirection[], reader: Reader): Input | undefined {
  let input: Input | undefined;
  for (const node of nodes) {
    if (node.type === "HereDoc") {
      const { body, delimiter } = node;
      // Without quotes bash takes backslashes away, and what then stands there is another text.
      const still =
        delimiter?.quoted === true ||
        (!body.text.includes("\\") && (body.parts ?? []).every((part) => part.type === "Literal"));
      if (!still) {
        reader.nested(body);
        assignedIn(body.text, reader);
      }
      input = still ? { text: body.text } : { written: body.text };
    } else if (node.type === "HereString") {
      const word = node.target === undefined ? undefined : wordFrom(node.target, reader);
      input = word === undefined ? "unknown" : word.kind === "plain" ? { text: word.text } : { written: word.text };
    } else if (node.operator === "<" || node.operator === "<>" || node.operator === "<&") input = "unknown";
  }
  return input;
}
