import { isAscii } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { say } from "../../core/messages/message.ts";
import { type Json, keysIn, toJson } from "../../core/values/json.ts";
import { numberFault } from "../../core/values/json-text.ts";
import { badInput, LeewayRefusal } from "../../service/refusal.ts";

/** The arguments of a call may have a megabyte, and JSON can write one character with six. */
export const BODY_BYTES_MAX = 8 * 1024 * 1024;
/** A client that is not signed in sends only a name and a passphrase, or the answer of a passkey. */
export const STRANGERS_BYTES_MAX = 64 * 1024;

/** The body as JSON, sent as JSON or as a form; undefined if there is none. */
export function bodyOf(bytes: Buffer, type: string | undefined, kinds: readonly ("json" | "form")[]): Json | undefined {
  if (bytes.length === 0) return undefined;
  const text = decoded(bytes);
  if (type === "application/json") return parsedJson(text);
  const [kind = ""] = (type ?? "nothing")
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  if (kind === "application/json" && kinds.includes("json")) return parsedJson(text);
  if (kind === "application/x-www-form-urlencoded" && kinds.includes("form")) return fieldsOf(text);
  throw badInput("content-type", say("refusal.content_type", { kind }), say("hint.send_json"));
}

/** Reads at most the limit. The rest is received but thrown away, so that the client can read the refusal. */
export function bytesOf(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = Number(request.headers["content-length"] ?? 0);
  if (length > bytesMax) return Promise.reject(tooLarge(bytesMax));
  length = 0;
  return new Promise((resolve, reject) => {
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > bytesMax) reject(tooLarge(bytesMax));
      else chunks.push(chunk);
    });
    request.on("end", () =>
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)),
    );
    const cut = () => {
      if (!request.complete) reject(badInput("body", say("refusal.connection_ended"), say("hint.send_again")));
    };
    request.on("error", cut).on("close", cut);
  });
}

function tooLarge(bytesMax: number): LeewayRefusal {
  const reason = say("refusal.body_too_large", { bytes: bytesMax });
  return new LeewayRefusal({ code: "LEEWAY_TOO_LARGE", reason, hint: say("hint.send_less") });
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

function decoded(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString("latin1");
  try {
    return UTF8.decode(bytes);
  } catch (error) {
    throw new LeewayRefusal(
      { code: "LEEWAY_BAD_INPUT", reason: say("refusal.body_not_utf8"), hint: say("hint.send_utf8") },
      { cause: error },
    );
  }
}

/**
 * JSON without repeated keys, because two programs could read those differently. Nobody else has a reference to the parsed
 * value, so it is checked once and not copied.
 */
function parsedJson(text: string): Json {
  const { keys, values, hasLong, hasMinusZero } = written(text);
  if (values > VALUES_MAX) throw tooMany();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw badInput("body", say("refusal.not_json", { why }), say("hint.one_json_value"));
  }
  if (hasLong) refuseLost(text);
  const found = keysIn(value);
  if (!found.ok) throw badInput(`body${found.where === "/" ? "" : found.where}`, found.said, say("hint.plain_json"));
  if (keys !== found.keys) throw badInput("body", say("refusal.same_key_twice"), say("hint.each_key_once"));
  return hasMinusZero ? withoutMinusZero(value) : (value as Json);
}

/** Minus zero equals zero, and would be written as zero. */
function withoutMinusZero(value: unknown): Json {
  const copied = toJson(value);
  if (!copied.ok) throw new Error(`the checked body is not JSON: ${copied.why} (this is a bug)`);
  return copied.value;
}

/** A number that would be rounded is not the number that was sent. */
function refuseLost(text: string): void {
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfText(text, at + 1);
    if (sign < ZERO || sign > NINE) continue;
    DIGITS.lastIndex = at;
    const [digits = ""] = DIGITS.exec(text) ?? [];
    const lost = numberFault(digits);
    if (lost !== undefined) throw badInput("body", lost, say("hint.numbers_as_they_are"));
    at += digits.length - 1;
  }
}

const DIGITS = /[\d.eE+-]+/y;

/** Every value is checked several times, and meanwhile nobody else is answered. */
const VALUES_MAX = 50_000;

function tooMany(): LeewayRefusal {
  const reason = say("refusal.too_many_values", { count: VALUES_MAX });
  return new LeewayRefusal({ code: "LEEWAY_TOO_LARGE", reason, hint: say("hint.send_less") });
}

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = "\\".charCodeAt(0);
const COLON = ":".charCodeAt(0);
const COMMA = ",".charCodeAt(0);
const LIST = "[".charCodeAt(0);
const OBJECT = "{".charCodeAt(0);
const MINUS = "-".charCodeAt(0);
const POINT = ".".charCodeAt(0);
const EXPONENTS: readonly number[] = [..."eE"].map((sign) => sign.charCodeAt(0));
const ZERO = "0".charCodeAt(0);
const NINE = "9".charCodeAt(0);

/** A whole number with at most this many digits is never rounded. */
const EXACT_DIGITS = 15;

type Written = {
  keys: number;
  values: number;
  /** There is a number that may be rounded: a long one, or one with a point or an exponent. */
  hasLong: boolean;
  hasMinusZero: boolean;
};

/** Counts the parts of the text before it is parsed. In valid JSON, a colon outside of strings follows a key. */
function written(text: string): Written {
  const found: Written = { keys: 0, values: 1, hasLong: false, hasMinusZero: false };
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfText(text, at + 1);
    else if (sign === COLON) found.keys++;
    else if (sign === COMMA || sign === LIST || sign === OBJECT) found.values++;
    else if (sign === MINUS) found.hasMinusZero ||= text.charCodeAt(at + 1) === ZERO;
    else if (sign >= ZERO && sign <= NINE) {
      const end = endOfDigits(text, at + 1);
      found.hasLong ||= end - at > EXACT_DIGITS || goesOn(text.charCodeAt(end));
      at = end - 1;
    }
  }
  return found;
}

function goesOn(sign: number): boolean {
  return sign === POINT || EXPONENTS.includes(sign);
}

function endOfDigits(text: string, from: number): number {
  let at = from;
  for (let sign = text.charCodeAt(at); sign >= ZERO && sign <= NINE; sign = text.charCodeAt(at)) at++;
  return at;
}

function endOfText(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

/** The fields of a form. A field that is sent more than once is a list. */
function fieldsOf(text: string): Json {
  const fields: Record<string, string | string[]> = Object.create(null);
  if (text.split("&", VALUES_MAX + 1).length > VALUES_MAX) throw tooMany();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields[name];
    if (before === undefined) fields[name] = value;
    else if (typeof before === "string") fields[name] = [before, value];
    else before.push(value);
  }
  return fields;
}
