import { expect, test } from "vitest";
import { jsonOf } from "../../core/policy/shape.ts";
import { describeFault } from "../../core/policy/tree.ts";
import { readToml } from "./toml.ts";

function jsonIn(text: string): unknown {
  const read = readToml(text, "a.toml");
  return read.ok ? JSON.parse(JSON.stringify(jsonOf(read.tree))) : read.faults.map((fault) => describeFault(fault));
}

test("tables, lists of tables, dotted keys and every kind of value are read", () => {
  const text = `# a comment
title = "a \\"b\\" \\u00e9"
path = 'C:\\dir'
many = """
one \\
  two"""
raw = '''
a
b'''
a.b.c = 1_000
on = true
half = -0.5
mask = 0xff
when = 2026-11-17T10:00:00Z
list = [1, [2, "x"], # inside
  3,
]
inline = { a = 1, "b c" = [true] }
[table.inner]
x = 1
[[rule]]
name = "one"
[[rule]]
name = "two"
[rule.sub]
y = 2
`;
  expect(jsonIn(text)).toEqual({
    title: 'a "b" é',
    path: "C:\\dir",
    many: "one two",
    raw: "a\nb",
    a: { b: { c: 1000 } },
    on: true,
    half: -0.5,
    mask: 255,
    when: "2026-11-17T10:00:00Z",
    list: [1, [2, "x"], 3],
    inline: { a: 1, "b c": [true] },
    table: { inner: { x: 1 } },
    rule: [{ name: "one" }, { name: "two", sub: { y: 2 } }],
  });
});

test.each([
  ["a = 1\na = 2", "a.toml:2:1: the key `a` is written twice; the first one is in line 1; remove one of them"],
  ["[a]\n[a]", "a.toml:2:2: the key `a` is written twice; the first one is in line 1; remove one of them"],
  ["a = { b = 1 }\n[a.c]", "a.toml:2:2: the key `a` is written twice; the first one is in line 1; remove one of them"],
  ["a = 1\n[[a]]", "a.toml:2:3: the key `a` is written twice; the first one is in line 1; remove one of them"],
])("a key that stands twice is an error with its place: %j", (text, fault) => {
  expect(jsonIn(text)).toEqual([fault]);
});

test.each([
  "a",
  "a =",
  "a = b",
  'a = "x',
  "a = 1 b = 2",
  "[a",
  "= 1",
  "a = [1 2]",
  'a = "\\q"',
  "a = {b = 1",
  "a = 1,",
])("a text that is not TOML is an error: %j", (text) => {
  expect(jsonIn(text)).toEqual([expect.stringMatching(/^a\.toml:1:\d+: this cannot be read as TOML; check/)]);
});
