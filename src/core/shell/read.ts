import { type ParsedScript, parse } from "unbash";
import { type Message, say } from "../messages/message.ts";
import { UNREAD } from "../tables/unread.ts";
import { ARITHMETIC, digitsIn, holdNumbers } from "./arithmetic.ts";
import { leavesOut, quotesInExpansion } from "./grammar-gaps.ts";
import { isOtherInZsh, ZSH_DOUBT } from "./host-shell.ts";
import { everyNode } from "./nodes.ts";
import { LIST_AGAIN, newScope, readsListAgain, type Scope } from "./scope.ts";
import { type Script, SIMPLES_MAX, TEXT_MAX } from "./script.ts";
import { spend, type Work } from "./step-budget.ts";
import { walkScript } from "./walk.ts";

/** Reads a text as bash would. What bash would not take, or what the eye cannot see, is not readable. */
export function readScript(text: string, work: Work = { steps: 0 }, around?: ReadonlySet<string>): Script {
  if (text.length > TEXT_MAX) return unread(UNREAD.long);
  if (hasManyBraces(text)) return unread(UNREAD.braces);
  // Where letters are hidden or the shell and the eye part ways, nothing read from them is worth anything.
  const hidden = UNUSUAL.test(text) && HIDDEN.test(text);
  const tree = parse(text);
  spend(work, text.length / LETTERS);
  const scope = newScope(walkScript, work, digitsIn(text, around));
  if (MAY_NAME.test(text)) nameFunctions(tree, scope);
  walkScript(tree, scope);
  if (scope.counted.size > 0 && (scope.wild || !holdNumbers(scope.counted, scope))) scope.doubts.add(ARITHMETIC);
  if (readsListAgain(scope)) scope.doubts.add(LIST_AGAIN);
  const comments = SUBSTITUTED.test(text) && text.includes(")#");
  if (leavesOut(tree, text) || quotesInExpansion(tree, text) || UNCERTAIN.test(text) || comments) {
    scope.doubts.add(UNREAD.uncertain);
    scope.readable = false;
  }
  if (UNUSUAL.test(text) && mayMeanOtherLetters(text, scope)) scope.doubts.add(UNREAD.uncertain);
  if (isOtherInZsh(text, scope)) scope.doubts.add(ZSH_DOUBT);
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

/** So many letters take the grammar as long as one step. */
const LETTERS = 8;

/** The grammar looks for the end of every one, however far that is. */
const BRACES_MAX = 1_000;

function hasManyBraces(text: string): boolean {
  let found = 0;
  for (let at = text.indexOf("{"); at !== -1 && found < BRACES_MAX; at = text.indexOf("{", at + 1)) found++;
  return found === BRACES_MAX;
}

/**
 * A line that is cut behind a sign that bash puts together from both halves, `${ a; }`, which only the newest bash runs,
 * and a process substitution within an expansion, whose quotes nobody counts alike.
 */
const UNCERTAIN = /\\$|\$\{[\s|]|\$\{[^}\n]*[<>]\(|\$\\\n|[<>&|(]\\\n[<>&|(]/;
/** Behind what closes one of these the word goes on, and a `#` there begins no comment. */
const SUBSTITUTED = /[<>]\(/;
const UNUSUAL = /[^\x20-\x7e\t\n]/;
const HIDDEN =
  /[^\P{Cc}\t\n]|\p{Cf}|(?!\uFE0F)\p{DI}|(?<!\p{Extended_Pictographic})\uFE0F|[\u2028\u2029\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u3164\uFFA0\u115F\u1160]/u;

/**
 * Bash reads every line in the encoding that was set before it. In one such as GBK the last byte of `€` and a backslash
 * behind it are one letter, so that a quote which was not meant to end a word ends it.
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

/** A name that is a function anywhere may be one everywhere: a loop may come back to an earlier line. */
function nameFunctions(tree: ParsedScript, scope: Scope): void {
  everyNode(tree, (node) => {
    if (node.type === "Function") scope.shadowed.add(node.name.value);
    return "on";
  });
}

export function unread(why: Message): Script {
  return { simples: [], sets: [], shadowed: new Set(), digits: new Set(), doubts: [why], readable: false };
}
