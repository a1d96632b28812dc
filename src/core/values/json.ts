/** A value that survives JSON unchanged. Everything Leeway hashes, seals or stores is one of these. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export const DEPTH_MAX = 64;

type JsonFault = { ok: false; where: string; why: string };

/**
 * Takes a copy of an untrusted JavaScript value as plain JSON, or says where it is not. Nothing is dropped in
 * silence: an `undefined` in a list, a Date, a cycle or an unsafe number is a fault, because a reviewer could
 * otherwise approve something other than what runs.
 */
export function toJson(value: unknown): { ok: true; value: Json } | JsonFault {
  const place: Place = { keys: [], above: [] };
  try {
    return { ok: true, value: copy(value, place) };
  } catch (error) {
    if (error instanceof NotJson) return fault(pointerTo(place.keys), error.message);
    // A getter or a proxy of the program's own threw while it was read.
    return fault("", `it cannot be read: ${error instanceof Error ? error.message : typeof error}`);
  }
}

/**
 * How many keys there are in a value that `JSON.parse` just made, which nobody else has in hand; or where it is none that
 * we take. The same faults as of `toJson`, in one walk and without a copy.
 */
export function keysIn(value: unknown): { ok: true; keys: number } | JsonFault {
  const place: (string | number)[] = [];
  try {
    return { ok: true, keys: counted(value, place) };
  } catch (error) {
    if (error instanceof NotJson) return fault(pointerTo(place), error.message);
    throw error;
  }
}

function counted(value: unknown, place: (string | number)[]): number {
  if (place.length > DEPTH_MAX) throw new NotJson(`nested deeper than ${DEPTH_MAX} levels`);
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
    if (!key.isWellFormed()) throw new NotJson("a key holds half of a surrogate pair");
    place.push(key);
    keys += 1 + counted((value as Record<string, unknown>)[key], place);
    place.pop();
  }
  return keys;
}

/** Where the copying is: the keys that lead there and the values around it. Spelled out only where something is wrong. */
type Place = { keys: (string | number)[]; above: object[] };

class NotJson extends Error {}

function copy(value: unknown, place: Place): Json {
  if (place.above.length > DEPTH_MAX) throw new NotJson(`nested deeper than ${DEPTH_MAX} levels`);
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return text(value);
  if (typeof value === "number") return number(value);
  if (typeof value !== "object") throw new NotJson(`${typeof value} is not JSON`);
  if (place.above.includes(value)) throw new NotJson("the value contains itself");
  place.above.push(value);
  const copied = Array.isArray(value) ? list(value, place) : object(value, place);
  place.above.pop();
  return copied;
}

function text(value: string): string {
  if (!value.isWellFormed()) throw new NotJson("text holds half of a surrogate pair");
  return value;
}

function number(value: number): number {
  if (!Number.isFinite(value)) throw new NotJson(`${value} is not a JSON number`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new NotJson(`${value} is larger than a number can hold exactly; pass it as text`);
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
    throw new NotJson(`${prototype?.constructor?.name ?? "an object"} is not plain JSON`);
  }
  // No prototype, so that a key called `__proto__` is a key like any other.
  const copied: Record<string, Json> = Object.create(null);
  for (const key of Object.keys(value)) {
    if (!key.isWellFormed()) throw new NotJson("a key holds half of a surrogate pair");
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

function fault(where: string, why: string): JsonFault {
  return { ok: false, where: where === "" ? "/" : where, why };
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
