import { type Message, say } from "../messages/message.ts";
import { textOf } from "../messages/text.ts";
import { DEPTH_MAX, type Json } from "./json.ts";

/** Where a text stops being JSON that means one thing, counted from one, and why: in English, and as a message. */
type TextFault = { ok: false; line: number; column: number; why: string; said: Message };

/**
 * Parses JSON from outside. Text that two parsers could read differently is an error: a duplicate key, a number that
 * does not fit, half of a surrogate pair, anything after the end. A key named `__proto__` is an ordinary key.
 */
export function parseJsonText(text: string): { ok: true; value: Json } | TextFault {
  const reader: Reader = { text, at: 0 };
  const value = readValue(reader, 0);
  if (!value.ok) return positioned(text, value);
  skipSpace(reader);
  if (reader.at < text.length) return positioned(text, fault(reader, say("json.after_end")));
  return value;
}

type Reader = { text: string; at: number };
type Fault = { ok: false; at: number; why: Message };
type Read = { ok: true; value: Json } | Fault;

function readValue(r: Reader, depth: number): Read {
  if (depth > DEPTH_MAX) return fault(r, say("json.too_deep", { max: DEPTH_MAX }));
  skipSpace(r);
  const char = r.text[r.at];
  if (char === '"') return readString(r);
  if (char === "{") return readObject(r, depth);
  if (char === "[") return readList(r, depth);
  for (const [word, value] of WORDS) {
    if (r.text.startsWith(word, r.at)) {
      r.at += word.length;
      return { ok: true, value };
    }
  }
  return readNumber(r);
}

const WORDS: readonly (readonly [string, Json])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];
const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** A run of plain characters; it ends with a quote, an escape or an invalid character. */
const PLAIN = /[^"\\\u0000-\u001F]*/y;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

function readObject(r: Reader, depth: number): Read {
  const members: Record<string, Json> = Object.create(null);
  r.at++;
  skipSpace(r);
  if (took(r, "}")) return { ok: true, value: members };
  for (;;) {
    skipSpace(r);
    const start = r.at;
    if (r.text[r.at] !== '"') return fault(r, say("json.key_missing"));
    const key = readString(r);
    if (!key.ok) return key;
    if (Object.hasOwn(members, key.value))
      return { ok: false, at: start, why: say("json.key_twice", { key: JSON.stringify(key.value) }) };
    skipSpace(r);
    if (!took(r, ":")) return fault(r, say("json.colon_missing"));
    const value = readValue(r, depth + 1);
    if (!value.ok) return value;
    members[key.value] = value.value;
    skipSpace(r);
    if (took(r, "}")) return { ok: true, value: members };
    if (!took(r, ",")) return fault(r, say("json.comma_or_brace"));
  }
}

function readList(r: Reader, depth: number): Read {
  const items: Json[] = [];
  r.at++;
  skipSpace(r);
  if (took(r, "]")) return { ok: true, value: items };
  for (;;) {
    const value = readValue(r, depth + 1);
    if (!value.ok) return value;
    items.push(value.value);
    skipSpace(r);
    if (took(r, "]")) return { ok: true, value: items };
    if (!took(r, ",")) return fault(r, say("json.comma_or_bracket"));
  }
}

function readString(r: Reader): { ok: true; value: string } | Fault {
  const start = r.at++;
  let value = "";
  for (;;) {
    PLAIN.lastIndex = r.at;
    const plain = PLAIN.exec(r.text)?.[0] ?? "";
    value += plain;
    r.at += plain.length;
    if (took(r, '"')) break;
    if (r.at >= r.text.length) return { ok: false, at: start, why: say("json.text_not_closed") };
    if (!took(r, "\\")) return fault(r, say("json.control_character"));
    const escaped = readEscape(r);
    if (escaped === undefined) return fault(r, say("json.escape"));
    value += escaped;
  }
  return value.isWellFormed() ? { ok: true, value } : { ok: false, at: start, why: say("json.half_surrogate") };
}

function readEscape(r: Reader): string | undefined {
  const char = r.text[r.at] ?? "";
  const simple = ESCAPES.get(char);
  if (simple !== undefined) {
    r.at++;
    return simple;
  }
  const hex = char === "u" ? /^[0-9a-fA-F]{4}/.exec(r.text.slice(r.at + 1, r.at + 5)) : null;
  if (hex === null) return undefined;
  r.at += 5;
  return String.fromCharCode(Number.parseInt(hex[0], 16));
}

function readNumber(r: Reader): Read {
  NUMBER.lastIndex = r.at;
  const digits = NUMBER.exec(r.text)?.[0];
  if (digits === undefined) return fault(r, r.at >= r.text.length ? say("json.ends_early") : say("json.value_missing"));
  const value = Number(digits);
  const lost = numberFault(digits);
  if (lost !== undefined) return fault(r, lost);
  r.at += digits.length;
  return { ok: true, value: Object.is(value, -0) ? 0 : value };
}

/** Why a number would change when it is parsed. Nobody could see that on a card. */
export function numberFault(written: string): Message | undefined {
  const value = Number(written);
  if (!Number.isFinite(value)) return say("json.number_too_large", { number: written });
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return say("json.number_not_exact", { number: written });
  }
  // Programs print numbers with up to seventeen digits; the last digits may be rounding.
  const exact = digitsOf(written).length <= DIGITS_MAX && !isSmall(value, written);
  if (exact || sameNumber(written, String(value))) return undefined;
  return say("json.number_too_exact", { number: written });
}

const DIGITS_MAX = 17;
/** Below this, numbers have fewer digits, and finally only zero. */
const NORMAL_MIN = 2 ** -1022;

function isSmall(value: number, written: string): boolean {
  return Math.abs(value) < NORMAL_MIN && digitsOf(written) !== "";
}

/**
 * The significant digits, without sign, point, exponent and outer zeros. Without a regular expression, which would
 * start again at each zero of a long row in the middle.
 */
function digitsOf(written: string): string {
  const digits = written.replace(/[eE].*$/, "").replace(/[-.]/g, "");
  let [from, to] = [0, digits.length];
  while (from < to && digits[from] === "0") from++;
  while (to > from && digits[to - 1] === "0") to--;
  return digits.slice(from, to);
}

function sameNumber(a: string, b: string): boolean {
  return digitsOf(a) === digitsOf(b) && (digitsOf(a) === "" || scaleOf(a) === scaleOf(b));
}

/** The power of ten of the first significant digit. */
function scaleOf(written: string): number {
  const [, whole = "", part = "", power = "0"] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? [];
  const first = `${whole}${part}`.search(/[1-9]/);
  return Number(power) + whole.length - 1 - first;
}

function skipSpace(r: Reader): void {
  SPACE.lastIndex = r.at;
  r.at += SPACE.exec(r.text)?.[0].length ?? 0;
}

function took(r: Reader, char: string): boolean {
  if (r.text[r.at] !== char) return false;
  r.at++;
  return true;
}

function fault(r: Reader, why: Message): Fault {
  return { ok: false, at: r.at, why };
}

function positioned(text: string, { at, why }: Fault): TextFault {
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  return { ok: false, line, column: at - before.lastIndexOf("\n"), why: textOf(why, "en"), said: why };
}
