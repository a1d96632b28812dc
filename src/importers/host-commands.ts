import type { Tier } from "../core/tier.ts";
import type { JsonObject } from "../core/values/json.ts";
import { EVERY_COMMAND } from "./imported.ts";

// Rules of agent programs about command texts. A host compares the text of a command with a pattern. A rule that
// allows must not match more than the host did, so it compares the same text, and only texts without redirections,
// variables and other things that a shell would replace. A rule that asks or denies compares words, as Leeway does:
// it also finds the command behind quotes, wrappers and other spellings.

/** A piece of a pattern: fixed text, any text, one character, or nothing or a space and any text. */
export type Piece = { text: string } | { is: "any" | "one" | "rest" };
export type TextPattern = readonly Piece[];

export type HostRule = { name: string; match: JsonObject; tier: Tier; because: string };

/** What a host's rule is called in our file, and why it is there. */
export type Named = { name: string; because: string };

/** Signs that begin another command or are replaced by the shell: an operator, a backslash, a line break. */
const SIGNS = "[^ -[^-~]|[$&();<>`|]";
/** The same without the operators that join two commands. */
const CHAIN_SIGNS = "[^ -[^-~]|[$()<>`]";
/** A character inside one command. A chain must not have quotes: they could join two of its commands. */
const INSIDE = ".";
const INSIDE_CHAIN = "[^&;|'\"]";
/** The longest expression that a policy may have for `re2`. */
const PATTERN_MAX = 500;

function regexOf(pattern: TextPattern, inside: string): string {
  return pattern
    .map((piece, i) => {
      if ("text" in piece) return escaped(piece.text);
      if (piece.is === "rest") return `( ${inside}*)?`;
      if (piece.is === "one") return inside;
      const before = pattern[i - 1];
      // Hosts cut spaces off both ends of a command, so a space alone is not what a star stands for there.
      const isAfterSpace = before === undefined || ("text" in before && before.text.endsWith(" "));
      return isAfterSpace ? `${inside === INSIDE ? "[^ ]" : inside.replace("[^", "[^ ")}${inside}*` : `${inside}*`;
    })
    .join("");
}

/** Brackets are easier to read in a file than backslashes, which YAML and the expression would each double. */
function escaped(text: string): string {
  return text.replace(/[.+*?{}()|[\]$/]/g, (sign) => `[${sign}]`).replace(/[\\^]/g, "\\$&");
}

function isPlain(pattern: TextPattern): boolean {
  return pattern.every((piece) => !("text" in piece) || !new RegExp(SIGNS).test(piece.text));
}

/** Tools for commands, and the arguments of their calls that contain the text of the command. */
export type ShellTools = { tools: readonly string[]; texts: readonly string[] };

function whenText({ texts }: ShellTools, regex: string, signs: string): string {
  const each = texts.map((name) => {
    const text = `call.args.${name}`;
    return `re2(${text}, ${JSON.stringify(regex)}) && !re2(${text}, ${JSON.stringify(signs)})`;
  });
  const any = each.length === 1 ? each.join("") : `(${each.map((one) => `(${one})`).join(" || ")})`;
  return `${any} && effect.understood == "fully"`;
}

/** Undefined if the pattern has signs that begin another command: then no text could match it safely. */
export function allowedCommand(shell: ShellTools, pattern: TextPattern, named: Named): HostRule | undefined {
  const regex = `^${regexOf(pattern, INSIDE)}$`;
  if (!isPlain(pattern) || regex.length > PATTERN_MAX) return undefined;
  return { ...named, match: { tool: [...shell.tools], when: whenText(shell, regex, SIGNS) }, tier: "auto" };
}

/**
 * Hosts split `a && b` and allow it if both are allowed. Undefined if there is nothing to join, or if the expression
 * would be too long for a policy.
 */
export function allowedChains(
  shell: ShellTools,
  patterns: readonly TextPattern[],
  because: string,
): HostRule | undefined {
  const regex = chainRegex(patterns);
  if (regex === undefined) return undefined;
  const match = { tool: [...shell.tools], when: whenText(shell, regex, CHAIN_SIGNS) };
  return { name: "allowed-chains", match, tier: "auto", because };
}

/** A rule that asks or denies: by its first words if the pattern is a beginning, otherwise wherever its text appears. */
export function restrictedCommand(pattern: TextPattern, tier: Tier, named: Named, except?: string): HostRule {
  const but = except === undefined ? {} : { when: `!(${textIs(except)})` };
  const words = beginningOf(pattern);
  if (words !== undefined) return { ...named, match: { command: `${words.join(" ")} *`.trim(), ...but }, tier };
  const regex = `(?s)${looseRegex(pattern)}`;
  if (regex.length > PATTERN_MAX) return { ...named, match: EVERY_COMMAND, tier };
  const when = `has(call.args.command) && re2(call.args.command, ${JSON.stringify(regex)})`;
  return {
    ...named,
    match: { ...EVERY_COMMAND, when: `${when}${except === undefined ? "" : ` && ${but.when}`}` },
    tier,
  };
}

function textIs(regex: string): string {
  return `re2(call.args.command, ${JSON.stringify(regex)}) && !re2(call.args.command, ${JSON.stringify(CHAIN_SIGNS)})`;
}

/** The texts that later rules of the host allow, for rules that those come before. */
export function chainRegex(patterns: readonly TextPattern[]): string | undefined {
  const each = patterns.filter(isPlain).map((pattern) => regexOf(pattern, INSIDE_CHAIN));
  const regex = `^((${[...new Set(each)].join("|")})( *(&&|[|][|]?|;) *|$))+$`;
  return each.length === 0 || regex.length > PATTERN_MAX ? undefined : regex;
}

/** Anywhere in the text, with any space between the words: more than the host found. */
function looseRegex(pattern: TextPattern): string {
  return pattern
    .map((piece) => {
      if ("text" in piece) return piece.text.split(/\s+/).map(escaped).join("\\s+");
      return piece.is === "one" ? "." : ".*";
    })
    .join("");
}

/** The words that every text of the pattern begins with, if they are all that the pattern asks for. */
function beginningOf(pattern: TextPattern): readonly string[] | undefined {
  const [first, ...others] = pattern;
  if (first === undefined || !("text" in first)) return isEverything(pattern) ? [] : undefined;
  const [second] = others;
  if (others.length > 1) return undefined;
  const isWhole = second === undefined || ("is" in second && second.is === "rest");
  const isPrefix = second !== undefined && "is" in second && second.is === "any" && first.text.endsWith(" ");
  const words = first.text.trim().split(/ +/);
  return (isWhole || isPrefix) && words.every((word) => WORD.test(word)) ? words : undefined;
}

/** A word that means itself in a pattern of ours and in a shell. */
const WORD = /^[\w@%+:,./-]+$/;

function isEverything(pattern: TextPattern): boolean {
  return pattern.length > 0 && pattern.every((piece) => "is" in piece && piece.is !== "one");
}

/** A text with stars, and with question marks where a host has them. A final ` *` may also stand for nothing. */
export function starPattern(text: string, o: { ones: boolean; lastIsOptional: boolean }): TextPattern {
  const isRest = o.lastIsOptional && text.endsWith(" *");
  const pieces = (isRest ? text.slice(0, -2) : text).split(o.ones ? /([*?])/ : /(\*)/);
  const made = pieces.flatMap((piece): Piece[] => {
    if (piece === "*") return [{ is: "any" }];
    if (piece === "?" && o.ones) return [{ is: "one" }];
    return piece === "" ? [] : [{ text: piece }];
  });
  return isRest ? [...made, { is: "rest" }] : made;
}
