import { type Message, type MessageId, say } from "../messages/message.ts";
import type { Position } from "../policy.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { nearest } from "../values/nearest.ts";
import { type Fault, nameOf, type Tree } from "./tree.ts";

/** Collects errors instead of stopping, so that one pass reports every mistake. */
export type Faults = { add(at: Position, message: Message, hint?: Message): void };

/** What a part of a file is called in messages. */
export type Thing = Extract<MessageId, `thing.${string}`>;

/**
 * The shape of a part of a policy file: how to read it, and the JSON Schema for editors. Both come from one table, so
 * that they cannot disagree. `undefined` means that an error was added.
 */
export type PolicyShape<T> = { schema: JsonObject; read: (tree: Tree, faults: Faults) => T | undefined };
export type Read<S> = S extends PolicyShape<infer T> ? T : never;

export function collectFaults(): Faults & { all: Fault[] } {
  const all: Fault[] = [];
  return {
    all,
    add: ({ file, line, column }, message, hint) =>
      all.push({ file, line, column, message, ...(hint === undefined ? {} : { hint }) }),
  };
}

/** Text that `parse` accepts; anything else is an error that names what was expected and the nearest valid word. */
export function word<T>(o: {
  what: Thing;
  schema: JsonObject;
  parse: (text: string) => T | undefined;
  words?: readonly string[];
  hint: Message;
}): PolicyShape<T> {
  return {
    schema: o.schema,
    read: (tree, faults) => {
      const text = tree.is === "scalar" && typeof tree.value === "string" ? tree.value : undefined;
      const value = text === undefined ? undefined : o.parse(text);
      if (value !== undefined) return value;
      const near = text === undefined ? undefined : nearest(text, o.words ?? []);
      faults.add(tree.at, unexpected(o.what, tree), didYouMean(near, o.hint));
      return undefined;
    },
  };
}

export function unexpected(what: Thing, found: Tree): Message {
  return say("policy.expected_thing", { what: say(what), value: nameOf(found) });
}

/** The nearest word, if there is one, and then other hints. */
export function didYouMean(word: string | undefined, otherwise: Message): Message {
  return word === undefined ? otherwise : say("policy.did_you_mean_or", { word, otherwise });
}

export function oneOf<const W extends string>(what: Thing, words: readonly W[]): PolicyShape<W> {
  const parse = (text: string) => words.find((candidate) => candidate === text);
  return word({ what, schema: { enum: [...words] }, parse, words, hint: say("policy.use_one_of", { words }) });
}

export function text(what: Thing): PolicyShape<string> {
  return word({
    what,
    schema: { type: "string", minLength: 1 },
    parse: (given) => (given.trim() === "" ? undefined : given),
    hint: say("policy.write_text"),
  });
}

export const flag: PolicyShape<boolean> = {
  schema: { type: "boolean" },
  read: (tree, faults) => {
    if (tree.is === "scalar" && typeof tree.value === "boolean") return tree.value;
    faults.add(tree.at, say("policy.expected_boolean", { value: nameOf(tree) }), say("policy.write_boolean"));
    return undefined;
  },
};

export function number(what: Thing, o: { min: number; whole: boolean }): PolicyShape<number> {
  return {
    schema: { type: o.whole ? "integer" : "number", minimum: o.min },
    read: (tree, faults) => {
      const value = tree.is === "scalar" ? tree.value : undefined;
      if (typeof value === "number" && value >= o.min && (!o.whole || Number.isInteger(value))) return value;
      faults.add(tree.at, unexpected(what, tree), numberHint(o));
      return undefined;
    },
  };
}

function numberHint({ min, whole }: { min: number; whole: boolean }): Message {
  if (min === Number.MIN_SAFE_INTEGER) return say("policy.write_number");
  return say(whole ? "policy.write_whole_number_from" : "policy.write_number_from", { min });
}

/** An empty list is refused: as "any of" it could never match, and nobody writes that on purpose. */
export function list<T>(item: PolicyShape<T>): PolicyShape<readonly T[]> {
  return {
    schema: { type: "array", items: item.schema, minItems: 1 },
    read: (tree, faults) => {
      if (tree.is !== "list") {
        faults.add(tree.at, say("policy.expected_list", { value: nameOf(tree) }), say("policy.write_list"));
        return undefined;
      }
      if (tree.items.length === 0) {
        faults.add(tree.at, say("policy.empty_list"), say("policy.fill_list"));
        return undefined;
      }
      return whole(tree.items.map((entry) => item.read(entry, faults)));
    },
  };
}

/** One thing or a list of them. */
export function oneOrMany<T>(item: PolicyShape<T>): PolicyShape<readonly T[]> {
  const many = list(item);
  return {
    schema: { anyOf: [item.schema, many.schema] },
    read: (tree, faults) => {
      if (tree.is === "list") return many.read(tree, faults);
      const one = item.read(tree, faults);
      return one === undefined ? undefined : [one];
    },
  };
}

/** The value together with its position. */
export type Positioned<T> = { value: T; at: Position };

export function positioned<T>(shape: PolicyShape<T>): PolicyShape<Positioned<T>> {
  return refine(shape, (value, tree) => ({ value, at: tree.at }));
}

/** The same, and whether it has no errors: a part with errors must not be tested. */
type Weighed<T> = Positioned<T> & { sound: boolean };

export function weighed<T>(shape: PolicyShape<T>): PolicyShape<Weighed<T>> {
  return {
    schema: shape.schema,
    read: (tree, faults) => {
      let sound = true;
      const heard: Faults = {
        add: (...fault) => {
          sound = false;
          faults.add(...fault);
        },
      };
      const value = shape.read(tree, heard);
      return value === undefined ? undefined : { value, at: tree.at, sound };
    },
  };
}

export function whole<T>(values: readonly (T | undefined)[]): T[] | undefined {
  return values.includes(undefined) ? undefined : (values as T[]);
}

/** A tree as plain JSON, positions dropped. */
export function jsonOf(tree: Tree): Json {
  if (tree.is === "scalar") return tree.value;
  if (tree.is === "list") return tree.items.map(jsonOf);
  const made: Record<string, Json> = Object.create(null);
  for (const member of tree.members) made[member.key] = jsonOf(member.value);
  return made;
}

/** A shape whose value must pass one more check, which adds its own error. */
export function refine<T, U>(
  shape: PolicyShape<T>,
  step: (value: T, tree: Tree, faults: Faults) => U | undefined,
): PolicyShape<U> {
  return {
    schema: shape.schema,
    read: (tree, faults) => {
      const value = shape.read(tree, faults);
      return value === undefined ? undefined : step(value, tree, faults);
    },
  };
}
