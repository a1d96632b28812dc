import type { ArithmeticExpression, ParsedScript, Word as Written } from "unbash";
import { say } from "../messages/message.ts";
import { type Assigned, isDigits, type Word } from "./script.ts";
import { printedBy } from "./substitution-output.ts";
import { isFilledByShell } from "./variable-values.ts";

export const ARITHMETIC = say("note.arithmetic_may_run");

/** What an expression does: the variables it looks at, those it sets, and whether that is all. */
export type Counting = { looks: readonly string[]; sets: readonly string[]; clear: boolean };

/** Arithmetic runs what stands in the subscripts of its variables, and of what they hold. */
export function countingOf(expression: ArithmeticExpression | undefined): Counting {
  if (expression === undefined) return UNCLEAR;
  switch (expression.type) {
    case "ArithmeticBinary": {
      const [left, right] = [countingOf(expression.left), countingOf(expression.right)];
      return /^([-+*/%&|^]|<<|>>|\*\*)?=$/.test(expression.operator)
        ? both({ ...left, sets: left.looks, looks: expression.operator === "=" ? [] : left.looks }, right)
        : both(left, right);
    }
    case "ArithmeticUnary": {
      const inner = countingOf(expression.operand);
      return /^(\+\+|--)$/.test(expression.operator) ? { ...inner, sets: inner.looks } : inner;
    }
    case "ArithmeticTernary":
      return both(
        countingOf(expression.test),
        both(countingOf(expression.consequent), countingOf(expression.alternate)),
      );
    case "ArithmeticGroup":
      return countingOf(expression.expression);
    case "ArithmeticWord":
      return countingWord(expression.value);
    case "ArithmeticCommandExpansion":
      return printsDigits(expression.script) ? NOTHING : UNCLEAR;
    default:
      return UNCLEAR;
  }
}

function printsDigits(script: ParsedScript | undefined): boolean {
  return /^numbers?$/.test(printedBy(script) ?? "");
}

const NOTHING: Counting = { looks: [], sets: [], clear: true };
const UNCLEAR: Counting = { looks: [], sets: [], clear: false };
const NUMBERED = /^(\d+|0[xX][\dA-Fa-f]+|\d+#\w+|\$[?#$!]|\$\{#\w+(\[[@*]\])?\})$/;

function countingWord(text: string): Counting {
  if (NUMBERED.test(text)) return { looks: [], sets: [], clear: true };
  const [, name] =
    /^(?:\$?([A-Za-z_]\w*)|\$\{([A-Za-z_]\w*)\})$/.exec(text)?.filter((found) => found !== undefined) ?? [];
  return name === undefined ? UNCLEAR : { looks: [name], sets: [], clear: true };
}

/** One side of a comparison of numbers in `[[ … ]]`. */
export function countingSide({ text, parts }: Written): Counting {
  const [only] = parts?.[0]?.type === "DoubleQuoted" ? parts[0].parts : (parts ?? []);
  if (only?.type === "CommandExpansion" && /^"?[$`]/.test(text) && text.replaceAll('"', "") === only.text)
    return printsDigits(only.script) ? NOTHING : UNCLEAR;
  const bare = text.replace(/^"([^"]*)"$/, "$1");
  return /^[-+]?\d+$/.test(bare) ? { looks: [], sets: [], clear: true } : countingWord(bare);
}

/** True where an expression holds numbers and signs alone: then it looks at nothing that could hold a subscript. */
export function isCounting(expression: string): boolean {
  const inner = /^\$\(\(([\s\S]*)\)\)$|^\$\[([\s\S]*)\]$/.exec(expression);
  const text = inner?.[1] ?? inner?.[2] ?? expression;
  return /^[\d\s+*/%<>=!&|^~?:,()-]*$/.test(
    text.replace(/\b0[xX][\dA-Fa-f]+\b/g, "0").replace(/\$[?#$!](?![\w{[])/g, "0"),
  );
}

/** What an expression comes to where its numbers are written out or held by variables; undefined for all else. */
export function reckoned(
  expression: ArithmeticExpression | undefined,
  heldBy: (name: string) => Word | undefined,
): number | undefined {
  switch (expression?.type) {
    case "ArithmeticGroup":
      return reckoned(expression.expression, heldBy);
    case "ArithmeticUnary": {
      const inner = expression.operator === "-" ? reckoned(expression.operand, heldBy) : undefined;
      return inner === undefined ? undefined : 0 - inner;
    }
    case "ArithmeticBinary": {
      const left = reckoned(expression.left, heldBy);
      const right = left === undefined ? undefined : reckoned(expression.right, heldBy);
      return left === undefined || right === undefined ? undefined : exact(expression.operator, left, right);
    }
    case "ArithmeticWord": {
      const [, name] = /^\$?\{?([A-Za-z_]\w*)\}?$/.exec(expression.value) ?? [];
      const value = name === undefined ? undefined : heldBy(name);
      const text = name === undefined ? expression.value : value?.kind === "plain" ? value.text : "";
      return DECIMAL.test(text) ? Number(text) : undefined;
    }
    default:
      return undefined;
  }
}

/** With a nought in front bash takes the digits for others, and of more digits JavaScript is not sure. */
const DECIMAL = /^(0|-?[1-9]\d{0,14})$/;

function exact(operator: string, left: number, right: number): number | undefined {
  const result = operator === "+" ? left + right : operator === "-" ? left - right : left * right;
  return /^[-+*]$/.test(operator) && Number.isSafeInteger(result) ? result : undefined;
}

/** A subscript, or where a part of a text begins and ends: bash counts there too. */
export function countingText(text: string): Counting {
  // What `$1`, `$@` or `$-` hold is known nowhere, and bash runs the subscripts in it.
  const plainly = /^[\w\s+*/%:@$-]*$/.test(text) && !/\$(?![A-Za-z_?#$!])/.test(text);
  return { looks: [...text.matchAll(/[A-Za-z_]\w*/g)].map(([name]) => name), sets: [], clear: plainly };
}

function both(a: Counting, b: Counting): Counting {
  return { looks: [...a.looks, ...b.looks], sets: [...a.sets, ...b.sets], clear: a.clear && b.clear };
}

/** Set by the shell itself, and digits as long as nobody else does; `$!` is nothing before the first job. */
const COUNTED: ReadonlySet<string> = new Set(
  "? # $ RANDOM SECONDS LINENO UID EUID PPID BASHPID EPOCHSECONDS".split(" "),
);

const NAMED = /(?<![$\w])(RANDOM|SECONDS|LINENO|UID|EUID|PPID|BASHPID|EPOCHSECONDS)(?!\w)(?!=\d+(?![^\s;&|)]))/g;

/**
 * Those of them that are digits all through a script. Once unset, or declared anew, they are variables like any other;
 * so one that the text names but to look at it, or to set it to digits, does not count. Quotes are taken away first,
 * because bash takes them away from names too.
 */
export function digitsIn(text: string, around: ReadonlySet<string> = COUNTED): Set<string> {
  const bare = text.replace(/["'\\{},]/g, "").replace(/\(\((?:[^()]|\([^()]*\)){0,200}\)\)/g, " ");
  const digits = new Set(around);
  for (const [, name = ""] of bare.matchAll(NAMED)) digits.delete(name);
  return digits;
}

/** Bash counts out whatever is put into these, and so runs the subscripts in it. */
export const INTEGERS: ReadonlySet<string> = new Set("BASHPID HISTCMD LINENO OPTIND RANDOM SECONDS SRANDOM".split(" "));

/** Whether a script gives these variables numbers and nothing else. One that it does not set may hold anything. */
export function holdNumbers(
  names: Iterable<string>,
  { sets, digits }: { sets: readonly Assigned[]; digits: ReadonlySet<string> },
): boolean {
  const held = new Map<string, boolean>();
  for (const { name, value } of sets) held.set(name, (held.get(name) ?? true) && isNumber(value));
  return [...names].every((name) => digits.has(name) || (held.get(name) === true && !isFilledByShell(name)));
}

export function isNumber(word: Word): boolean {
  return isDigits(word) || (word.kind === "plain" && /^[-+]?\d*$/.test(word.text));
}
