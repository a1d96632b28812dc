import {
  type Assignment,
  type Command,
  forEachChild,
  type ParsedScript,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type Word,
  type WordPart,
} from "unbash";
import { everyNode } from "./nodes.ts";

/**
 * True where the grammar's reading of a command cannot be bash's: two words that touch each other, such as `<(a)b`, or
 * a sign that ends a word standing unquoted inside one, such as `1<(a)`.
 */
export function isTorn(node: Command): boolean {
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

function itemsOf({ prefix, name, suffix }: Command): readonly Item[] {
  return name === undefined ? [...prefix, ...suffix] : [...prefix, name, ...suffix];
}

function isTornItem(one: Item): boolean {
  if (one.type === "Word") return endsInside(one);
  if (one.type === "Assignment") return endsInAssignment(one);
  if (one.type === "HereDoc") return one.delimiter !== undefined && isOpen(one.delimiter.text);
  return one.target !== undefined && endsInside(one.target);
}

/** A delimiter whose quotes do not close is none that bash would take. */
function isOpen(delimiter: string): boolean {
  return /[\n$]/.test(delimiter) || /['"`\s<>()&|;]/.test(delimiter.replace(/'[^']*'|"[^"]*"|\\[\s\S]/g, ""));
}

function endsInAssignment({ value }: Assignment): boolean {
  return value.type === "ArrayValue" ? value.elements.some(endsInside) : endsInside(value);
}

const ENDING = /[<>()|&;\s`]|\$\[/;

function endsInside({ text, parts }: Word): boolean {
  if (parts === undefined) return holdsEnding(text);
  return parts.some((part) => part.type === "Literal" && holdsEnding(part.text));
}

function holdsEnding(text: string): boolean {
  return ENDING.test(text) && ENDING.test(text.replace(/\\[\s\S]/g, ""));
}

const BETWEEN = /^(?:[\s;&]|\\\n|#[^\n]*(?:\n|$))*$/;
const JOINING = /^(?:\s|\\\n)*(?:&&|\|\||\|&?)(?:\s|\\\n|#[^\n]*\n)*$/;
const WITHIN = /^(?:\s|\\\n)*$/;

/** True where a sign of the text stands in none of the commands that the grammar found: it went on where bash stops. */
export function leavesOut(tree: ParsedScript, written: string): boolean {
  const text = written.includes("<<") ? withoutHereDocs(tree, written) : written;
  const [first] = tree.commands;
  let last = 0;
  for (const { end } of tree.commands) last = Math.max(last, end);
  return !BETWEEN.test(text.slice(0, first?.pos ?? 0)) || !BETWEEN.test(text.slice(last)) || isGapped(tree, text);
}

/** What a here-document holds lies between commands and is none. */
function withoutHereDocs(tree: ParsedScript, text: string): string {
  const bodies: { from: number; to: number }[] = [];
  everyNode(tree, (node) => {
    if (node.type === "HereDoc")
      bodies.push({ from: node.body.pos, to: Math.max(node.body.end, node.closing?.end ?? 0) });
    return "on";
  });
  let left = "";
  let at = 0;
  for (const { from, to } of bodies.sort((a, b) => a.from - b.from)) {
    // One may stand within another.
    const start = Math.max(from, at);
    if (to <= start) continue;
    left += text.slice(at, start) + " ".repeat(to - start);
    at = to;
  }
  return left + text.slice(at);
}

function isGapped(tree: ParsedScript, text: string): boolean {
  return !everyNode(tree, (node) => {
    if (hasGap(node, text)) return "stop";
    // What stands between backticks is read by itself, and its places are not those of the text.
    return node.type === "CommandExpansion" && node.text.startsWith("`") ? "past" : "on";
  });
}

function hasGap(node: SyntaxNode, text: string): boolean {
  switch (node.type) {
    case "Script":
    case "CompoundList":
      return areApart(node.commands, text);
    case "Pipeline":
    case "AndOr":
      return node.commands.length === 0 || areParted(node.commands, JOINING, text);
    case "Command":
      return areParted(itemsOf(node), WITHIN, text) || areCut(node.redirects, text);
    default:
      return false;
  }
}

function areApart(statements: readonly Statement[], text: string): boolean {
  let last: number | undefined;
  for (const { command, pos, end } of statements) {
    if (last !== undefined && !isGap(text, last, pos, BETWEEN)) return true;
    if (command.end < end && !BETWEEN.test(text.slice(command.end, end))) return true;
    last = end;
  }
  return false;
}

function areParted(nodes: readonly { pos: number; end: number }[], by: RegExp, text: string): boolean {
  let end = Number.POSITIVE_INFINITY;
  for (const one of nodes) {
    if (one.pos > end && !isGap(text, end, one.pos, by)) return true;
    end = one.end;
  }
  return false;
}

/** Nearly always it is one space, which parts everything but the commands of a pipeline. */
function isGap(text: string, from: number, to: number, by: RegExp): boolean {
  if (to === from + 1 && text.charCodeAt(from) === SPACE) return by !== JOINING;
  return by.test(text.slice(from, to));
}

const SPACE = " ".charCodeAt(0);

function areCut(redirects: readonly Redirection[], text: string): boolean {
  return redirects.length > 0 && redirects.some((one, i) => isCut(one, redirects[i + 1], text));
}

/** `<` at the end of a line is followed by nothing, and the `2` of `>2>` belongs to what comes. */
function isCut(node: Redirection, next: Redirection | undefined, text: string): boolean {
  if (node.type === "HereDoc" || node.target === undefined) return false;
  if (/(?<!\\)\n/.test(text.slice(node.pos, node.target.pos))) return true;
  return next?.pos === node.end && /^(\d+|\{\w+\})$/.test(node.target.text);
}

/**
 * True where a single quote stands in an expansion within double quotes or a here-document, as in `"${a:-'}"`. Whether
 * it is a letter or begins a quotation there differs between shells and places, and so does where the expansion ends.
 */
export function quotesInExpansion(tree: ParsedScript, text: string): boolean {
  if (!text.includes("'") || !text.includes("${")) return false;
  return !everyNode(tree, (node) => {
    const parts =
      node.type === "HereDoc"
        ? node.body.parts
        : node.type === "DoubleQuoted" || node.type === "LocaleString"
          ? node.parts
          : undefined;
    return parts?.some((part) => part.type !== "Literal" && textOutsideCommands(part).includes("'")) ? "stop" : "on";
  });
}

/** What stands in an expansion, without the commands within it: these have quotes of their own. */
function textOutsideCommands(part: WordPart): string {
  let left: string = part.text;
  const rest: SyntaxNode[] = [part];
  for (let node = rest.pop(); node !== undefined && left.includes("'"); node = rest.pop()) {
    if (node.type === "CommandExpansion" || node.type === "ArithmeticCommandExpansion")
      left = left.replace(node.text, () => "");
    else forEachChild(node, (child) => void rest.push(child));
  }
  return left;
}
