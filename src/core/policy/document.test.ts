import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readYaml } from "../../config/parse/yaml.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { policySchema } from "./document.ts";
import { jsonOf } from "./shape.ts";

const file = new URL("../../../schema/policy.json", import.meta.url);
const policies = new URL("../../../policies/", import.meta.url);

test("schema/policy.json matches what the parser accepts (LEEWAY_WRITE=1 writes it again)", () => {
  if (process.env.LEEWAY_WRITE === "1") writeFileSync(file, `${JSON.stringify(policySchema, undefined, 2)}\n`);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(policySchema);
});

test.each(readdirSync(policies))("policies/%s is valid under the schema", (name) => {
  expect(valid(policySchema, read(readFileSync(new URL(name, policies), "utf8")))).toBe(true);
});

test("the schema refuses every shape that the parser refuses", () => {
  const wrong = [
    "tire: ask",
    "tier: autp",
    "preset: 1",
    "approvals: { quorum: 0 }",
    "approvals: { expires: 24 }",
    "approvals: { onTimeout: allow }",
    "human: false",
    "rules: [{ name: a, tier: deny, because: b }]",
    "rules: [{ name: a, tier: deny, because: b, match: { agent: [] } }]",
    "limits: [{ name: a, match: { class: none }, max: -1, per: 1h, by: agent, then: ask }]",
    "channels: { slak: {} }",
  ];
  expect(wrong.filter((text) => valid(policySchema, read(text)))).toEqual([]);
});

function read(text: string): Json {
  const made = readYaml(text, "p.yaml");
  if (!made.ok) throw new Error(JSON.stringify(made.faults));
  return jsonOf(made.tree);
}

/** The part of JSON Schema that we use; an unknown keyword is an error, so that none stays unchecked. */
function valid(schema: JsonObject, value: Json): boolean {
  return Object.entries(schema).every(([keyword, given]) => {
    const test = KEYWORDS[keyword];
    if (test === undefined) throw new Error(`the keyword ${keyword} is not checked here`);
    return test(given, value, schema);
  });
}

const KEYWORDS: Record<string, (given: Json, value: Json, schema: JsonObject) => boolean> = {
  $schema: () => true,
  title: () => true,
  description: () => true,
  type: (given, value) => [given].flat().some((type) => typeOf(value).includes(String(type))),
  enum: (given, value) => (given as Json[]).includes(value),
  const: (given, value) => given === value,
  anyOf: (given, value) => (given as JsonObject[]).some((schema) => valid(schema, value)),
  pattern: (given, value) => typeof value !== "string" || new RegExp(String(given)).test(value),
  minLength: (given, value) => typeof value !== "string" || value.length >= Number(given),
  minimum: (given, value) => typeof value !== "number" || value >= Number(given),
  minItems: (given, value) => !Array.isArray(value) || value.length >= Number(given),
  items: (given, value) => !Array.isArray(value) || value.every((item: Json) => valid(given as JsonObject, item)),
  required: (given, value) =>
    membersOf(value).length === 0 || (given as string[]).every((key) => keysOf(value).includes(key)),
  properties: (given, value) =>
    membersOf(value).every(([key, member]) => {
      const schema = (given as JsonObject)[key];
      return schema === undefined || valid(schema as JsonObject, member);
    }),
  additionalProperties: (given, value, { properties = {} }) =>
    membersOf(value)
      .filter(([key]) => !Object.hasOwn(properties as JsonObject, key))
      .every(([, member]) => given !== false && valid(given as JsonObject, member)),
};

function typeOf(value: Json): string[] {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  return typeof value === "number" && Number.isInteger(value) ? ["integer", "number"] : [typeof value];
}

function membersOf(value: Json): [string, Json][] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function keysOf(value: Json): string[] {
  return membersOf(value).map(([key]) => key);
}
