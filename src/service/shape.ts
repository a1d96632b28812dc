import type { JsonObject } from "../core/values/json.ts";
import { nearest } from "../core/values/nearest.ts";
import { badInput, type LeewayRefusal } from "./refusal.ts";

// What a program hands over is looked at key by key: a mistyped bound that is dropped would loosen in silence.

/** Throws with the place of what is wrong; otherwise does nothing. What it wants is said as JSON Schema, for documents. */
export type Check = ((value: unknown, path: string) => void) & { schema?: JsonObject; optional?: true };

function saying(schema: JsonObject, check: (value: unknown, path: string) => void): Check {
  return Object.assign(check, { schema });
}

/** A check for each key there may be. One that is not `maybe` has to be there. */
export type Shape<T> = { readonly [K in keyof T]-?: Check };

/** The input as far as anybody will look at it: a copy of exactly these keys, each as it was checked. */
export function checked<T extends object>(input: T, shape: Shape<T>, path = ""): T {
  const given = shaped(input, Object.keys(shape), path);
  const copy: Record<string, unknown> = {};
  for (const [key, check] of Object.entries<Check>(shape)) {
    const value = given[key];
    check(value, inside(path, key));
    if (value !== undefined) copy[key] = value;
  }
  return copy as T;
}

/** The same where nobody takes a copy: for what cannot change between two looks, such as JSON that was parsed here. */
export function look(input: unknown, shape: { readonly [key: string]: Check }, path = ""): void {
  if (!isKeyed(input)) throw notKeyed(Object.keys(shape), path);
  for (const key of Object.keys(input)) {
    if (!Object.hasOwn(shape, key)) throw unknownKey(key, Object.keys(shape), path);
  }
  for (const key in shape) {
    const value = Object.hasOwn(input, key) ? input[key] : undefined;
    (shape[key] as Check)(value, inside(path, key));
  }
}

/** An object with none but these keys. `path` is where it is, nothing at the top. */
export function shaped(input: unknown, known: readonly string[], path = ""): Record<string, unknown> {
  if (!isKeyed(input)) throw notKeyed(known, path);
  for (const key of Object.keys(input)) if (!known.includes(key)) throw unknownKey(key, known, path);
  return { ...input };
}

function isKeyed(input: unknown): input is { readonly [key: string]: unknown } {
  return typeof input === "object" && input !== null && !Array.isArray(input);
}

function notKeyed(known: readonly string[], path: string): LeewayRefusal {
  return badInput(path === "" ? "/" : path, "an object is expected", `its keys are ${known.join(", ")}`);
}

function unknownKey(key: string, known: readonly string[], path: string): LeewayRefusal {
  const meant = nearest(key, known);
  const hint = meant === undefined ? `the keys are ${known.join(", ")}` : `did you mean ${meant}?`;
  return badInput(inside(path, key), "unknown key", hint);
}

export function inside(path: string, key: string | number): string {
  return path === "" ? `${key}` : `${path}/${key}`;
}

export const NAME_LENGTH_MAX = 512;
export const NOTE_LENGTH_MAX = 2_000;

/** Whole characters, at least one. */
export function textOf(value: unknown, path: string, max = NAME_LENGTH_MAX): string {
  const given = wordsOf(value, path, max);
  if (given === "") throw badInput(path, "it is 0 characters long", `give 1 to ${max} characters`);
  return given;
}

function wordsOf(value: unknown, path: string, max: number): string {
  if (typeof value !== "string") throw badInput(path, `${kindOf(value)} is not text`, "give a text");
  if (value.length > max) {
    throw badInput(path, `it is ${value.length} characters long`, `give at most ${max} characters`);
  }
  if (!value.isWellFormed()) throw badInput(path, "the text holds half of a surrogate pair", "give whole characters");
  return value;
}

export const text: Check = saying(
  { type: "string", minLength: 1, maxLength: NAME_LENGTH_MAX },
  (value, path) => void textOf(value, path),
);
/** Why: a sentence that has to be there. */
export const reason: Check = saying(
  { type: "string", minLength: 1, maxLength: NOTE_LENGTH_MAX },
  (value, path) => void textOf(value, path, NOTE_LENGTH_MAX),
);
/** The same, where nothing may be said. */
export const note: Check = saying(
  { type: "string", maxLength: NOTE_LENGTH_MAX },
  (value, path) => void wordsOf(value, path, NOTE_LENGTH_MAX),
);
/** Whatever a tool said, however long. */
export const anyText: Check = saying(
  { type: "string" },
  (value, path) => void wordsOf(value, path, Number.POSITIVE_INFINITY),
);

export const flag: Check = saying({ type: "boolean" }, (value, path) => {
  if (typeof value === "boolean") return;
  throw badInput(path, `${kindOf(value)} is neither true nor false`, "say true or false");
});

/** A whole number from `min` on. */
export function wholeOf(value: unknown, path: string, min: number): number {
  if (Number.isSafeInteger(value) && (value as number) >= min) return value as number;
  const found = typeof value === "number" ? String(value) : kindOf(value);
  throw badInput(path, `${found} is not a whole number from ${min} on`, "give one");
}

export function whole(min: number): Check {
  return saying({ type: "integer", minimum: min }, (value, path) => void wholeOf(value, path, min));
}

/** One of these words. */
export function oneOf(words: readonly string[]): Check {
  return saying({ type: "string", enum: words }, (value, path) => {
    if (typeof value === "string" && words.includes(value)) return;
    const meant = typeof value === "string" ? nearest(value, words) : undefined;
    const hint = meant === undefined ? `use one of ${words.join(", ")}` : `did you mean ${meant}?`;
    throw badInput(path, `${typeof value === "string" ? value : kindOf(value)} is none of the words for it`, hint);
  });
}

/** Any JSON; what becomes of it is looked at where it is used. */
export const anything: Check = Object.assign(
  saying({}, () => {}),
  { optional: true as const },
);

export const callable: Check = (value, path) => {
  if (typeof value === "function") return;
  throw badInput(path, `${kindOf(value)} is not a function`, "give a function");
};

/** Left out, or as the check wants it. */
export function maybe(check: Check): Check {
  const look = saying(check.schema ?? {}, (value, path) => {
    if (value !== undefined) check(value, path);
  });
  return Object.assign(look, { optional: true as const });
}

export function listOf(check: Check, min = 0): Check {
  return saying({ type: "array", items: check.schema ?? {}, minItems: min }, (value, path) => {
    if (!Array.isArray(value)) throw badInput(path, `${kindOf(value)} is not a list`, "give a list");
    if (value.length < min) throw badInput(path, "the list is empty", `name at least ${min}`);
    for (let at = 0; at < value.length; at++) check(value[at], inside(path, at));
  });
}

export function objectLike<T extends object>(shape: Shape<T>): Check {
  return saying(schemaOf(shape), (value, path) => look(value, shape, path));
}

/** A shape as JSON Schema: what is not `maybe` has to be there, and nothing else may be. */
export function schemaOf(shape: { readonly [key: string]: Check }): JsonObject {
  const entries = Object.entries(shape);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([key, check]) => [key, check.schema ?? {}])),
    required: entries.filter(([, check]) => check.optional !== true).map(([key]) => key),
    additionalProperties: false,
  };
}

export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "number" && Number.isNaN(value)) return "NaN";
  return Array.isArray(value) ? "a list" : typeof value;
}
