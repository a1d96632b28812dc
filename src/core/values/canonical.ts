import type { Json } from "./json.ts";

/**
 * RFC 8785 canonical JSON: keys in UTF-16 order, no space, numbers and strings as ECMAScript writes them. Two values
 * have one canonical text exactly when they are the same JSON value, so its hash can stand for the value.
 */
export function canonical(value: Json): string {
  if (typeof value === "string") return quoted(value);
  if (value === null || typeof value !== "object") return String(value);
  return Array.isArray(value) ? list(value) : object(value as { readonly [key: string]: Json });
}

const frozen = new WeakMap<object, string>();

/** The text of a value that never changes: what many bodies hold is written out once. */
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

/** The same few names come again in every value; a flood of strange ones takes no more room than this. */
function named(key: string): string {
  const known = names.get(key);
  if (known !== undefined) return known;
  const text = quoted(key) + ":";
  if (names.size < NAMES_MAX && key.length < SHORT) names.set(key, text);
  return text;
}

/** Most keys are in order already, and looking is cheaper than sorting. */
function inOrder(keys: string[]): string[] {
  for (let i = 1; i < keys.length; i++) if ((keys[i - 1] as string) > (keys[i] as string)) return keys.sort();
  return keys;
}

const NOTHING_TO_ESCAPE = /^[ !#-[\]-~]*$/;
const SHORT = 64;

/** Short plain text, which is most of it, needs no serialiser. */
function quoted(text: string): string {
  return text.length < SHORT && NOTHING_TO_ESCAPE.test(text) ? `"${text}"` : JSON.stringify(text);
}
