import { DEPTH_MAX, type Json } from "./json.ts";

/** Where a text stops being JSON that means one thing, counted from one. */
type TextFault = { ok: false; line: number; column: number; why: string };

/**
 * JSON as every door takes it. What two parsers could read differently is a fault: a key twice, a number that does not
 * fit, half of a surrogate pair, anything after the end. A key called `__proto__` is a key like any other.
 */
export function parseJsonText(text: string): { ok: true; value: Json } | TextFault {
  const reader: Reader = { text, at: 0 };
  const value = readValue(reader, 0);
  if (!value.ok) return positioned(text, value);
  skipSpace(reader);
  if (reader.at < text.length) return positioned(text, fault(reader, "something stands after the end of the value"));
  return value;
}

type Reader = { text: string; at: number };
type Fault = { ok: false; at: number; why: string };
type Read = { ok: true; value: Json } | Fault;

function readValue(r: Reader, depth: number): Read {
  if (depth > DEPTH_MAX) return fault(r, `nested deeper than ${DEPTH_MAX} levels`);
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
/** A run of plain letters; what ends it is a quote, an escape or something that may not stand there. */
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
    if (r.text[r.at] !== '"') return fault(r, "a key in quotes is missing");
    const key = readString(r);
    if (!key.ok) return key;
    if (Object.hasOwn(members, key.value))
      return { ok: false, at: start, why: `the key ${JSON.stringify(key.value)} stands twice` };
    skipSpace(r);
    if (!took(r, ":")) return fault(r, "a colon is missing");
    const value = readValue(r, depth + 1);
    if (!value.ok) return value;
    members[key.value] = value.value;
    skipSpace(r);
    if (took(r, "}")) return { ok: true, value: members };
    if (!took(r, ",")) return fault(r, "a comma or } is missing");
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
    if (!took(r, ",")) return fault(r, "a comma or ] is missing");
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
    if (r.at >= r.text.length) return { ok: false, at: start, why: "the text is not closed" };
    if (!took(r, "\\")) return fault(r, "a control character stands in a text; write it as an escape");
    const escaped = readEscape(r);
    if (escaped === undefined) return fault(r, "this escape is not JSON");
    value += escaped;
  }
  return value.isWellFormed()
    ? { ok: true, value }
    : { ok: false, at: start, why: "the text holds half of a surrogate pair" };
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
  if (digits === undefined) return fault(r, r.at >= r.text.length ? "the text ends too early" : "a value is missing");
  const value = Number(digits);
  const lost = numberFault(digits);
  if (lost !== undefined) return fault(r, lost);
  r.at += digits.length;
  return { ok: true, value: Object.is(value, -0) ? 0 : value };
}

/** Why a number, as it is written, would become another one when it is read. Nobody could see that on a card. */
export function numberFault(written: string): string | undefined {
  const value = Number(written);
  if (!Number.isFinite(value)) return `${written} is larger than any number here`;
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return `${written} is larger than a number can hold exactly; pass it as text`;
  }
  // With seventeen digits programs write every number that a computer counts with; the last ones may be theirs alone.
  const exact = digitsOf(written).length <= DIGITS_MAX && !isSmall(value, written);
  if (exact || sameNumber(written, String(value))) return undefined;
  return `${written} is more exact than a number can be; pass it as text`;
}

const DIGITS_MAX = 17;
/** Below this, numbers have fewer digits, and at last none but zero. */
const NORMAL_MIN = 2 ** -1022;

function isSmall(value: number, written: string): boolean {
  return Math.abs(value) < NORMAL_MIN && digitsOf(written) !== "";
}

/**
 * The digits that count, without sign, point, exponent and the zeros at both ends. By hand: a pattern for the zeros at the
 * end would begin anew at each zero of a long row in the middle.
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

/** The power of ten that the first digit that counts stands for. */
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

function fault(r: Reader, why: string): Fault {
  return { ok: false, at: r.at, why };
}

function positioned(text: string, { at, why }: Fault): TextFault {
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  return { ok: false, line, column: at - before.lastIndexOf("\n"), why };
}
