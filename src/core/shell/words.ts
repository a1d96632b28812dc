import {
  forEachChild,
  type ParameterExpansionPart,
  type ParsedScript,
  type SyntaxNode,
  type WordPart,
  type Word as Written,
} from "unbash";
import { say } from "../messages/message.ts";
import { UNREAD } from "../tables/unread.ts";
import { ARITHMETIC, countingOf, countingText, isCounting, isNumber, reckoned } from "./arithmetic.ts";
import { ZSH_DOUBT } from "./other-shells.ts";
import { apart, assignedBy, assignUnknown, count, type Scope, take, variableIn } from "./scope.ts";
import { isDigits, isSpent, NESTED_MAX, type Printed, placedAt, plain, type Simple, type Word } from "./script.ts";
import { isNoOption, lastOf, printedBy, ranged } from "./substitution-output.ts";

const PROMPT = say("note.prompt_runs_commands");

/** If one word would become more words than this, they count as unknown. */
const ALTERNATIVES_MAX = 64;

/** The words that one written word becomes: several if it contains braces. */
export function wordsFrom(word: Written, scope: Scope): readonly Word[] {
  const { parts } = word;
  if (parts === undefined) return [fromText(word)];
  const found = fromParts(parts, { scope, quoted: false });
  take(scope, found.length + lettersOf(found) / LETTERS);
  if (OTHER_HOME.test(word.text)) return [open(word.text, "", true)];
  // Bash drops an empty alternative, unless there are quotes beside it.
  return found.length > 1 && found.some(({ text }) => text === "") ? [open(word.text, "", true)] : found;
}

/** This many letters count as one step, like one word. */
const LETTERS = 64;

function lettersOf(words: readonly Word[]): number {
  let letters = 0;
  for (const { text } of words) letters += text.length;
  return letters;
}

function fromText({ text, value }: Written): Word {
  if (!text.startsWith("~")) return plain(value);
  return OTHER_HOME.test(text) ? open(text, "", false) : placedAt(value);
}

/** A word that the shell neither splits nor expands, such as the value of a variable. */
export function wordFrom(word: Written, scope: Scope): Word {
  const found = wordsFrom(word, scope);
  const [first] = found;
  return first !== undefined && found.length === 1 ? first : open(word.text, "", false);
}

const EMPTY = plain("");
const NOTHING_YET: readonly Word[] = [EMPTY];

/** `~+` and `~-` are earlier folders of the shell, `~ben` is somebody's home. */
const OTHER_HOME = /^~[^/]/;

type Where = { scope: Scope; quoted: boolean };

function fromParts(parts: readonly WordPart[], where: Where): readonly Word[] {
  let found: readonly Word[] = NOTHING_YET;
  for (const part of parts) {
    const right = fromPart(part, where);
    if (found.length * right.length > ALTERNATIVES_MAX) where.scope.doubts.add(UNREAD.words);
    found = joined(found, right);
  }
  return found;
}

function fromPart(part: WordPart, where: Where): readonly Word[] {
  const { scope, quoted } = where;
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
      return [plain(part.value)];
    case "AnsiCQuoted":
      return [OTHER_LETTERS.test(part.text) ? open(part.text, "", false) : plain(part.value)];
    case "DoubleQuoted":
      return fromParts(part.parts, { scope, quoted: true });
    case "Glob":
      walkInside(part, scope);
      return [{ kind: "glob", text: part.text }];
    case "ExtendedGlob":
      walkInside(part, scope);
      // Unlike any other pattern, an extended one may exclude names or include hidden ones.
      return [open(part.text, "", true)];
    case "SimpleExpansion":
      return variable(part.text.slice(1), part.text, where);
    case "ParameterExpansion":
      walkInside(part, scope);
      if (!quoted && endsInQualifiers(part)) scope.doubts.add(ZSH_DOUBT);
      if (part.prefix === "#") return [lengthOf(part, where)];
      if (part.prefix !== undefined || part.index !== undefined || part.operation !== undefined) break;
      return variable(part.parameter, part.text, where);
    case "ArithmeticExpansion":
      walkInside(part, scope);
      return [
        countOf(
          reckoned(part.expression, (name) => variableIn(scope, name)),
          part.text,
          where,
        ),
      ];
    case "ProcessSubstitution":
      walkInside(part, scope);
      return [PIPE];
    case "BraceExpansion":
      walkInside(part, scope);
      return isSpent(scope.work) ? [open(part.text, "", true)] : braces(part.text);
    case "CommandExpansion":
      walkInside(part, scope);
      return [{ kind: "open", text: part.text, start: "", split: !quoted, printed: printedOf(part.script, scope) }];
    default:
      walkInside(part, scope);
  }
  return [open(part.text, "", !quoted)];
}

/** `${a:-*(e:b:)}`: zsh reads this as a pattern, and may run the content of its brackets. */
function endsInQualifiers({ operation }: ParameterExpansionPart): boolean {
  return operation !== undefined && "operand" in operation && /[^\s$<>(]\(/.test(operation.operand?.text ?? "");
}

/**
 * A word with which the shell searches files, or over which it loops. Brackets after a star are a syntax error unless an
 * option allows them, and in zsh they may contain a command.
 */
export function filesFrom(word: Written, scope: Scope): readonly Word[] {
  if (word.parts?.some(({ type }) => type === "ExtendedGlob") === true) scope.doubts.add(ZSH_DOUBT);
  return wordsFrom(word, scope);
}

/** `${!a@}` and `${!a[@]}` list names. Any other `${!a}` uses the value of `a` as a name, and runs its subscript. */
const LISTING_NAMES = /[@*]\]?\}$/;

/** The kind of the output, if it is known; otherwise the command that prints it, which is the last one that was read. */
function printedOf(script: ParsedScript | undefined, scope: Scope): Printed | Simple | undefined {
  if (scope.unruly) return undefined;
  return printedBy(script) ?? (lastOf(script) === undefined ? undefined : scope.simples.at(-1));
}

/** Escapes in `$'…'` whose meaning is not documented, and bytes or half characters, which make a name that no text can contain. */
const OTHER_LETTERS = /\\x\{|\\x[89a-f][\da-f]|\\[2-7]\d\d|\\u0*d[89a-f]/i;

/** A process substitution. Its real number depends on how many the command has. */
const PIPE: Word = { kind: "plain", text: "/dev/fd/63", pipe: true };

/** The number if it is known, otherwise some digits: no program reads them as an option, but they may name a file. */
function countOf(count: number | undefined, text: string, { scope, quoted }: Where): Word {
  if (count !== undefined && !scope.unruly) return plain(String(count));
  // If words are split in other ways, they may be split between digits.
  const cut = scope.unruly && !quoted;
  return { kind: "open", text, start: "", split: cut, printed: cut ? "numbers" : "number" };
}

/** `${#a}` is the number of letters of a, and 1 for a list with only one element. */
function lengthOf({ parameter, index, operation, text }: ParameterExpansionPart, where: Where): Word {
  const value = index === undefined && operation === undefined ? variableIn(where.scope, parameter) : undefined;
  const isKnown = value?.kind === "plain" && value.placed !== true && /^[\x20-\x7e]*$/.test(value.text);
  return countOf(isKnown ? value.text.length : undefined, text, where);
}

/** A longer value than this is not inserted for its variable. */
const VALUE_MAX = 1_024;

function variable(name: string, text: string, { scope, quoted }: Where): readonly Word[] {
  if (scope.digits.has(name)) return [countOf(undefined, text, { scope, quoted })];
  const known = variableIn(scope, name);
  if (known === undefined) return [open(text, "", !quoted)];
  if (known.text.length > VALUE_MAX) {
    scope.doubts.add(UNREAD.value);
    return [open(text, "", !quoted)];
  }
  if (known.kind === "open" && isDigits(known))
    return [{ ...known, text, split: !quoted && (known.split || known.printed === "numbers") }];
  // Without quotes the shell would split the value at spaces and expand its stars.
  const cut = !quoted && known.kind === "glob" && known.listed === "line";
  return [!cut && (quoted || isWhole(known) || isNoOption(known)) ? known : open(text, "", true)];
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
  if (left === NOTHING_YET) return right;
  const [a] = left;
  const [b] = right;
  if (left.length === 1 && right.length === 1 && a !== undefined && b !== undefined) return [glued(a, b)];
  return left.flatMap((one) => right.map((other) => glued(one, other)));
}

function glued(a: Word, b: Word): Word {
  if (a === EMPTY) return b;
  const range = ranged(a, b);
  if (range !== undefined) return range;
  // A listed name can be anything, so text before it makes it another name.
  if (isListed(a) && b.kind === "plain") return { ...a, text: a.text + b.text };
  if (isListed(a) || isListed(b)) return open(a.text + b.text, a.kind === "plain" ? a.text : "", true);
  // An expanded folder is a folder only at the start of a path, and ends at a slash.
  const ends = a.kind === "plain" && a.placed === true && /^[~.]$/.test(a.text) && !/^(\/|$)/.test(b.text);
  if (ends || (b.kind === "plain" && b.placed === true))
    return open(a.text + b.text, a.kind === "plain" && !ends ? a.text : "", false);
  const text = a.text + b.text;
  if (a.text !== "" && b.text !== "" && isNumber(a) && isNumber(b) && (isDigits(a) || isDigits(b)))
    return {
      kind: "open",
      text,
      start: a.kind === "plain" ? a.text : "",
      split: isCut(a) || isCut(b),
      printed: "number",
    };
  if (a.kind === "open") return open(text, a.start, a.split || (b.kind === "open" && b.split));
  if (b.kind === "open") return open(text, a.kind === "plain" ? a.text + b.start : "", b.split);
  const from = a.from === undefined ? NOWHERE : { from: a.from };
  if (a.kind === "glob" || b.kind === "glob") return { kind: "glob", text, ...from };
  return a.placed === true ? { kind: "plain", text, placed: true, ...from } : plain(text);
}

const NOWHERE = {};

function isCut(word: Word): boolean {
  return word.kind === "open" && word.split;
}

function isListed(word: Word): boolean {
  return word.kind === "glob" && word.listed !== undefined;
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

/** Reads every script inside a node, each in a subshell, and notes the effects of its expansions on this shell. */
export function walkInside(node: SyntaxNode, scope: Scope): void {
  scriptsIn(node, { depth: 0, scope }, (script) => {
    if (scope.depth >= NESTED_MAX) {
      scope.doubts.add(UNREAD.deep);
      scope.readable = false;
      return;
    }
    scope.depth++;
    apart(scope, () => scope.walkNested(script, scope));
    scope.depth--;
  });
}

/** Every script inside a node, in any place: subscripts, defaults, arithmetic. Undefined for one that cannot be parsed. */
function scriptsIn(
  node: SyntaxNode,
  { depth, scope }: { depth: number; scope: Scope },
  found: (script: ParsedScript | undefined) => void,
): void {
  if (node.type === "Script") found(node);
  else if (depth > PARTS_MAX || ("script" in node && node.script === undefined)) found(undefined);
  else {
    if (node.type === "ParameterExpansion") expandParameter(node, scope);
    else if (node.type === "ArithmeticExpansion" && !isCounting(node.text)) count(countingOf(node.expression), scope);
    forEachChild(node, (child) => scriptsIn(child, { depth: depth + 1, scope }, found));
  }
}

/** Besides its text, `${…}` may set a variable, evaluate a subscript, or run the content of a prompt. */
function expandParameter(node: ParameterExpansionPart, scope: Scope): void {
  for (const name of assignedBy(node.text)) assignUnknown(name, scope);
  if (node.index !== undefined) count(countingText(node.index.text), scope);
  if (node.operation?.type === "Slice") count(countingText(/:([^}]*)/.exec(node.text)?.[1] ?? "["), scope);
  if (node.operation?.type === "Transform" && node.operation.operand.text === "P") scope.doubts.add(PROMPT);
  // `${a~b}` changes the case of matching letters, and the grammar does not parse what it does not know.
  if (node.operation?.type === "Unknown" && /[$`]/.test(node.operation.operator)) scope.doubts.add(UNREAD.uncertain);
  // Bash refuses `${(e)a}`, with which zsh runs the commands in the value.
  if (node.operation?.type === "Unknown" && node.operation.operator.startsWith("(")) scope.doubts.add(ZSH_DOUBT);
  if (node.prefix === "!" && !LISTING_NAMES.test(node.text)) scope.doubts.add(ARITHMETIC);
}

/** The limit for nodes is higher than the limit for nesting, because each nested expansion has several nodes. */
const PARTS_MAX = 4 * NESTED_MAX;
