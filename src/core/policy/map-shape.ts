import { say } from "../messages/message.ts";
import type { Position } from "../policy.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { nearest } from "../values/nearest.ts";
import { didYouMean, type Faults, type PolicyShape, type Thing, unexpected } from "./shape.ts";
import type { Tree } from "./tree.ts";

type Required<T> = { shape: PolicyShape<T>; must: true };
type Optional<T> = { shape: PolicyShape<T>; must: false };
type Fields = { readonly [key: string]: Required<unknown> | Optional<unknown> };

type ReadFields<F extends Fields> = {
  [K in keyof F as F[K] extends Required<unknown> ? K : never]: F[K] extends Required<infer T> ? T : never;
} & { [K in keyof F as F[K] extends Optional<unknown> ? K : never]?: F[K] extends Optional<infer T> ? T : never };

export function required<T>(shape: PolicyShape<T>): Required<T> {
  return { shape, must: true };
}

export function optional<T>(shape: PolicyShape<T>): Optional<T> {
  return { shape, must: false };
}

/** A map with exactly these keys. Any other key is an error, because an ignored key looks like a rule that works. */
export function object<F extends Fields>(what: Thing, fields: F): PolicyShape<ReadFields<F>> {
  return mapOf(what, fields, { goesOn: false });
}

/**
 * The same, but reads on after an error: the error is reported, and the rest is available for later checks. Only
 * required parts must be correct.
 */
export function objectSoFar<F extends Fields>(what: Thing, fields: F): PolicyShape<ReadFields<F>> {
  return mapOf(what, fields, { goesOn: true });
}

function mapOf<F extends Fields>(what: Thing, fields: F, { goesOn }: { goesOn: boolean }): PolicyShape<ReadFields<F>> {
  const keys = Object.keys(fields);
  const must = keys.filter((key) => fields[key]?.must === true);
  return {
    schema: schemaOf(fields, must),
    read: (tree, faults) => {
      if (tree.is !== "map") {
        faults.add(tree.at, unexpected(what, tree), say("policy.write_map_with", { keys }));
        return undefined;
      }
      const read: Record<string, unknown> = {};
      let sound = noneMissing(tree, what, must, faults);
      for (const member of tree.members) {
        const field = Object.hasOwn(fields, member.key) ? fields[member.key] : undefined;
        if (field === undefined) unknownKey(member, what, keys, faults);
        const value = field?.shape.read(member.value, faults);
        if (value !== undefined) read[member.key] = value;
        else if (!goesOn || field?.must === true) sound = false;
      }
      return sound ? (read as ReadFields<F>) : undefined;
    },
  };
}

function noneMissing(tree: Tree & { is: "map" }, what: Thing, must: readonly string[], faults: Faults): boolean {
  let sound = true;
  for (const key of must) {
    if (tree.members.some((member) => member.key === key)) continue;
    faults.add(tree.at, say("policy.missing_key", { what: say(what), key }), say("policy.add_key", { key }));
    sound = false;
  }
  return sound;
}

function unknownKey(member: { key: string; at: Position }, what: Thing, keys: readonly string[], faults: Faults) {
  const { key, at } = member;
  const allowed = say("policy.keys_allowed", { what: say(what), keys });
  faults.add(at, say("policy.unknown_key", { key }), didYouMean(nearest(key, keys), allowed));
}

function schemaOf(fields: Fields, must: readonly string[]): JsonObject {
  const properties: Record<string, Json> = {};
  for (const [key, field] of Object.entries(fields)) properties[key] = field.shape.schema;
  return {
    type: "object",
    properties,
    ...(must.length === 0 ? {} : { required: [...must] }),
    additionalProperties: false,
  };
}

export type Named<T> = { name: string; at: Position; value: T };

/** A map whose keys are names chosen by people. */
export function record<T>(what: Thing, shape: PolicyShape<T>): PolicyShape<readonly Named<T>[]> {
  const soFar = recordSoFar(what, shape);
  return {
    schema: soFar.schema,
    read: (tree, faults) => {
      const read = soFar.read(tree, faults);
      return tree.is === "map" && read?.length === tree.members.length ? read : undefined;
    },
  };
}

/** The same, without the entries that are wrong. */
export function recordSoFar<T>(what: Thing, shape: PolicyShape<T>): PolicyShape<readonly Named<T>[]> {
  return {
    schema: { type: "object", additionalProperties: shape.schema },
    read: (tree, faults) => {
      if (tree.is !== "map") {
        faults.add(tree.at, unexpected(what, tree), say("policy.write_map_of_names"));
        return undefined;
      }
      return tree.members.flatMap(({ key, at, value }) => {
        if (key.trim() === "") faults.add(at, say("policy.empty_name"), say("policy.write_name"));
        const read = shape.read(value, faults);
        return read === undefined || key.trim() === "" ? [] : [{ name: key, at, value: read }];
      });
    },
  };
}
