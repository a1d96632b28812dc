import { isObject, type Json, type JsonObject } from "../../src/core/values/json.ts";

// The part of JSON Schema that the document uses. A keyword that is unknown here is a fault of the document.

type At = { document: JsonObject; path: string };
const KINDS: Record<string, (value: Json | undefined) => boolean> = {
  object: (value) => isObject(value),
  array: (value) => Array.isArray(value),
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  null: (value) => value === null,
};

type Rule = (wanted: Json, value: Json, schema: JsonObject, at: At) => string[];
const fault = (at: At, why: string) => [`${at.path}: ${why}`];
const size = (value: Json) => (typeof value === "string" || Array.isArray(value) ? value.length : Number.NaN);

const RULES: Record<string, Rule> = {
  description: () => [],
  type: (wanted, value, _, at) =>
    [wanted].flat().some((kind) => KINDS[String(kind)]?.(value) === true) ? [] : fault(at, `no ${wanted}`),
  enum: (wanted, value, _, at) =>
    (wanted as readonly Json[]).includes(value) ? [] : fault(at, `${JSON.stringify(value)} is none of the words`),
  required: (wanted, value, _, at) =>
    (wanted as readonly string[])
      .filter((key) => !isObject(value) || !(key in value))
      .map((key) => `${at.path}/${key}: missing`),
  properties: (wanted, value, _, at) =>
    Object.entries(wanted as JsonObject).flatMap(([key, inner]) =>
      isObject(value) && value[key] !== undefined
        ? faultsOf(inner as JsonObject, value[key], { ...at, path: `${at.path}/${key}` })
        : [],
    ),
  additionalProperties: (_, value, schema, at) =>
    Object.keys(isObject(value) ? value : {})
      .filter((key) => !Object.hasOwn((schema["properties"] ?? {}) as object, key))
      .map((key) => `${at.path}/${key}: unknown`),
  items: (wanted, value, _, at) =>
    (Array.isArray(value) ? value : []).flatMap((item: Json, n: number) =>
      faultsOf(wanted as JsonObject, item, { ...at, path: `${at.path}/${n}` }),
    ),
  anyOf: (wanted, value, _, at) =>
    (wanted as readonly JsonObject[]).some((one) => faultsOf(one, value, at).length === 0)
      ? []
      : fault(at, "fits none"),
  minimum: (wanted, value, _, at) => (Number(value) >= Number(wanted) ? [] : fault(at, "too small")),
  maximum: (wanted, value, _, at) => (Number(value) <= Number(wanted) ? [] : fault(at, "too large")),
  minLength: (wanted, value, _, at) => (size(value) >= Number(wanted) ? [] : fault(at, "too short")),
  maxLength: (wanted, value, _, at) => (size(value) <= Number(wanted) ? [] : fault(at, "too long")),
  minItems: (wanted, value, _, at) => (size(value) >= Number(wanted) ? [] : fault(at, "too few")),
  maxItems: (wanted, value, _, at) => (size(value) <= Number(wanted) ? [] : fault(at, "too many")),
  const: (wanted, value, _, at) => (wanted === value ? [] : fault(at, `is not ${JSON.stringify(wanted)}`)),
  $ref: (wanted, value, _, at) => faultsOf(resolved(at.document, String(wanted)), value, at),
};

/** What is wrong with a value, and where; empty if it is valid. */
export function faultsOf(schema: JsonObject, value: Json, at: At): string[] {
  return Object.entries(schema).flatMap(([word, wanted]) => {
    const rule = RULES[word];
    if (rule === undefined) throw new Error(`${at.path}: the document says ${word}, which nobody here understands`);
    return rule(wanted, value, schema, at);
  });
}

export function resolved(document: JsonObject, ref: string): JsonObject {
  let here: Json | undefined = document;
  for (const piece of ref.replace(/^#\//, "").split("/")) {
    const key = piece.replaceAll("~1", "/").replaceAll("~0", "~");
    here = isObject(here) ? here[key] : undefined;
  }
  if (!isObject(here)) throw new Error(`${ref} leads nowhere`);
  return here;
}
