import { type Message, say } from "../messages/message.ts";
import { textOf } from "../messages/text.ts";

/** A value that survives JSON unchanged. Everything Leeway hashes, seals or stores is one of these. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export const DEPTH_MAX = 64;

/** Where and why a value is not JSON: in English, and as a message for other languages. */
type JsonFault = { ok: false; where: string; why: string; said: Message };

/**
 * Copies an untrusted JavaScript value as plain JSON, or says where it is not JSON. Nothing is dropped silently: an
 * `undefined` in a list, a Date, a cycle or an unsafe number is an error, because otherwise a reviewer could approve
 * something else than what runs.
 */
export function toJson(value: unknown): { ok: true; value: Json } | JsonFault {
  const place: Place = { keys: [], above: [] };
  try {
    return { ok: true, value: copy(value, place) };
  } catch (error) {
    if (error instanceof NotJson) return fault(pointerTo(place.keys), error.why);
    // A getter or a proxy of the program threw while it was read.
    return fault("", say("json.unreadable", { error: error instanceof Error ? error.message : typeof error }));
  }
}

/**
 * Counts the keys of a value that `JSON.parse` just made and nobody else uses; or says where it is not acceptable.
 * The same errors as `toJson`, in one pass and without a copy.
 */
export function keysIn(value: unknown): { ok: true; keys: number } | JsonFault {
  const place: (string | number)[] = [];
  try {
    return { ok: true, keys: counted(value, place) };
  } catch (error) {
    if (error instanceof NotJson) return fault(pointerTo(place), error.why);
    throw error;
  }
}

function counted(value: unknown, place: (string | number)[]): number {
  if (place.length > DEPTH_MAX) throw new NotJson(say("json.too_deep", { max: DEPTH_MAX }));
  if (typeof value === "string") text(value);
  else if (typeof value === "number") number(value);
  if (typeof value !== "object" || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      place.push(i);
      keys += counted(value[i], place);
      place.pop();
    }
    return keys;
  }
  for (const key of Object.keys(value)) {
    if (!key.isWellFormed()) throw new NotJson(say("json.key_half_surrogate"));
    place.push(key);
    keys += 1 + counted((value as Record<string, unknown>)[key], place);
    place.pop();
  }
  return keys;
}

/** The current position: the keys that lead there and the enclosing values. Turned into text only for an error. */
type Place = { keys: (string | number)[]; above: object[] };

class NotJson extends Error {
  readonly why: Message;
  constructor(why: Message) {
    super(why.say);
    this.why = why;
  }
}

function copy(value: unknown, place: Place): Json {
  if (place.above.length > DEPTH_MAX) throw new NotJson(say("json.too_deep", { max: DEPTH_MAX }));
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return text(value);
  if (typeof value === "number") return number(value);
  if (typeof value !== "object") throw new NotJson(say("json.not_json", { kind: typeof value }));
  if (place.above.includes(value)) throw new NotJson(say("json.contains_itself"));
  place.above.push(value);
  const copied = Array.isArray(value) ? list(value, place) : object(value, place);
  place.above.pop();
  return copied;
}

function text(value: string): string {
  if (!value.isWellFormed()) throw new NotJson(say("json.half_surrogate"));
  return value;
}

function number(value: number): number {
  if (!Number.isFinite(value)) throw new NotJson(say("json.not_json_number", { number: value }));
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new NotJson(say("json.number_not_exact", { number: value }));
  }
  return Object.is(value, -0) ? 0 : value;
}

function list(value: readonly unknown[], place: Place): Json {
  const items: Json[] = [];
  for (let i = 0; i < value.length; i++) {
    place.keys.push(i);
    items.push(copy(value[i], place));
    place.keys.pop();
  }
  return items;
}

function object(value: object, place: Place): Json {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new NotJson(say("json.not_plain", { kind: prototype?.constructor?.name ?? say("json.an_object") }));
  }
  // Without a prototype, so that a key named `__proto__` is an ordinary key.
  const copied: Record<string, Json> = Object.create(null);
  for (const key of Object.keys(value)) {
    if (!key.isWellFormed()) throw new NotJson(say("json.key_half_surrogate"));
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    place.keys.push(key);
    copied[key] = copy(member, place);
    place.keys.pop();
  }
  return copied;
}

function pointerTo(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function fault(where: string, said: Message): JsonFault {
  return { ok: false, where: where === "" ? "/" : where, why: textOf(said, "en"), said };
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** RFC 6901: the value a JSON pointer leads to, or undefined. */
export function atPointer(value: Json, pointer: string): Json | undefined {
  if (pointer === "") return value;
  let here: Json | undefined = value;
  for (const raw of pointer.slice(1).split("/")) {
    const key = raw.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(here)) here = /^(0|[1-9]\d*)$/.test(key) ? here[Number(key)] : undefined;
    else if (isObject(here)) here = Object.hasOwn(here, key) ? here[key] : undefined;
    else return undefined;
  }
  return here;
}
