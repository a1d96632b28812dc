import fc from "fast-check";
import { expect, test } from "vitest";
import { readJsonTree } from "./json-tree.ts";
import { readByLibrary, readYaml } from "./yaml.ts";

const RUNS = process.env.LEEWAY_PROVE === undefined ? 300 : 6_000;

const byYaml = (text: string) => readByLibrary(text, "p.json");

test("JSON is read as YAML would read it, every part with the same line and column", () => {
  const value = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 5 });
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1, 2), (given, indent) => {
      const text = JSON.stringify(given, undefined, indent);
      const tree = readJsonTree(text, "p.json");
      // A number that cannot be held exactly is left for the reader that says so.
      if (tree !== undefined) expect({ ok: true, tree }).toEqual(byYaml(text));
      else expect(byYaml(text)).toMatchObject({ ok: false });
    }),
    { numRuns: RUNS },
  );
});

test("a text with one character changed is read as YAML would read it, or left to it", () => {
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

test("text that is not JSON, or that has an error to report, is left to the YAML reader", () => {
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

test("a text of a million escapes is one text", () => {
  const value = "\n".repeat(1_000_000);
  const tree = readJsonTree(JSON.stringify({ a: value }), "p.json");
  expect(tree?.is === "map" && tree.members[0]?.value).toMatchObject({ is: "scalar", value });
});

test("what a program wrote may be longer than what a person wrote", () => {
  const rules = Array.from({ length: 60_000 }, (_, i) => ({ name: `rule-${i}`, because: "a program wrote this one" }));
  const text = JSON.stringify({ rules }, undefined, 2);
  expect(text.length).toBeGreaterThan(4 * 1024 * 1024);
  expect(readYaml(text, "p.json").ok).toBe(true);
  expect(readYaml(`{"a": "${"x".repeat(16 * 1024 * 1024)}"}`, "p.json")).toMatchObject({ ok: false });
});
