import type { ParsedScript, SyntaxNode, WordPart, Word as Written } from "unbash";
import { forEachChild } from "unbash";
import { COUNTED, type Counting, countingOf, countingText } from "./arithmetic.ts";
import { placedAt, plain, type Word } from "./script.ts";

/** What the reader knows while it takes a word apart: the variables so far, and where nested scripts go. */
export type Reader = {
  variable(name: string): Word | undefined;
  nested(node: SyntaxNode): void;
  /** The variable is given a value that nobody knows. */
  assign(name: string): void;
  /** Something is counted with these variables. */
  count(counting: Counting): void;
  doubt(why: string): void;
};

const PROMPT = "a prompt runs the commands that stand in it";

/** More words than this from one are not told apart. */
const ALTERNATIVES_MAX = 64;

/** The words that one written word becomes: several where braces stand in it. */
export function wordsFrom(word: Written, reader: Reader): readonly Word[] {
  const { parts } = word;
  if (parts === undefined) return [fromText(word)];
  let found: readonly Word[] = [EMPTY];
  for (const part of parts) found = joined(found, fromPart(part, { reader, quoted: false }));
  if (OTHER_HOME.test(word.text)) return [open(word.text, "", true)];
  // Bash drops an empty alternative, unless quotes stand beside it.
  return found.length > 1 && found.some(({ text }) => text === "") ? [open(word.text, "", true)] : found;
}

function fromText({ text, value }: Written): Word {
  if (!text.startsWith("~")) return plain(value);
  return OTHER_HOME.test(text) ? open(text, "", false) : placedAt(value);
}

/** A word where the shell splits nothing and expands no braces, such as the value of a variable. */
export function wordFrom(word: Written, reader: Reader): Word {
  const [first, ...others] = wordsFrom(word, reader);
  return first !== undefined && others.length === 0 ? first : open(word.text, "", false);
}

const EMPTY = plain("");

/** `~+` and `~-` are folders that the shell has been in, `~ben` is somebody's home. */
const OTHER_HOME = /^~[^/]/;

type Where = { reader: Reader; quoted: boolean };

function fromPart(part: WordPart, where: Where): readonly Word[] {
  const { reader, quoted } = where;
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
      return [plain(part.value)];
    case "AnsiCQuoted":
      // What bash makes of braces in it stands in no manual.
      return [part.text.includes("\\x{") ? open(part.text, "", false) : plain(part.value)];
    case "DoubleQuoted":
      return part.parts.reduce<readonly Word[]>(
        (held, inner) => joined(held, fromPart(inner, { reader, quoted: true })),
        [EMPTY],
      );
    case "Glob":
      reader.nested(part);
      return [{ kind: "glob", text: part.text }];
    case "ExtendedGlob":
      reader.nested(part);
      return [{ kind: "glob", text: "*" }];
    case "SimpleExpansion":
      return variable(part.text.slice(1), part.text, where);
    case "ParameterExpansion":
      reader.nested(part);
      assignedIn(part.text, reader);
      if (part.index !== undefined) reader.count(countingText(part.index.text));
      if (part.operation?.type === "Slice") reader.count(countingText(/:([^}]*)/.exec(part.text)?.[1] ?? "["));
      if (part.operation?.type === "Transform" && part.operation.operand.text === "P") reader.doubt(PROMPT);
      if (part.prefix === "#") return [NUMBER];
      if (part.prefix !== undefined || part.index !== undefined || part.operation !== undefined) break;
      return variable(part.parameter, part.text, where);
    case "ArithmeticExpansion":
      reader.nested(part);
      if (!isCounting(part.text)) reader.count(countingOf(part.expression));
      return [NUMBER];
    case "ProcessSubstitution":
      reader.nested(part);
      return [plain("/dev/fd/63")];
    case "BraceExpansion":
      reader.nested(part);
      return braces(part.text);
    default:
      reader.nested(part);
  }
  return [open(part.text, "", !quoted)];
}

/** `${A:=b}` sets A where it was not set, however deep it stands. */
export function assignedIn(text: string, reader: Reader): void {
  for (const [, name = ""] of text.matchAll(/\$\{(\w+)(?:\[[^\]]*\])?:?=/g)) reader.assign(name);
}

/** Stands for some number: whatever its digits are, no program takes it for a path or an order. */
const NUMBER = plain("0");

function variable(name: string, text: string, { reader, quoted }: Where): readonly Word[] {
  if (COUNTED.has(name)) return [NUMBER];
  const known = reader.variable(name);
  if (known === undefined) return [open(text, "", !quoted)];
  // Without quotes the shell would cut the value at spaces and take its stars for patterns.
  return [quoted || isWhole(known) ? known : open(text, "", true)];
}

function isWhole(word: Word): boolean {
  return (
    word.kind !== "open" &&
    word.text !== "" &&
    !/\s/.test(word.text) &&
    (word.kind === "glob" || !/[*?[]/.test(word.text))
  );
}

function open(text: string, start: string, split: boolean): Word {
  return { kind: "open", text, start, split };
}

function joined(left: readonly Word[], right: readonly Word[]): readonly Word[] {
  if (left.length * right.length > ALTERNATIVES_MAX) return [open("{…}", "", true)];
  const [a] = left;
  const [b] = right;
  if (left.length === 1 && right.length === 1 && a !== undefined && b !== undefined) return [glued(a, b)];
  return left.flatMap((one) => right.map((other) => glued(one, other)));
}

function glued(a: Word, b: Word): Word {
  if (a === EMPTY) return b;
  // A folder that bash spells out is one only where a path begins, and ends where a slash does.
  const ends = a.kind === "plain" && a.placed === true && /^[~.]$/.test(a.text) && !/^(\/|$)/.test(b.text);
  if (ends || (b.kind === "plain" && b.placed === true))
    return open(a.text + b.text, a.kind === "plain" && !ends ? a.text : "", false);
  const text = a.text + b.text;
  if (a.kind === "open") return open(text, a.start, a.split || (b.kind === "open" && b.split));
  if (b.kind === "open") return open(text, a.kind === "plain" ? a.text + b.start : "", b.split);
  if (a.kind === "glob" || b.kind === "glob") return { kind: "glob", text };
  return a.placed === true ? placedAt(text) : plain(text);
}

/** `{a,b}` and `{1..3}`; with anything in them that is not plain text they may become any words. */
function braces(text: string): readonly Word[] {
  const inner = text.slice(1, -1);
  if (!/^[\w./,@%+:=-]*$/.test(inner)) return [open(text, "", true)];
  const range = /^(-?\d+)\.\.(-?\d+)$/.exec(inner);
  if (range === null) return inner.includes(",") ? inner.split(",").map(plain) : [open(text, "", true)];
  const [from, to] = [Number(range[1]), Number(range[2])];
  if (Math.abs(to - from) >= ALTERNATIVES_MAX || /^-?0\d/.test(inner)) return [open(text, "", true)];
  const step = to >= from ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => plain(String(from + i * step)));
}

/** Every script inside a node, wherever it hides: subscripts, defaults, arithmetic. Undefined for one that cannot be read. */
export function scriptsIn(node: SyntaxNode, found: (script: ParsedScript | undefined) => void): void {
  if (node.type === "Script") found(node);
  else if ("script" in node && node.script === undefined) found(undefined);
  else forEachChild(node, (child) => scriptsIn(child, found));
}

/** Arithmetic runs what stands in the subscripts of its variables, whatever text they hold. */
export function isCounting(expression: string): boolean {
  return !/[A-Za-z_]/.test(expression.replace(/0[xX][\dA-Fa-f]+/g, ""));
}
