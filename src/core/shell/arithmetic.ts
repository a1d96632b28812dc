import type { ArithmeticExpression, ParsedScript, Word as Written } from "unbash";
import { say } from "../messages/message.ts";
import { type Assigned, isDigits, type Word } from "./script.ts";
import { printedBy } from "./substitution-output.ts";

export const ARITHMETIC = say("note.arithmetic_may_run");

/** What an expression does: the variables it reads, those it sets, and whether it does nothing else (`clear`). */
export type Counting = { looks: readonly string[]; sets: readonly string[]; clear: boolean };

/** Arithmetic runs commands in the subscripts of its variables, and of their values. */
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

/** One side of a numeric comparison in `[[ … ]]`. */
export function countingSide({ text, parts }: Written): Counting {
  const [only] = parts?.[0]?.type === "DoubleQuoted" ? parts[0].parts : (parts ?? []);
  if (only?.type === "CommandExpansion" && /^"?[$`]/.test(text) && text.replaceAll('"', "") === only.text)
    return printsDigits(only.script) ? NOTHING : UNCLEAR;
  const bare = text.replace(/^"([^"]*)"$/, "$1");
  return /^[-+]?\d+$/.test(bare) ? { looks: [], sets: [], clear: true } : countingWord(bare);
}

/** True if an expression contains only numbers and operators: then it reads nothing that could have a subscript. */
export function isCounting(expression: string): boolean {
  const inner = /^\$\(\(([\s\S]*)\)\)$|^\$\[([\s\S]*)\]$/.exec(expression);
  const text = inner?.[1] ?? inner?.[2] ?? expression;
  return /^[\d\s+*/%<>=!&|^~?:,()-]*$/.test(
    text.replace(/\b0[xX][\dA-Fa-f]+\b/g, "0").replace(/\$[?#$!](?![\w{[])/g, "0"),
  );
}

/** The value of an expression if its numbers are written out or known from variables; undefined otherwise. */
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

/** With a leading zero bash reads the digits as octal, and more digits are not exact in JavaScript. */
const DECIMAL = /^(0|-?[1-9]\d{0,14})$/;

function exact(operator: string, left: number, right: number): number | undefined {
  const result = operator === "+" ? left + right : operator === "-" ? left - right : left * right;
  return /^[-+*]$/.test(operator) && Number.isSafeInteger(result) ? result : undefined;
}

/** A subscript, or the bounds of a substring: bash evaluates these as arithmetic too. */
export function countingText(text: string): Counting {
  // The values of `$1`, `$@` or `$-` are never known, and bash runs the subscripts in them.
  const plainly = /^[\w\s+*/%:@$-]*$/.test(text) && !/\$(?![A-Za-z_?#$!])/.test(text);
  return { looks: [...text.matchAll(/[A-Za-z_]\w*/g)].map(([name]) => name), sets: [], clear: plainly };
}

function both(a: Counting, b: Counting): Counting {
  return { looks: [...a.looks, ...b.looks], sets: [...a.sets, ...b.sets], clear: a.clear && b.clear };
}

/** Variables that the shell sets, to digits as long as the script does not set them. `$!` is empty before the first job. */
const COUNTED: ReadonlySet<string> = new Set(
  "? # $ RANDOM SECONDS LINENO UID EUID PPID BASHPID EPOCHSECONDS".split(" "),
);

const NAMED = /(?<![$\w])(RANDOM|SECONDS|LINENO|UID|EUID|PPID|BASHPID|EPOCHSECONDS)(?!\w)(?!=\d+(?![^\s;&|)]))/g;

/**
 * The variables of `COUNTED` that contain digits throughout a script. After `unset` or a new declaration such a variable is
 * an ordinary one, so a variable that the script uses in any way except reading it or setting it to digits is left out.
 * Quotes are removed first, because bash removes them from names too.
 */
export function digitsIn(text: string, around: ReadonlySet<string> = COUNTED): Set<string> {
  const bare = text.replace(/["'\\{},]/g, "").replace(/\(\((?:[^()]|\([^()]*\)){0,200}\)\)/g, " ");
  const digits = new Set(around);
  for (const [, name = ""] of bare.matchAll(NAMED)) digits.delete(name);
  return digits;
}

/** Bash evaluates whatever is assigned to these, and so runs the subscripts in it. */
export const INTEGERS: ReadonlySet<string> = new Set("BASHPID HISTCMD LINENO OPTIND RANDOM SECONDS SRANDOM".split(" "));

/** Whether a script assigns only numbers to these variables. A variable that it does not set may contain anything. */
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

/** Variables that the shell sets by itself, so that a value from a script does not last. */
const FILLED: ReadonlySet<string> = new Set(
  (
    "_ OLDPWD DIRSTACK PIPESTATUS GROUPS FUNCNAME UID EUID PPID RANDOM SRANDOM SECONDS EPOCHSECONDS EPOCHREALTIME LINENO " +
    "LINES COLUMNS HISTCMD OPTARG OPTIND SHELLOPTS BASHOPTS BASHPID BASH_ARGC BASH_ARGV BASH_ARGV0 BASH_COMMAND " +
    "BASH_LINENO BASH_REMATCH BASH_SOURCE BASH_SUBSHELL BASH_VERSINFO"
  ).split(" "),
);

export function isFilledByShell(name: string): boolean {
  return FILLED.has(name);
}
