import {
  type Assignment,
  type Command,
  forEachChild,
  type ParsedScript,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type Word,
} from "unbash";

/**
 * True where the grammar's reading of a command cannot be bash's: two words that touch each other, such as `<(a)b`, or
 * a sign that ends a word standing unquoted inside one, such as `1<(a)`.
 */
export function isTorn({ prefix, name, suffix }: Command): boolean {
  let end = -1;
  const touches = (one: { pos: number; end: number }) => {
    const torn = one.pos === end;
    end = one.end;
    return torn;
  };
  const isTornPart = (one: Command["suffix"][number]) => {
    if (one.type === "Word") return touches(one) || endsInside(one);
    if (one.type === "Assignment") return touches(one) || endsInAssignment(one);
    if (one.type === "HereDoc") return one.delimiter !== undefined && isOpen(one.delimiter.text);
    return one.target !== undefined && endsInside(one.target);
  };
  return (
    prefix.some(isTornPart) || (name !== undefined && (touches(name) || endsInside(name))) || suffix.some(isTornPart)
  );
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

const BETWEEN = /^(?:[\s;&]|\\\n|#[^\n]*)*$/;
const JOINING = /^(?:\s|\\\n)*(?:&&|\|\||\|&?)(?:\s|\\\n|#[^\n]*\n)*$/;
const WITHIN = /^(?:\s|\\\n)*$/;

/** True where a sign of the text stands in none of the commands that the grammar found: it went on where bash stops. */
export function leavesOut(tree: ParsedScript, written: string): boolean {
  const text = written.includes("<<") ? withoutHereDocs(tree, written) : written;
  const [first] = tree.commands;
  const last = Math.max(0, ...tree.commands.map(({ end }) => end));
  return !BETWEEN.test(text.slice(0, first?.pos ?? 0)) || !BETWEEN.test(text.slice(last)) || isGapped(tree, text);
}

/** What a here-document holds lies between commands and is none. */
function withoutHereDocs(tree: ParsedScript, text: string): string {
  let left = text;
  const rest: SyntaxNode[] = [tree];
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    if (node.type === "HereDoc") {
      const [from, to] = [node.body.pos, Math.max(node.body.end, node.closing?.end ?? 0)];
      left = left.slice(0, from) + " ".repeat(to - from) + left.slice(to);
    }
    forEachChild(node, (child) => void rest.push(child));
  }
  return left;
}

function isGapped(tree: ParsedScript, text: string): boolean {
  const rest: SyntaxNode[] = [tree];
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    if (hasGap(node, text)) return true;
    // What stands between backticks is read by itself, and its places are not those of the text.
    if (node.type !== "CommandExpansion" || !node.text.startsWith("`"))
      forEachChild(node, (child) => void rest.push(child));
  }
  return false;
}

function hasGap(node: SyntaxNode, text: string): boolean {
  switch (node.type) {
    case "Script":
    case "CompoundList":
      return node.commands.some((one, i) => isApart(one, node.commands[i + 1], text));
    case "Pipeline":
    case "AndOr":
      return node.commands.length === 0 || areParted(node.commands, JOINING, text);
    case "Command":
      return (
        areParted(itemsOf(node), WITHIN, text) ||
        node.redirects.some((one, i) => isCut(one, node.redirects[i + 1], text))
      );
    default:
      return false;
  }
}

function itemsOf({ prefix, name, suffix }: Command): readonly { pos: number; end: number }[] {
  return name === undefined ? [...prefix, ...suffix] : [...prefix, name, ...suffix];
}

function isApart({ command, end }: Statement, next: Statement | undefined, text: string): boolean {
  return (
    !BETWEEN.test(text.slice(command.end, end)) || (next !== undefined && !BETWEEN.test(text.slice(end, next.pos)))
  );
}

function areParted(nodes: readonly { pos: number; end: number }[], by: RegExp, text: string): boolean {
  return nodes.some((one, i) => {
    const next = nodes[i + 1];
    return next !== undefined && next.pos > one.end && !by.test(text.slice(one.end, next.pos));
  });
}

/** `<` at the end of a line is followed by nothing, and the `2` of `>2>` belongs to what comes. */
function isCut(node: Redirection, next: Redirection | undefined, text: string): boolean {
  if (node.type === "HereDoc" || node.target === undefined) return false;
  if (/(?<!\\)\n/.test(text.slice(node.pos, node.target.pos))) return true;
  return next?.pos === node.end && /^(\d+|\{\w+\})$/.test(node.target.text);
}
