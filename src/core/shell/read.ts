import {
  forEachChild,
  type ParsedScript,
  parse,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type WordPart,
} from "unbash";
import { type Message, say } from "../messages/message.ts";
import { UNREAD } from "../tables/unread.ts";
import { ARITHMETIC, digitsIn, holdNumbers } from "./arithmetic.ts";
import { isOtherInZsh, ZSH_DOUBT } from "./other-shells.ts";
import { LIST_AGAIN, newScope, readsListAgain, type Scope } from "./scope.ts";
import { NESTED_MAX, type Script, SIMPLES_MAX, spend, TEXT_MAX, type Work } from "./script.ts";
import { itemsOf } from "./simple-command.ts";
import { walkScript } from "./walk.ts";

/** Parses a text as bash would. A text that bash would refuse, or with invisible characters, is not readable. */
export function readScript(text: string, work: Work = { steps: 0 }, around?: ReadonlySet<string>): Script {
  if (text.length > TEXT_MAX) return unread(UNREAD.long);
  if (text.includes("{") && hasManyBraces(text)) return unread(UNREAD.braces);
  // If characters are hidden, or the shell reads them differently than a person, nothing can be relied on.
  const hidden = UNUSUAL.test(text) && HIDDEN.test(text);
  const tree = parse(text);
  spend(work, text.length / LETTERS);
  const scope = newScope(walkScript, work, digitsIn(text, around));
  if (MAY_NAME.test(text)) nameFunctions(tree, scope);
  walkScript(tree, scope);
  if (scope.counted.size > 0 && (scope.wild || !holdNumbers(scope.counted, scope))) scope.doubts.add(ARITHMETIC);
  if (scope.declared.size > 0 && readsListAgain(scope)) scope.doubts.add(LIST_AGAIN);
  const comments = SUBSTITUTED.test(text) && text.includes(")#");
  const expands = text.includes("'") && text.includes("${");
  if (leavesOut(tree, text) || (expands && quotesInExpansion(tree)) || UNCERTAIN.test(text) || comments) {
    scope.doubts.add(UNREAD.uncertain);
    scope.readable = false;
  }
  if (UNUSUAL.test(text) && mayMeanOtherLetters(text, scope)) scope.doubts.add(UNREAD.uncertain);
  // Without variables and brackets zsh reads it in the same way.
  if ((scope.sets.length > 0 || /[[=]/.test(text)) && isOtherInZsh(text, scope)) scope.doubts.add(ZSH_DOUBT);
  const crowded = scope.crowded || scope.simples.length > SIMPLES_MAX;
  if (hidden) scope.doubts.add(say("note.command_has_hidden_signs"));
  if (crowded) scope.doubts.add(say("note.too_many_commands", { max: SIMPLES_MAX }));
  if (scope.crowded) scope.doubts.add(UNREAD.rounds);
  return {
    simples: scope.simples,
    sets: scope.sets,
    shadowed: scope.shadowed,
    digits: scope.digits,
    doubts: [...scope.doubts],
    readable: scope.readable && !hidden && !crowded,
  };
}

/** The grammar needs one step for this many letters. */
const LETTERS = 8;

/** The grammar searches for the end of every open brace, up to the end of the text, so their number is limited. */
const BRACES_MAX = 1_000;

function hasManyBraces(text: string): boolean {
  let found = 0;
  for (let at = text.indexOf("{"); at !== -1 && found < BRACES_MAX; at = text.indexOf("{", at + 1)) found++;
  return found === BRACES_MAX;
}

/**
 * Texts about which bash and the grammar may disagree: a line break after a character that bash joins with the next line;
 * `${ a; }`, which only the newest bash runs; and a process substitution within an expansion, because of its quotes.
 */
const UNCERTAIN = /\\$|\$\{[\s|]|\$\{[^}\n]*[<>]\(|\$\\\n|[<>&|(]\\\n[<>&|(]/;

/** A process substitution. The word continues after its end, and a `#` there begins no comment. */
const SUBSTITUTED = /[<>]\(/;

const UNUSUAL = /[^\x20-\x7e\t\n]/;

const HIDDEN =
  /[^\P{Cc}\t\n]|\p{Cf}|(?!\uFE0F)\p{DI}|(?<!\p{Extended_Pictographic})\uFE0F|[\u2028\u2029\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u3164\uFFA0\u115F\u1160]/u;

/**
 * Bash reads every line in the encoding that was set before it. In an encoding such as GBK the last byte of `€` and a backslash
 * after it are one letter, so that a quote which should not end a word ends it.
 */
function mayMeanOtherLetters(text: string, { sets }: Scope): boolean {
  return (
    [...text.matchAll(ENCODING)].some(([, value]) => value === undefined || !KNOWN_ENCODING.test(value)) ||
    sets.some(({ name, value }) => ENCODED.test(name) && (value.kind !== "plain" || !KNOWN_ENCODING.test(value.text)))
  );
}

const ENCODED = /^(LANG|LC_ALL|LC_CTYPE)$/;

const ENCODING = /(?<![$\w{])(?:LANG|LC_ALL|LC_CTYPE)\b(?:\+?=(\S*))?/g;

const KNOWN_ENCODING = /^["']?(|C|POSIX|\w+\.utf-?8)["']?(?=$|[;&|)])/i;

const MAY_NAME = /\(\s*\)|\bfunction\b/;

/** A name that is a function anywhere may be one everywhere: a loop may return to an earlier line. */
function nameFunctions(tree: ParsedScript, scope: Scope): void {
  everyNode(tree, (node) => {
    if (node.type === "Function") scope.shadowed.add(node.name.value);
    return "on";
  });
}

export function unread(why: Message): Script {
  return { simples: [], sets: [], shadowed: new Set(), digits: new Set(), doubts: [why], readable: false };
}

const BETWEEN = /^(?:[\s;&]|\\\n|#[^\n]*(?:\n|$))*$/;

const JOINING = /^(?:\s|\\\n)*(?:&&|\|\||\|&?)(?:\s|\\\n|#[^\n]*\n)*$/;

const WITHIN = /^(?:\s|\\\n)*$/;

/** True if a character of the text is in none of the commands that the grammar found: it continued where bash stops. */
function leavesOut(tree: ParsedScript, written: string): boolean {
  const text = written.includes("<<") ? withoutHereDocs(tree, written) : written;
  const [first] = tree.commands;
  let last = 0;
  for (const { end } of tree.commands) last = Math.max(last, end);
  return !BETWEEN.test(text.slice(0, first?.pos ?? 0)) || !BETWEEN.test(text.slice(last)) || isGapped(tree, text);
}

/** The content of a here-document is between commands and is not a command. */
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
    // These can be nested.
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
    // What is between backticks is parsed separately, and its positions are not those of the text.
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
      return areParted(itemsOf(node), WITHIN, text) || (node.redirects.length > 0 && areCut(node.redirects, text));
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

/** The text between two nodes is nearly always one space, which separates everything except the commands of a pipeline. */
function isGap(text: string, from: number, to: number, by: RegExp): boolean {
  if (to === from + 1 && text.charCodeAt(from) === SPACE) return by !== JOINING;
  return by.test(text.slice(from, to));
}

const SPACE = " ".charCodeAt(0);

function areCut(redirects: readonly Redirection[], text: string): boolean {
  return redirects.some((one, i) => isCut(one, redirects[i + 1], text));
}

/** `<` at the end of a line is followed by nothing, and the `2` of `>2>` belongs to what follows. */
function isCut(node: Redirection, next: Redirection | undefined, text: string): boolean {
  if (node.type === "HereDoc" || node.target === undefined) return false;
  if (/(?<!\\)\n/.test(text.slice(node.pos, node.target.pos))) return true;
  return next?.pos === node.end && /^(\d+|\{\w+\})$/.test(node.target.text);
}

/**
 * True if a single quote is in an expansion within double quotes or a here-document, as in `"${a:-'}"`. Whether it is a
 * letter or begins a quotation there differs between shells and places, and so does the end of the expansion.
 */
function quotesInExpansion(tree: ParsedScript): boolean {
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

/** The content of an expansion, without the commands in it: these have their own quotes. */
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

/** The grammar parses the content of these only on request, each time from its beginning. */
const EXPANSIONS: ReadonlySet<SyntaxNode["type"]> = new Set<SyntaxNode["type"]>([
  "CommandExpansion",
  "ProcessSubstitution",
  "ParameterExpansion",
  "ArithmeticExpansion",
  "BraceExpansion",
  "ExtendedGlob",
]);

/**
 * Visits every node at and below one, except words of plain letters, until told to stop. False if it was, or if
 * expansions are nested too deep.
 */
function everyNode(top: SyntaxNode, visit: (node: SyntaxNode) => "on" | "past" | "stop", depth = 0): boolean {
  if (depth > NESTED_MAX) return false;
  const rest: SyntaxNode[] = [top];
  const inner: SyntaxNode[] = [];
  const keep = (child: SyntaxNode) => {
    if (child.type !== "Word" || child.parts !== undefined) rest.push(child);
  };
  const keepInner = (child: SyntaxNode) => void inner.push(child);
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    const next = visit(node);
    if (next === "stop") return false;
    if (next === "on") forEachChild(node, EXPANSIONS.has(node.type) ? keepInner : keep);
  }
  return inner.every((node) => everyNode(node, visit, depth + 1));
}
