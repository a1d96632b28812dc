import fc from "fast-check";
import { expect, test } from "vitest";
import { readJsonTree } from "./json-tree.ts";
import { readByLibrary, readYaml } from "./yaml.ts";

const RUNS = process.env.LEEWAY_PROVE === undefined ? 300 : 6_000;

const byYaml = (text: string) => readByLibrary(text, "p.json");

test("JSON is parsed as the YAML library would parse it, with the same line and column for each part", () => {
  const value = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 5 });
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1, 2), (given, indent) => {
      const text = JSON.stringify(given, undefined, indent);
      const tree = readJsonTree(text, "p.json");
      // A number that cannot be exact is left to the YAML parser, which reports it.
      if (tree !== undefined) expect({ ok: true, tree }).toEqual(byYaml(text));
      else expect(byYaml(text)).toMatchObject({ ok: false });
    }),
    { numRuns: RUNS },
  );
});

test("a text with one changed character is parsed as YAML would parse it, or left to the YAML parser", () => {
  const text = JSON.stringify({ a: [1, -2.5e3, true, null], 'b"\\': { c: "é\n", d: {}, e: [] } }, undefined, 2);
  const change = fc.record({
    at: fc.nat(text.length),
    cut: fc.nat(2),
    put: fc.oneof(fc.constantFrom(..."{}[]:,\"'\\ \n\t\r#-0e.&*!|>?@`"), fc.string({ maxLength: 2 })),
  });
  fc.assert(
    fc.property(change, ({ at, cut, put }) => {
      const changed = text.slice(0, at) + put + text.slice(at + cut);
      const tree = readJsonTree(changed, "p.json");
      if (tree !== undefined) expect({ ok: true, tree }).toEqual(byYaml(changed));
    }),
    { numRuns: RUNS * 4 },
  );
});

test("text that is not JSON, or that has an error to report, is left to the YAML parser", () => {
  const texts = [
    "",
    "a: 1",
    "[1]",
    "{} {}",
    "{a: 1}",
    "{'a': 1}",
    '{"a": 1,}',
    '{"a" : 1}',
    '{"a": 01}',
    '{"a": .5}',
    '{"a": NaN}',
    '{"a": 1e999}',
    '{"a": 99999999999999999999}',
    '{"a": 1, "a": 2}',
    '{"a": "\\ud800"}',
    '{"a": "line\nbreak"}',
    '{"a": "\\x41"}',
    '{"a":\t1}',
    '{"a": 1}\r\n',
    `{"${"k".repeat(2000)}": 1}`,
    `{"a": ${"[".repeat(80)}${"]".repeat(80)}}`,
    `${'{"a":'.repeat(50_000)}`,
  ];
  expect(texts.filter((text) => readJsonTree(text, "p.json") !== undefined)).toEqual([]);
});

test("a string of a million escapes is parsed as one string", () => {
  const value = "\n".repeat(1_000_000);
  const tree = readJsonTree(JSON.stringify({ a: value }), "p.json");
  expect(tree?.is === "map" && tree.members[0]?.value).toMatchObject({ is: "scalar", value });
});

test("text written by a program may be longer than text written by a person", () => {
  const rules = Array.from({ length: 60_000 }, (_, i) => ({ name: `rule-${i}`, because: "a program wrote this one" }));
  const text = JSON.stringify({ rules }, undefined, 2);
  expect(text.length).toBeGreaterThan(4 * 1024 * 1024);
  expect(readYaml(text, "p.json").ok).toBe(true);
  expect(readYaml(`{"a": "${"x".repeat(16 * 1024 * 1024)}"}`, "p.json")).toMatchObject({ ok: false });
});
