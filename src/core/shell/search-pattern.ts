/** The syntax of a search pattern: literal, as in plain grep, or as in `grep -E`, `grep -P` and ripgrep. */
export type Syntax = "literal" | "basic" | "extended";

/** A search for fewer specific letters than this matches nearly every line. */
const LETTERS_MIN = 2;
/** A longer pattern, or one with more alternatives, is not analysed: it may match every line. */
const PATTERN_MAX = 1024;
const ALTERNATIVES_MAX = 40;
/** A class with so many letters counts as any letter. */
const CHOICE_MIN = 3;

/**
 * Whether a pattern matches nearly every line: its weakest alternative requires fewer than two specific letters. A dot, a
 * class of letters and everything optional require none; what is not understood requires none either.
 */
export function isLoose(pattern: string, syntax: Syntax): boolean {
  if (pattern.length > PATTERN_MAX) return true;
  const lines = pattern.split("\n");
  if (syntax === "literal") return lines.some((line) => line.length < LETTERS_MIN);
  return lines.length > ALTERNATIVES_MAX || lines.some((line) => lettersSought(line, syntax) < LETTERS_MIN);
}

type Cursor = { text: string; at: number; basic: boolean; alternatives: number; unsure: boolean };

function lettersSought(text: string, syntax: "basic" | "extended"): number {
  const c: Cursor = { text, at: 0, basic: syntax === "basic", alternatives: 0, unsure: false };
  let least = alternation(c);
  // An unmatched closing bracket is a letter for some programs and an error for others.
  while (c.at < text.length && !c.unsure) {
    c.at++;
    least = Math.min(least, alternation(c));
  }
  return c.unsure || c.alternatives > ALTERNATIVES_MAX ? 0 : least;
}

/** Up to its closing bracket: the smallest requirement of its branches. */
function alternation(c: Cursor): number {
  const branches = [sequence(c)];
  while (takeSign(c, "|")) branches.push(sequence(c));
  c.alternatives += branches.length;
  const least = Math.min(...branches);
  return least < LETTERS_MIN && branches.length >= CHOICE_MIN ? 0 : least;
}

function sequence(c: Cursor): number {
  let sum = 0;
  while (c.at < c.text.length && !isSign(c, "|") && !isSign(c, ")")) {
    const letters = atom(c);
    sum += letters * repetition(c);
  }
  return sum;
}

/** An operator of the pattern language: in plain grep these have a backslash before them, elsewhere they do not. */
function isSign({ text, at, basic }: Cursor, sign: string): boolean {
  return basic ? text[at] === "\\" && text[at + 1] === sign : text[at] === sign;
}

function takeSign(c: Cursor, sign: string): boolean {
  if (!isSign(c, sign)) return false;
  c.at += c.basic ? 2 : 1;
  return true;
}

/** The minimum number of repetitions. */
function repetition(c: Cursor): number {
  let least = 1;
  for (;;) {
    const counted = (c.basic ? /\\\{(\d*)(,\d*)?\\\}/y : /\{(\d*)(,\d*)?\}/y) as RegExp;
    counted.lastIndex = c.at;
    const found = counted.exec(c.text);
    if (c.text[c.at] === "*" || isSign(c, "?")) {
      least = 0;
      c.at += c.text[c.at] === "*" || !c.basic ? 1 : 2;
    } else if (found !== null) {
      least *= Math.min(Number(found[1] ?? "0"), LETTERS_MIN);
      c.at += found[0].length;
    } else if (!takeSign(c, "+")) return least;
  }
}

/** One letter, class or group, and how many specific letters it requires. */
function atom(c: Cursor): number {
  if (takeSign(c, "(")) return group(c);
  const sign = c.text[c.at++] ?? "";
  if (sign === "\\") return escaped(c);
  if (sign === "[") return letterClass(c);
  return /[.^$*\s]/.test(sign) ? 0 : 1;
}

/** Lookarounds, which consume no letters, and settings: all except `(?i)` may change how the rest is read. */
const GROUP = /\?(?:(:|>|\||i:|P?<[A-Za-z_]\w*>|'\w+')|(=|!|<=|<!)|(i\)))/y;

function group(c: Cursor): number {
  GROUP.lastIndex = c.at;
  const found = c.basic ? null : GROUP.exec(c.text);
  const [whole = "", , looks, sets] = found ?? [];
  // `(*ACCEPT)` ends a search with success, and other settings change how the rest is read.
  if (!c.basic && found === null && /[?*]/.test(c.text[c.at] ?? "")) c.unsure = true;
  c.at += whole.length;
  if (sets !== undefined) return 0;
  const letters = alternation(c);
  if (!takeSign(c, ")")) c.at = c.text.length;
  return looks === undefined ? letters : 0;
}

/** `\x3d` is one letter in another notation; what stands for many, for a position or for an earlier match is not. */
function escaped(c: Cursor): number {
  const rest = c.text.slice(c.at);
  const coded = /^(x\{[0-9a-f]+\}|x[0-9a-f]{2}|u\{[0-9a-f]+\}|u[0-9a-f]{4})/i.exec(rest)?.[0];
  const named = /^([pP](\{[^}]*\}|[A-Za-z])|[gk][{<'][^}>']*[}>']|o\{\d+\}|N\{[^}]*\})/.exec(rest)?.[0];
  // `\Q` and `\K` change the meaning of the letters after and before them.
  if (!c.basic && /^[QEK]/.test(rest)) c.unsure = true;
  c.at += (coded ?? named ?? rest.slice(0, 1)).length;
  if (coded !== undefined) return 1;
  return named !== undefined || /^[A-Za-z0-9<>'`\s]/.test(rest) || rest === "" ? 0 : 1;
}

/** A class of one letter, in either case, is that letter; any other stands for many. */
function letterClass(c: Cursor): number {
  const found = (c.basic ? BASIC_CLASS : CLASS).exec(c.text.slice(c.at));
  if (found === null) {
    c.unsure = true;
    return 0;
  }
  c.at += found[0].length;
  const letters = found[0].slice(0, -1);
  // A nested class ends at different places in the two languages.
  if (!c.basic && /\[(?![:.=])/.test(letters)) c.unsure = true;
  return !/^\^|[\\[-]/.test(letters) && new Set(letters.toLowerCase()).size === 1 ? 1 : 0;
}

const BASIC_CLASS = /^\^?\]?(?:\[[:.=][^\]]*\]|[^\]])*\]/;
const CLASS = /^\^?\]?(?:\[[:.=][^\]]*\]|\\[\s\S]|[^\]\\])*\]/;
