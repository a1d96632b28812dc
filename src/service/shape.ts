import { say } from "../core/messages/message.ts";
import { isObject, type Json, type JsonObject, toJson } from "../core/values/json.ts";
import { nearest } from "../core/values/nearest.ts";
import { badInput, type LeewayRefusal } from "./refusal.ts";

// Input is described once. The description gives the TypeScript type, the check, which names the place of an error and
// suggests the nearest word, and the JSON Schema. If a misspelled key were ignored, a limit could be lost silently, so an
// object may have only the keys of its description.

/**
 * A program can still change the values that it passes, so they are copied, and free JSON in them is checked. JSON that was
 * parsed here cannot be changed by others, and needs no check.
 */
type Source = "program" | "parsed";

export type Shape<T> = {
  /** The JSON Schema. */
  readonly schema: JsonObject;
  /** The key may be left out. */
  readonly optional?: true;
  /** Returns the checked value, or throws a refusal with its path. */
  read(value: unknown, path: string, source: Source): T;
};

/** The type that a shape describes. */
export type TypeOf<S> = S extends Shape<infer T> ? T : never;

/** Checks a value of a program. `path` is its place; empty at the top. */
export function parse<T>(shape: Shape<T>, value: unknown, path = ""): T {
  return shape.read(value, path, "program");
}

/** The same for JSON that was parsed here, without copying it. */
export function parseJson<T>(shape: Shape<T>, value: Json, path = ""): T {
  return shape.read(value, path, "parsed");
}

/** Makes a shape from a schema and a check. */
export function shapeOf<T>(schema: JsonObject, read: Shape<T>["read"]): Shape<T> {
  return { schema, read };
}

export function inside(path: string, key: string | number): string {
  return path === "" ? `${key}` : `${path}/${key}`;
}

export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "number" && Number.isNaN(value)) return "NaN";
  return Array.isArray(value) ? "a list" : typeof value;
}

// Objects

export type Keys = { readonly [key: string]: Shape<unknown> };
type Optional<T> = Shape<T | undefined> & { readonly optional: true };
type Flat<T> = { [N in keyof T]: T[N] };
type ObjectOf<K> = Flat<
  { [N in keyof K as K[N] extends { readonly optional: true } ? never : N]: TypeOf<K[N]> } & {
    [N in keyof K as K[N] extends { readonly optional: true } ? N : never]?: Exclude<TypeOf<K[N]>, undefined>;
  }
>;
export type ObjectShape<K> = Shape<ObjectOf<K>> & { readonly keys: K };

/** An object with only these keys. A key is required unless its shape is `maybe`. */
export function object<K extends Keys>(keys: K): ObjectShape<K> {
  return { keys, schema: { ...schemaOf(keys), additionalProperties: false }, read: reader(keys, "closed") };
}

/** An object with at least these keys. Other keys are ignored. */
export function open<K extends Keys>(keys: K): ObjectShape<K> {
  return { keys, schema: schemaOf(keys), read: reader(keys, "open") };
}

/**
 * Goes through the given keys, not through all possible ones, because most calls leave out most keys. An unknown key is
 * reported first, because a misspelled key is also a missing key.
 */
function reader<K extends Keys>(keys: K, extent: "closed" | "open"): ObjectShape<K>["read"] {
  const shapes = new Map(Object.entries<Shape<unknown>>(keys));
  const names = [...shapes.keys()];
  const needed = names.filter((name) => shapes.get(name)?.optional !== true);
  return (value, path, source) => {
    const given = keyed(value, names, path, source);
    const found = Object.keys(given);
    if (extent === "closed") for (const key of found) if (!shapes.has(key)) throw unknownKey(key, names, path);
    const read: Record<string, unknown> = {};
    for (const key of found) {
      const member = given[key];
      const shape = member === undefined ? undefined : shapes.get(key);
      const taken = shape?.read(member, inside(path, key), source);
      if (taken !== undefined) read[key] = taken;
    }
    for (const key of needed) {
      if (read[key] === undefined) shapes.get(key)?.read(undefined, inside(path, key), source);
    }
    // Each member was checked by the shape that gives its type.
    return read as ObjectOf<K>;
  };
}

/** Refuses other keys than these. Their values are checked elsewhere. */
export function ensureKeys(value: unknown, known: readonly string[]): void {
  for (const key of Object.keys(keyed(value, known, "", "parsed"))) {
    if (!known.includes(key)) throw unknownKey(key, known, "");
  }
}

type Keyed = { readonly [key: string]: unknown };

function isKeyed(value: unknown): value is Keyed {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A getter may return another value the second time, so each value is read once. */
function keyed(value: unknown, names: readonly string[], path: string, source: Source): Keyed {
  if (isKeyed(value)) return source === "program" ? { ...value } : value;
  const hint = say("hint.its_keys", { keys: names.join(", ") });
  throw badInput(path === "" ? "/" : path, say("refusal.object_expected"), hint);
}

function unknownKey(key: string, known: readonly string[], path: string): LeewayRefusal {
  const meant = nearest(key, known);
  const hint =
    meant === undefined ? say("hint.the_keys", { keys: known.join(", ") }) : say("hint.did_you_mean", { word: meant });
  return badInput(inside(path, key), say("refusal.unknown_key"), hint);
}

/** Keys that are not `maybe` are required. */
function schemaOf(keys: Keys): JsonObject {
  const entries = Object.entries(keys);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([key, shape]) => [key, shape.schema])),
    required: entries.filter(([, shape]) => shape.optional !== true).map(([key]) => key),
  };
}

/** An optional key. */
export function maybe<T>(shape: Shape<T>): Optional<T> {
  return {
    schema: shape.schema,
    optional: true,
    read: (value, path, source) => (value === undefined ? undefined : shape.read(value, path, source)),
  };
}

type Variants = { readonly [word: string]: Keys };
type WordOf<V> = V extends "true" ? true : V extends "false" ? false : V;
type ChoiceOf<Tag extends string, V> = {
  [N in keyof V]: Flat<{ [T in Tag]: WordOf<N> } & ObjectOf<V[N]>>;
}[keyof V];

/** One of several objects; the value of `tag` says which one. It is one of the variants' names, or true or false. */
export function choice<Tag extends string, V extends Variants>(tag: Tag, variants: V): Shape<ChoiceOf<Tag, V>> {
  const words = Object.keys(variants);
  const isFlag = words.every((word) => word === "true" || word === "false");
  const tagged: Shape<unknown> = isFlag ? flag : oneOf(words);
  const shapes = new Map(words.map((word) => [word, object({ [tag]: tagged, ...variants[word] })]));
  const known = [...new Set([tag, ...Object.values(variants).flatMap((keys) => Object.keys(keys))])];
  const schemas = [...shapes].map(([word, { schema }]) => {
    const properties = { ...(schema["properties"] as JsonObject), [tag]: { const: isFlag ? word === "true" : word } };
    return { ...schema, properties };
  });
  return shapeOf({ anyOf: schemas }, (value, path, source) => {
    const given = keyed(value, known, path, source);
    for (const key of Object.keys(given)) if (!known.includes(key)) throw unknownKey(key, known, path);
    const word = tagged.read(given[tag], inside(path, tag), source);
    const shape = shapes.get(String(word));
    if (shape === undefined) throw new Error(`${String(word)} is none of the words of ${tag} (this is a bug)`);
    return shape.read(given, path, source) as ChoiceOf<Tag, V>;
  });
}

/** Adds keys to every variant. */
export function withAll<V extends Variants, K extends Keys>(variants: V, keys: K): { [N in keyof V]: V[N] & K } {
  const entries = Object.entries(variants).map(([word, own]) => [word, { ...own, ...keys }]);
  return Object.fromEntries(entries) as { [N in keyof V]: V[N] & K };
}

export function listOf<T>(shape: Shape<T>, min = 0): Shape<readonly T[]> {
  return shapeOf({ type: "array", items: shape.schema, minItems: min }, (value, path, source) => {
    if (!Array.isArray(value))
      throw badInput(path, say("refusal.not_a_list", { kind: kindOf(value) }), say("hint.give_list"));
    if (value.length < min) throw badInput(path, say("refusal.list_empty"), say("hint.at_least", { min }));
    const read: T[] = [];
    for (let at = 0; at < value.length; at++) read.push(shape.read(value[at], inside(path, at), source));
    return read;
  });
}

// Texts, numbers and words

export const NAME_LENGTH_MAX = 512;
const NOTE_LENGTH_MAX = 2_000;

/** A text that is not empty and is valid Unicode. */
export function textOf(value: unknown, path: string, max = NAME_LENGTH_MAX): string {
  const given = wordsOf(value, path, max);
  if (given === "") throw badInput(path, say("refusal.empty"), say("hint.characters_to", { max }));
  return given;
}

function wordsOf(value: unknown, path: string, max: number): string {
  if (typeof value !== "string")
    throw badInput(path, say("refusal.not_text", { kind: kindOf(value) }), say("hint.give_text"));
  if (value.length > max) {
    throw badInput(path, say("refusal.too_long", { count: value.length }), say("hint.at_most_characters", { max }));
  }
  if (!value.isWellFormed()) throw badInput(path, say("json.half_surrogate"), say("hint.whole_characters"));
  return value;
}

export const text: Shape<string> = shapeOf(
  { type: "string", minLength: 1, maxLength: NAME_LENGTH_MAX },
  (value, path) => textOf(value, path),
);
/** A reason, which is required. */
export const reason: Shape<string> = shapeOf(
  { type: "string", minLength: 1, maxLength: NOTE_LENGTH_MAX },
  (value, path) => textOf(value, path, NOTE_LENGTH_MAX),
);
/** The same, but it may be empty. */
export const note: Shape<string> = shapeOf({ type: "string", maxLength: NOTE_LENGTH_MAX }, (value, path) =>
  wordsOf(value, path, NOTE_LENGTH_MAX),
);
/** The text of a tool, of any length. */
export const anyText: Shape<string> = shapeOf({ type: "string" }, (value, path) =>
  wordsOf(value, path, Number.POSITIVE_INFINITY),
);

/** An id or a hash. Whether it exists is checked by the verb that uses it. */
export function nameOf<T extends string>(): Shape<T> {
  return shapeOf(text.schema, (value, path) => textOf(value, path) as T);
}

export const flag: Shape<boolean> = shapeOf({ type: "boolean" }, (value, path) => {
  if (typeof value === "boolean") return value;
  throw badInput(path, say("refusal.not_boolean", { kind: kindOf(value) }), say("hint.true_or_false"));
});

/** A whole number not below `min`. */
export function wholeOf(value: unknown, path: string, min: number): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= min) return value;
  const found = typeof value === "number" ? String(value) : kindOf(value);
  throw badInput(path, say("refusal.not_whole_from", { found, min }), say("hint.give_one"));
}

export function whole(min: number): Shape<number> {
  return shapeOf({ type: "integer", minimum: min }, (value, path) => wholeOf(value, path, min));
}

/** One of these words. */
export function oneOf<const W extends string>(words: readonly W[]): Shape<W> {
  return shapeOf({ type: "string", enum: words }, (value, path) => {
    const found = words.find((word) => word === value);
    if (found !== undefined) return found;
    const meant = typeof value === "string" ? nearest(value, words) : undefined;
    const hint =
      meant === undefined
        ? say("hint.use_one_of", { words: words.join(", ") })
        : say("hint.did_you_mean", { word: meant });
    throw badInput(
      path,
      say("refusal.no_such_word", { text: typeof value === "string" ? value : kindOf(value) }),
      hint,
    );
  });
}

// JSON of any form, and functions

/** Copies plain JSON. Refuses anything else, with its JSON pointer. */
function jsonOf(value: unknown, path: string): Json {
  const copied = toJson(value);
  if (copied.ok) return copied.value;
  throw badInput(copied.where === "/" ? path : `${path}${copied.where}`, copied.said, say("hint.pass_plain_json"));
}

/** Any JSON. */
export const json: Shape<Json> = shapeOf({}, (value, path, source) =>
  // A value that was parsed here is already JSON.
  source === "parsed" && value !== undefined ? (value as Json) : jsonOf(value, path),
);

/** A JSON object with any keys, for example arguments. */
export const jsonObject: Shape<JsonObject> = shapeOf({ type: "object" }, (value, path, source) => {
  const read = json.read(value, path, source);
  if (isObject(read)) return read;
  throw badInput(path, say("refusal.not_an_object", { kind: kindOf(read) }), say("hint.arguments_in_object"));
});

/** A function of the program. Only the compiler knows its parameters and its result. */
export function callable<F extends (...given: never[]) => unknown>(): Shape<F> {
  return shapeOf({}, (value, path) => {
    if (typeof value === "function") return value as F;
    throw badInput(path, say("refusal.not_a_function", { kind: kindOf(value) }), say("hint.give_function"));
  });
}

export const anyFunction = callable<(...given: never[]) => unknown>();
