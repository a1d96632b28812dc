import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Tree } from "../core/policy/tree.ts";
import { readPlainYaml } from "./plain-yaml.ts";
import { readYaml } from "./yaml.ts";

const RUNS = process.env.LEEWAY_PROVE === undefined ? 2_000 : 40_000;
const FOLDER = new URL("../../policies/", import.meta.url);
const POLICIES = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => readFileSync(new URL(name, FOLDER), "utf8"));

/** The last comment is beyond the plain part, so that the reader of all of YAML takes it. */
const byLibrary = (text: string) => readYaml(`${text}\n# é`, "p.yaml");

function expectSame(text: string, tree: Tree | undefined): boolean {
  if (tree !== undefined) expect({ text, read: { ok: true, tree } }).toEqual({ text, read: byLibrary(text) });
  return tree !== undefined;
}

const SMALL = `# a policy
version: 1
tiers: { fs.write: notify, "mcp:x/*": ask, 'a b': L1 }   # rows
agents:
  bot: {tier: ask, reviewers: [ben, "group:leads"]}
reviewers:
- ana
rules:
  - name: first
    match:
      command: "git push *"
      when: call.tool == "x" && size(call.args) > 2
    tier: deny
    because: it's shared, http://x.example/a#b
    examples: { match: [], miss: ["a b", { tool: t, args: { n: 12, ok: true, no: null, p: ~/.ssh } }] }
  - name: second   # with a comment
    expires: 30m
    max: 0
`;

test("the policies that ship are plain, and are read as the reader of all of YAML reads them", () => {
  for (const text of [...POLICIES, SMALL]) {
    const tree = readPlainYaml(text, "p.yaml");
    expect(tree).toBeDefined();
    expectSame(text, tree);
  }
});

const PIECES = [
  ..."{}[]:,\"'\\#-?&*!|>%@`~=+.0123eEx_ \n",
  ..."  |: | #|- |? |---|...|\n\n|\n  |\n    |''|\\n|: [|: {|true|null|~|0x1f|1e3|.5|-1|012|<<: |é|\t|\r\n|a: b|- a".split(
    "|",
  ),
];

test("however a text is changed, it is read as the reader of all of YAML reads it, or left to that one", () => {
  let read = 0;
  const change = fc.record({ at: fc.nat(10_000), cut: fc.nat(3), put: fc.constantFrom("", ...PIECES) });
  fc.assert(
    fc.property(
      fc.constantFrom(SMALL, ...POLICIES),
      fc.array(change, { minLength: 1, maxLength: 3 }),
      (whole, changes) => {
        let text = whole.slice(0, whole.lastIndexOf("\n", 900) + 1);
        for (const { at, cut, put } of changes) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + put + text.slice(place + cut);
        }
        if (expectSame(text, readPlainYaml(text, "p.yaml"))) read++;
      },
    ),
    { numRuns: RUNS },
  );
  expect(read).toBeGreaterThan(RUNS / 5);
});

test("texts put together from the signs of YAML are read as the reader of all of it reads them, or left to it", () => {
  let read = 0;
  const words = [...PIECES, "a", "b: ", "key:", "- ", "\n", "\n  ", "[x, y]", "{k: v}", '"q"', "'s'", " # c"];
  const texts = fc.array(fc.constantFrom(...words), { maxLength: 14 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(texts, fc.constantFrom("", "a: ", "a:\n  ", "a:\n  - ", "a: ["), (rest, begin) => {
      if (expectSame(begin + rest, readPlainYaml(begin + rest, "p.yaml"))) read++;
    }),
    { numRuns: RUNS * 3 },
  );
  expect(read).toBeGreaterThan(RUNS / 20);
});

test("a line longer than anybody writes is left to the reader of all of YAML", () => {
  for (const value of ["a ".repeat(500_000), `[${"a, ".repeat(300_000)}b]`, `'${"''".repeat(500_000)}'`]) {
    expect(readPlainYaml(`a: ${value}`, "p.yaml")).toBe(undefined);
  }
});
