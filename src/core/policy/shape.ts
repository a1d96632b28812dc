import type { Position } from "../policy.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { nearest } from "../values/nearest.ts";
import { type Fault, nameOf, type Tree } from "./tree.ts";

/** Collects what is wrong instead of stopping, so that one reading reports every mistake. */
export type Faults = { add(at: Position, message: string, hint?: string): void };

/**
 * What a part of a policy file may look like: how to read it and the JSON Schema that says the same to an editor. Both
 * come from one table, so that they cannot disagree. `undefined` means that a fault was added.
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

/** Text that `parse` understands; anything else is a fault that names what was expected and the nearest valid word. */
export function word<T>(o: {
  what: string;
  schema: JsonObject;
  parse: (text: string) => T | undefined;
  words?: readonly string[];
  expected: string;
}): PolicyShape<T> {
  return {
    schema: o.schema,
    read: (tree, faults) => {
      const text = tree.is === "scalar" && typeof tree.value === "string" ? tree.value : undefined;
      const value = text === undefined ? undefined : o.parse(text);
      if (value !== undefined) return value;
      const near = text === undefined ? undefined : nearest(text, o.words ?? []);
      const meant = near === undefined ? "" : `did you mean \`${near}\`? `;
      faults.add(tree.at, `${nameOf(tree)} is not ${o.what}`, `${meant}expected ${o.expected}`);
      return undefined;
    },
  };
}

export function oneOf<const W extends string>(what: string, words: readonly W[]): PolicyShape<W> {
  const parse = (text: string) => words.find((candidate) => candidate === text);
  return word({ what, schema: { enum: [...words] }, parse, words, expected: `one of ${words.join(", ")}` });
}

export function text(what: string): PolicyShape<string> {
  return word({
    what,
    schema: { type: "string", minLength: 1 },
    parse: (given) => (given.trim() === "" ? undefined : given),
    expected: "text that is not empty; put it in quotes if it looks like a number",
  });
}

export const flag: PolicyShape<boolean> = {
  schema: { type: "boolean" },
  read: (tree, faults) => {
    if (tree.is === "scalar" && typeof tree.value === "boolean") return tree.value;
    faults.add(tree.at, `${nameOf(tree)} is not a yes or no`, "expected true or false");
    return undefined;
  },
};

export function number(what: string, o: { min: number; whole: boolean }): PolicyShape<number> {
  return {
    schema: { type: o.whole ? "integer" : "number", minimum: o.min },
    read: (tree, faults) => {
      const value = tree.is === "scalar" ? tree.value : undefined;
      if (typeof value === "number" && value >= o.min && (!o.whole || Number.isInteger(value))) return value;
      faults.add(
        tree.at,
        `${nameOf(tree)} is not ${what}`,
        `expected a ${o.whole ? "whole " : ""}number of at least ${o.min}, without quotes`,
      );
      return undefined;
    },
  };
}

/** An empty list is refused: read as "any of", it could never hold, and nobody writes that on purpose. */
export function list<T>(item: PolicyShape<T>): PolicyShape<readonly T[]> {
  return {
    schema: { type: "array", items: item.schema, minItems: 1 },
    read: (tree, faults) => {
      if (tree.is !== "list") {
        faults.add(tree.at, `${nameOf(tree)} is not a list`, "put it in square brackets: [a, b]");
        return undefined;
      }
      if (tree.items.length === 0) {
        faults.add(tree.at, "the list is empty", "name at least one, or leave the key out");
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

/** The value together with where it stands. */
export type Positioned<T> = { value: T; at: Position };

export function positioned<T>(shape: PolicyShape<T>): PolicyShape<Positioned<T>> {
  return refine(shape, (value, tree) => ({ value, at: tree.at }));
}

/** The same, and whether nothing in it was wrong: what reads on past a mistake must not be tried out. */
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

/** A shape whose value has to pass one more step, which adds its own fault when it does not. */
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
