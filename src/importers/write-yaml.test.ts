import fc from "fast-check";
import { expect, test } from "vitest";
import { readYaml } from "../config/parse/yaml.ts";
import { jsonOf } from "../core/policy/shape.ts";
import type { Json, JsonObject } from "../core/values/json.ts";
import { writeYaml } from "./write-yaml.ts";

test("every written value reads back as the same value", () => {
  const scalar = fc.oneof(
    fc.string(),
    fc.constantFrom("yes", "null", "1", "~", "- a", "a: b", "#x", "", " ", "*", "&a", "!t", "\n", "| x", "true", "0x1"),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      scalar,
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie("value"), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value, { maxKeys: 5, noNullPrototype: true }), (given) => {
      const read = readYaml(writeYaml(given as JsonObject, ["a comment\nof two lines"]), "w.yaml");
      expect(read.ok && JSON.stringify(jsonOf(read.tree))).toEqual(JSON.stringify(given));
    }),
    { numRuns: 500 },
  );
});
