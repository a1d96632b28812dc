import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readPlainYaml } from "./plain-yaml.ts";
import { readByLibrary } from "./yaml.ts";

const RUNS = process.env.LEEWAY_PROVE === undefined ? 4_000 : 100_000;
/** More time, for the long tests on a busy machine. */
const TIMEOUT_MS = 600_000;

const folder = new URL("../../../policies/", import.meta.url);
const policies = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8"));
const ODD = `# head
a: 1
b:
- x # one
- y: 2
  z: [1, 'it''s', "q\\n", true, [ ], { }]
-   deep:
      er: {a: b, "c":-1.5,
        d: [ u,
         v, ]}   # c
      "k k": 24h
c:
    # further in
  # further out
  d: x y
  e: http://a.example/c?d=e
f:
   { g: ~/h, i: .env, j: "" }
`;

/** The promise: the same result as the library, with all positions, or no result. */
function sameOrLeft(text: string): "same" | "left" {
  const tree = readPlainYaml(text, "p.yaml");
  if (tree === undefined) return "left";
  expect({ ok: true, tree }, JSON.stringify(text)).toEqual(readByLibrary(text, "p.yaml"));
  return "same";
}

test("the policies that we ship, and every form that the fast parser reads, give the same result as the library", () => {
  expect([...policies, ODD].map(sameOrLeft)).toEqual([...policies, ODD].map(() => "same"));
});

/** A few lines of a policy, with or without their indentation. */
const excerpt = fc
  .record({
    of: fc.constantFrom(...policies, ODD),
    from: fc.nat(200),
    lines: fc.integer({ min: 1, max: 14 }),
    out: fc.boolean(),
  })
  .map(({ of, from, lines, out }) => {
    const all = of.split("\n");
    const taken = all.slice(from % all.length, (from % all.length) + lines);
    const margin = Math.min(...taken.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)));
    return taken.map((line) => (out ? line.slice(margin) : line)).join("\n");
  });

const BITS = [
  ...[" ", "  ", "\n", "\n  ", "\n    ", " \n", "\n\n", "\t", "\r\n", "\u00a0", "\u2028", "\ufeff", "é"],
  ...[": ", ":", ":\n", "- ", "-", "\n- ", "\n  - ", "? ", "#", " #", " # c", "\n# c\n", "\n      # c\n"],
  ...[
    "{",
    "}",
    "[",
    "]",
    ",",
    ", ",
    "{a: b}",
    "[a, b]",
    ",]",
    "'",
    "''",
    '"',
    "\\",
    "\\x41",
    "\\/",
    "'a': b",
    '"a": b',
  ],
  ...["a", "key", "1", "0", "-0", "-1", "1.5", "1e3", "0x1f", "0o7", "012", ".5", "+1", "1_000", "12:30:45", "24h"],
  ...["~", "null", "true", "False", "yes", ".inf", ".NaN", "99999999999999999999", "2026-01-01", "<<", "/", "*", "."],
  ...[
    "!",
    "!!str ",
    "&a ",
    "*a",
    "|",
    ">-\n",
    "%",
    "@",
    "`",
    "---",
    "...",
    "\n---\n",
    "a: b",
    "\nx: y\n",
    "\n  x: y\n",
  ],
];
const bit = fc.constantFrom(...BITS);

type Change = { at: number; cut: number; put: string };
const change = fc.record({ at: fc.nat(2000), cut: fc.nat(4), put: fc.oneof(bit, fc.constant("")) });

function changed(text: string, changes: readonly Change[]): string {
  return changes.reduce((was, { at, cut, put }) => {
    const place = at % (was.length + 1);
    return was.slice(0, place) + put + was.slice(place + cut);
  }, text);
}

test(
  "pieces of policies with a few changed characters give the same result as the library, or are left to it",
  () => {
    const seen = { same: 0, left: 0 };
    fc.assert(
      fc.property(excerpt, fc.array(change, { maxLength: 3 }), (text, changes) => {
        seen[sameOrLeft(changed(text, changes))]++;
      }),
      { numRuns: RUNS },
    );
    // If nearly all of them were left to the library, nothing would have been compared.
    expect(seen.same).toBeGreaterThan(RUNS / 20);
  },
  TIMEOUT_MS,
);

test(
  "pieces of policies with a line indented, outdented or moved give the same result as the library, or are left to it",
  () => {
    const move = fc.record({ line: fc.nat(20), to: fc.nat(20), indent: fc.nat(9) });
    fc.assert(
      fc.property(excerpt, move, (text, { line, to, indent }) => {
        const lines = text.split("\n");
        const [moved = ""] = lines.splice(line % lines.length, 1);
        lines.splice(to % (lines.length + 1), 0, " ".repeat(indent) + moved.trimStart());
        sameOrLeft(lines.join("\n"));
      }),
      { numRuns: RUNS },
    );
  },
  TIMEOUT_MS,
);

test(
  "any combination of YAML characters gives the same result as the library, or is left to it",
  () => {
    const begin = fc.constantFrom("", "a: ", "a: [", "a: { b: ", "a:\n  - ", "a:\n- b: c\n  ");
    const end = fc.constantFrom("", "]", " }", "\nz: 1", "\n  z: 1");
    fc.assert(
      fc.property(begin, fc.array(bit, { maxLength: 8 }), end, (first, bits, last) => {
        sameOrLeft(first + bits.join("") + last);
      }),
      { numRuns: RUNS * 2 },
    );
  },
  TIMEOUT_MS,
);

test("ambiguous text, or text with an error to report, is left to the library", () => {
  const values = [
    ...["*x", "&x 1", "!!str 1", "! 1", "| ", ">-", "~", ".inf", "-.inf", ".nan", "0x1f", "0o17", "012", "1e3", "+1"],
    ...["99999999999999999999", "1_000", "2026-01-01", "12:30:45", "a: b", "b:", "- b", "? b", "@b", "`b`", "%b", ""],
    ...['"a\tb"', "a\tb", '"\\x41"', '"\\ud800"', '"open', "'open", '"a" b', "[a", "[a] b", "{a}", "{a:1}", "[a: b]"],
    ...["a#b", "[a]#b", "[a, # b\n  c]", "a\n  b", '"a\n  b"', "[a b\n  c]", "[a,\nb]", "\n\tb: 1", "\n  b"],
  ];
  const whole = ["", "# c", "- a", "a", "1: x", "true: x", "~: x", "? a", "[a]: x", "a: 1\na: 2", "a: 1\n---\nb: 2"];
  const rest = [
    "--- \na: 1",
    "%YAML 1.2\n---\na: 1",
    " a: 1",
    "a: 1\r\n",
    "\ufeffa: 1",
    "a: 1\n b: 2",
    "<<: x",
    "a:\n",
  ];
  const texts = [...values.map((value) => `a: ${value}`), ...whole, ...rest];
  expect(texts.filter((text) => readPlainYaml(text, "p.yaml") !== undefined)).toEqual([]);
  const deep = Array.from({ length: 70 }, (_, i) => `${" ".repeat(i)}a:`).join("\n");
  expect(readPlainYaml(`${deep} 1`, "p.yaml")).toBeUndefined();
});

test("a text that is one very long line is one value", () => {
  for (const value of ["x".repeat(1_000_000), "x y:z/ ".repeat(100_000).trim()]) {
    const tree = readPlainYaml(`a: ${value}`, "p.yaml");
    expect(tree?.is === "map" && tree.members[0]?.value).toMatchObject({ is: "scalar", value });
  }
});
