/** A value that survives JSON unchanged. Everything Leeway hashes, seals or stores is one of these. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export const DEPTH_MAX = 64;

export type JsonFault = { ok: false; where: string; why: string };

/**
 * Takes a copy of an untrusted JavaScript value as plain JSON, or says where it is not. Nothing is dropped in
 * silence: an `undefined` in a list, a Date, a cycle or an unsafe number is a fault, because a reviewer could
 * otherwise approve something other than what runs.
 */
export function toJson(value: unknown): { ok: true; value: Json } | JsonFault {
  try {
    return copy(value, "", 0, new Set());
  } catch (error) {
    // A getter or a proxy of the program's own threw while it was read.
    return fault("", `it cannot be read: ${error instanceof Error ? error.message : typeof error}`);
  }
}

function copy(value: unknown, where: string, depth: number, above: Set<object>): { ok: true; value: Json } | JsonFault {
  if (depth > DEPTH_MAX) return fault(where, `nested deeper than ${DEPTH_MAX} levels`);
  if (value === null || typeof value === "boolean") return { ok: true, value };
  if (typeof value === "string") return text(value, where);
  if (typeof value === "number") return number(value, where);
  if (typeof value !== "object") return fault(where, `${typeof value} is not JSON`);
  if (above.has(value)) return fault(where, "the value contains itself");
  above.add(value);
  const copied = Array.isArray(value) ? list(value, where, depth, above) : object(value, where, depth, above);
  above.delete(value);
  return copied;
}

function text(value: string, where: string): { ok: true; value: Json } | JsonFault {
  return value.isWellFormed() ? { ok: true, value } : fault(where, "text holds half of a surrogate pair");
}

function number(value: number, where: string): { ok: true; value: Json } | JsonFault {
  if (!Number.isFinite(value)) return fault(where, `${value} is not a JSON number`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return fault(where, `${value} is larger than a number can hold exactly; pass it as text`);
  }
  return { ok: true, value: Object.is(value, -0) ? 0 : value };
}

function list(value: unknown[], where: string, depth: number, above: Set<object>) {
  const items: Json[] = [];
  for (let i = 0; i < value.length; i++) {
    const item = copy(value[i], `${where}/${i}`, depth + 1, above);
    if (!item.ok) return item;
    items.push(item.value);
  }
  return { ok: true as const, value: items };
}

function object(value: object, where: string, depth: number, above: Set<object>) {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    return fault(where, `${prototype?.constructor?.name ?? "an object"} is not plain JSON`);
  }
  // No prototype, so that a key called `__proto__` is a key like any other.
  const copied: Record<string, Json> = Object.create(null);
  for (const key of Object.keys(value)) {
    if (!key.isWellFormed()) return fault(where, "a key holds half of a surrogate pair");
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    const item = copy(member, `${where}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, depth + 1, above);
    if (!item.ok) return item;
    copied[key] = item.value;
  }
  return { ok: true as const, value: copied };
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
