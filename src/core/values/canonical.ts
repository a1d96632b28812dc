import type { Json } from "./json.ts";

/**
 * RFC 8785 canonical JSON: keys in UTF-16 order, no spaces, numbers and strings as in ECMAScript. Two values have the
 * same canonical text exactly if they are the same JSON value, so the hash of the text identifies the value.
 */
export function canonical(value: Json): string {
  if (typeof value === "string") return quoted(value);
  if (value === null || typeof value !== "object") return String(value);
  return Array.isArray(value) ? list(value) : object(value as { readonly [key: string]: Json });
}

const frozen = new WeakMap<object, string>();

/** The text of an immutable value, computed once because many bodies contain it. */
export function canonicalFrozen(value: { readonly [key: string]: Json }): string {
  const known = frozen.get(value);
  if (known !== undefined) return known;
  const text = canonical(value);
  if (Object.isFrozen(value)) frozen.set(value, text);
  return text;
}

function list(items: readonly Json[]): string {
  let text = "[";
  for (let i = 0; i < items.length; i++) text += (i === 0 ? "" : ",") + canonical(items[i] as Json);
  return text + "]";
}

function object(members: { readonly [key: string]: Json }): string {
  let text = "";
  for (const key of inOrder(Object.keys(members))) {
    const member = members[key];
    if (member === undefined) continue;
    text += (text === "" ? "{" : ",") + named(key) + canonical(member);
  }
  return text === "" ? "{}" : text + "}";
}

const names = new Map<string, string>();
const NAMES_MAX = 1_000;

/** The same few keys appear in every value; the cache has a limit, so that many unknown keys cannot fill memory. */
function named(key: string): string {
  const known = names.get(key);
  if (known !== undefined) return known;
  const text = quoted(key) + ":";
  if (names.size < NAMES_MAX && key.length < SHORT) names.set(key, text);
  return text;
}

/** Most keys are already in order, and checking is cheaper than sorting. */
function inOrder(keys: string[]): string[] {
  for (let i = 1; i < keys.length; i++) if ((keys[i - 1] as string) > (keys[i] as string)) return keys.sort();
  return keys;
}

const NOTHING_TO_ESCAPE = /^[ !#-[\]-~]*$/;
const SHORT = 64;

/** Most texts are short and plain, and need no serializer. */
function quoted(text: string): string {
  return text.length < SHORT && NOTHING_TO_ESCAPE.test(text) ? `"${text}"` : JSON.stringify(text);
}
