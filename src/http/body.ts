import type { IncomingMessage } from "node:http";
import { isObject, type Json, toJson } from "../core/values/json.ts";
import { numberFault } from "../core/values/json-text.ts";
import { badInput, LeewayRefusal } from "../library/refusal.ts";

/** The arguments of a call may be a megabyte, and JSON may write a letter with six. */
export const BODY_BYTES_MAX = 8 * 1024 * 1024;
/** Whoever proved nothing has little to say: a name and a passphrase, or what a passkey signed. */
export const STRANGERS_BYTES_MAX = 64 * 1024;

export type Taking = {
  bytesMax: number;
  kinds: readonly ("json" | "form")[];
  /** Waits until a body of this length may be read: what follows takes the longer, the longer it is. */
  turn(bytes: number): Promise<void>;
};

/** The body as JSON, whether it was sent as such or as a form; nothing where there is none. */
export async function bodyOf(request: IncomingMessage, { bytesMax, kinds, turn }: Taking): Promise<Json | undefined> {
  const kind = (request.headers["content-type"] ?? "nothing").split(";")[0]?.trim().toLowerCase();
  const bytes = await bytesOf(request, bytesMax);
  await turn(bytes.length);
  if (bytes.length === 0) return undefined;
  const text = decoded(bytes);
  if (kind === "application/json" && kinds.includes("json")) return parsedJson(text);
  if (kind === "application/x-www-form-urlencoded" && kinds.includes("form")) return fieldsOf(text);
  throw badInput("content-type", `${kind} is not understood here`, "send application/json");
}

/** Reads no more than it may. What is still on its way is let through unread: whoever sends it gets to read why. */
function bytesOf(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
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
      if (!request.complete) reject(badInput("body", "the connection ended before the body did", "send it again"));
    };
    request.on("error", cut).on("close", cut);
  });
}

function tooLarge(bytesMax: number): LeewayRefusal {
  const reason = `the body is larger than ${bytesMax} bytes`;
  return new LeewayRefusal({ code: "LEEWAY_TOO_LARGE", reason, hint: "send less, or a reference to a file" });
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

function decoded(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch (error) {
    throw new LeewayRefusal(
      { code: "LEEWAY_BAD_INPUT", reason: "the body is not UTF-8", hint: "send UTF-8" },
      { cause: error },
    );
  }
}

/** JSON in which no key stands twice: two readers would see two different things in it. */
function parsedJson(text: string): Json {
  const { keys, values } = written(text);
  if (values > VALUES_MAX) throw tooMany();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw badInput("body", `it is not JSON: ${why}`, "send one JSON value");
  }
  refuseLost(text);
  const copied = toJson(value);
  if (!copied.ok) throw badInput(`body${copied.where === "/" ? "" : copied.where}`, copied.why, "send plain JSON");
  if (keys !== keysIn(copied.value)) throw badInput("body", "an object has the same key twice", "write every key once");
  return copied.value;
}

/** A number that would be rounded is another one than was sent. */
function refuseLost(text: string): void {
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfText(text, at + 1);
    if (sign < ZERO || sign > NINE) continue;
    DIGITS.lastIndex = at;
    const [digits = ""] = DIGITS.exec(text) ?? [];
    const lost = numberFault(digits);
    if (lost !== undefined) throw badInput("body", lost, "send numbers as they are, longer ones as text");
    at += digits.length - 1;
  }
}

const DIGITS = /[\d.eE+-]+/y;
const [ZERO = 0, NINE = 0] = [..."09"].map((sign) => sign.charCodeAt(0));

/** Every value is looked at several times, and nobody else is answered meanwhile. */
const VALUES_MAX = 50_000;

function tooMany(): LeewayRefusal {
  const reason = `the body holds more than ${VALUES_MAX} values`;
  return new LeewayRefusal({ code: "LEEWAY_TOO_LARGE", reason, hint: "send less, or a reference to a file" });
}

const [QUOTE, BACKSLASH, COLON, COMMA, LIST, OBJECT] = [...'"\\:,[{'].map((sign) => sign.charCodeAt(0));

/** How much there is, before any of it is made. In valid JSON a colon outside of texts stands behind a key. */
function written(text: string): { keys: number; values: number } {
  let keys = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfText(text, at + 1);
    else if (sign === COLON) keys++;
    else if (sign === COMMA || sign === LIST || sign === OBJECT) values++;
  }
  return { keys, values };
}

function endOfText(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

function keysIn(value: Json): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item: Json) => sum + keysIn(item), 0);
  if (!isObject(value)) return 0;
  return Object.values(value).reduce((sum: number, item: Json) => sum + 1 + keysIn(item), 0);
}

/** A form's fields; a field that stands more than once is a list. */
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
