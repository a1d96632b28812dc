import { expect, test } from "vitest";
import { jsonOf } from "../../core/policy/shape.ts";
import { describeFault } from "../../core/policy/tree.ts";
import { readYaml } from "./yaml.ts";

function faultsOf(text: string): readonly string[] {
  const read = readYaml(text, "p.yaml");
  return read.ok ? [] : read.faults.map((fault) => describeFault(fault));
}

test("YAML and JSON give the same tree, with the line and column of every part", () => {
  const at = (line: number, column: number) => ({ file: "p.yaml", line, column });
  expect(readYaml("a: 1\nb:\n  - x\n  - true\n", "p.yaml")).toEqual({
    ok: true,
    tree: {
      is: "map",
      at: at(1, 1),
      members: [
        { key: "a", at: at(1, 1), value: { is: "scalar", value: 1, at: at(1, 4) } },
        {
          key: "b",
          at: at(2, 1),
          value: {
            is: "list",
            at: at(3, 3),
            items: [
              { is: "scalar", value: "x", at: at(3, 5) },
              { is: "scalar", value: true, at: at(4, 5) },
            ],
          },
        },
      ],
    },
  });
  const json = readYaml('{"a": 1, "b": ["x", true]}', "p.yaml");
  const yaml = readYaml("a: 1\nb: [x, true]", "p.yaml");
  expect(json.ok && yaml.ok && [jsonOf(json.tree), jsonOf(yaml.tree)]).toEqual([
    { a: 1, b: ["x", true] },
    { a: 1, b: ["x", true] },
  ]);
});

test("words that older versions of YAML gave another meaning are plain text", () => {
  const read = readYaml("a: yes\nb: no\nc: on\nd: 2026-01-01\ne: 012", "p.yaml");
  expect(read.ok && jsonOf(read.tree)).toEqual({ a: "yes", b: "no", c: "on", d: "2026-01-01", e: 12 });
});

test("an empty file is an empty map", () => {
  const empty = { ok: true, tree: { is: "map", members: [], at: { file: "p.yaml", line: 1, column: 1 } } };
  expect(["", "# nothing\n"].map((text) => readYaml(text, "p.yaml"))).toEqual([empty, empty]);
});

test("ambiguous YAML is refused with its position", () => {
  expect(faultsOf("a: 1\nb: 2\na: 3")).toEqual([
    "p.yaml:3:1: the key `a` is written twice; the first one is in line 1; remove one of them",
  ]);
  expect(faultsOf("a: &x 1\nb: *x")).toEqual([
    "p.yaml:2:4: the alias `*x` cannot be used here; write the value out again",
  ]);
  expect(faultsOf("a: !!binary aGk=")).toEqual([
    expect.stringMatching(/^p\.yaml:1:\d+: the tag `.*binary` cannot be used here; remove the tag/),
  ]);
  expect(faultsOf("a: .inf\nb: .nan\nc: 99999999999999999999")).toEqual([
    "p.yaml:1:4: `Infinity` cannot be stored exactly; put it in quotes, or use a smaller number",
    "p.yaml:2:4: `NaN` cannot be stored exactly; put it in quotes, or use a smaller number",
    "p.yaml:3:4: `100000000000000000000` cannot be stored exactly; put it in quotes, or use a smaller number",
  ]);
  expect(faultsOf("1: x\n[a]: y")).toEqual([
    "p.yaml:1:1: this key is not text; put it in quotes",
    "p.yaml:2:1: this key is not text; put it in quotes",
  ]);
});

test("a syntax error is reported with its position", () => {
  expect(faultsOf("a: [1,\nb: 2")).toEqual([
    expect.stringMatching(/^p\.yaml:2:\d+: not valid YAML: .*; check the indentation/),
  ]);
  expect(faultsOf("a: 1\n---\nb: 2")).toEqual([
    expect.stringMatching(/^p\.yaml:2:1: a second document begins here; a file holds one policy/),
  ]);
  expect(faultsOf("\ta: 1")).toEqual([expect.stringMatching(/^p\.yaml:1:1: not valid YAML: tabs/)]);
});

test("a YAML bomb is refused without being expanded", () => {
  const aliases = `a: &a [x, x]\n${Array.from({ length: 30 }, (_, i) => `b${i}: [*a, *a]`).join("\n")}`;
  expect(faultsOf(aliases)).toHaveLength(60);
  const deep = [
    "[".repeat(50_000),
    "- ".repeat(50_000),
    "? ".repeat(50_000),
    '{"a":'.repeat(50_000),
    `a: ${"[".repeat(80)}${"]".repeat(80)}`,
  ];
  for (const text of deep) {
    expect(faultsOf(text)).toEqual([
      expect.stringMatching(/^p\.yaml:1:\d+: nested deeper than 64 levels; use fewer levels$/),
    ]);
  }
  expect(faultsOf("a".repeat(4 * 1024 * 1024 + 1))).toEqual([
    expect.stringMatching(/longer than 4194304 characters; make it shorter/),
  ]);
});

test("a key called __proto__ is an ordinary key", () => {
  const read = readYaml('{"__proto__": {"tier": "auto"}}', "p.yaml");
  expect(read.ok && Object.keys(jsonOf(read.tree) as object)).toEqual(["__proto__"]);
});

test("a mistake in a file that is meant as JSON is reported once, in words of JSON", () => {
  const read = readYaml('{"a": ["b" "c"', "settings.json");
  expect(read.ok ? [] : read.faults.map((fault) => describeFault(fault))).toEqual([
    "settings.json:1:12: not valid JSON; check the brackets, commas and quotes here and in the line above",
  ]);
});
