import type { ArgTest } from "../policy.ts";
import { object, objectSoFar, optional, record } from "./map-shape.ts";
import { commandPattern, domainPattern, mcpPattern, pathPattern } from "./patterns.ts";
import {
  type Faults,
  flag,
  number,
  oneOrMany,
  type PolicyShape,
  positioned,
  type Read,
  refine,
  text,
} from "./shape.ts";
import type { Tree } from "./tree.ts";
import { capability, effectClass, isPointer, method, reach, understood } from "./words.ts";

const bound = number("a bound", { min: Number.MIN_SAFE_INTEGER, whole: false });
const range = object("a range", { min: optional(bound), max: optional(bound) });

/** A value, a glob, a range `{ min, max }`, or a list of these. */
const argTest: PolicyShape<ArgTest> = {
  schema: {
    anyOf: [
      { type: ["string", "number", "boolean", "null"] },
      range.schema,
      {
        type: "array",
        items: { anyOf: [{ type: ["string", "number", "boolean", "null"] }, range.schema] },
        minItems: 1,
      },
    ],
  },
  read: readArgTest,
};

function readArgTest(tree: Tree, faults: Faults): ArgTest | undefined {
  if (tree.is === "list") {
    const of = oneOrMany(argTest).read(tree, faults);
    return of === undefined ? undefined : { is: "any", of };
  }
  if (tree.is === "map") return readRange(tree, faults);
  if (typeof tree.value === "string" && /[*?]/.test(tree.value)) return { is: "glob", glob: tree.value };
  return { is: "value", value: tree.value };
}

function readRange(tree: Tree, faults: Faults): ArgTest | undefined {
  const read = range.read(tree, faults);
  if (read === undefined) return undefined;
  const { min, max } = read;
  if ((min === undefined && max === undefined) || (min !== undefined && max !== undefined && min > max)) {
    faults.add(tree.at, "the range holds no number", "expected { min: 1 }, { max: 100 } or { min: 1, max: 100 }");
    return undefined;
  }
  return { is: "range", ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

const args = refine(record("a map of arguments", argTest), (named, _tree, faults) => {
  const wrong = named.filter(({ name }) => !isPointer(name));
  for (const { name, at } of wrong) {
    faults.add(at, `\`${name}\` is not a JSON pointer`, `did you mean \`/${name.replace(/^\$?\.?\/?/, "")}\`?`);
  }
  return wrong.length > 0 ? undefined : named.map(({ name, value }) => ({ pointer: name, test: value }));
});

export const match = refine(
  objectSoFar("a match", {
    agent: optional(oneOrMany(text("an agent's name"))),
    tool: optional(oneOrMany(positioned(text("a tool's name")))),
    class: optional(oneOrMany(effectClass)),
    capability: optional(oneOrMany(capability)),
    method: optional(oneOrMany(method)),
    mcp: optional(oneOrMany(mcpPattern)),
    args: optional(args),
    reversible: optional(flag),
    reach: optional(oneOrMany(reach)),
    understood: optional(oneOrMany(understood)),
    when: optional(positioned(text("an expression"))),
    path: optional(oneOrMany(pathPattern)),
    command: optional(oneOrMany(commandPattern)),
    domain: optional(oneOrMany(domainPattern)),
  }),
  (value, tree, faults) => {
    const keys = Object.keys(value);
    if (tree.is === "map" && tree.members.length === 0) {
      faults.add(
        tree.at,
        "the match is empty",
        "say what it is about; for everything there is the policy's own `tier`",
      );
      return undefined;
    }
    const targets = ["path", "command", "domain"].filter((key) => keys.includes(key));
    if (targets.length < 2) return { ...value, tree };
    faults.add(
      tree.at,
      `a match has ${targets.map((key) => `\`${key}\``).join(" and ")}, but a target is only one of them`,
      "keep one and write a rule of its own for each other",
    );
    return undefined;
  },
);
export type RawMatch = Read<typeof match>;
