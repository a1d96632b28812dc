import { say } from "../messages/message.ts";
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

const bound = number("thing.bound", { min: Number.MIN_SAFE_INTEGER, whole: false });
const range = object("thing.range", { min: optional(bound), max: optional(bound) });

/** A value, a pattern, a range `{ min, max }`, or a list of these. */
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
    faults.add(tree.at, say("policy.empty_range"), say("policy.write_range"));
    return undefined;
  }
  return { is: "range", ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

const args = refine(record("thing.arguments", argTest), (named, _tree, faults) => {
  const wrong = named.filter(({ name }) => !isPointer(name));
  for (const { name, at } of wrong) {
    const word = `/${name.replace(/^\$?\.?\/?/, "")}`;
    faults.add(at, say("policy.not_a_pointer", { text: name }), say("policy.did_you_mean", { word }));
  }
  return wrong.length > 0 ? undefined : named.map(({ name, value }) => ({ pointer: name, test: value }));
});

export const match = refine(
  objectSoFar("thing.match", {
    agent: optional(oneOrMany(text("thing.agent_name"))),
    tool: optional(oneOrMany(positioned(text("thing.tool_name")))),
    class: optional(oneOrMany(effectClass)),
    capability: optional(oneOrMany(capability)),
    method: optional(oneOrMany(method)),
    mcp: optional(oneOrMany(mcpPattern)),
    args: optional(args),
    reversible: optional(flag),
    reach: optional(oneOrMany(reach)),
    understood: optional(oneOrMany(understood)),
    when: optional(positioned(text("thing.expression"))),
    path: optional(oneOrMany(pathPattern)),
    command: optional(oneOrMany(commandPattern)),
    domain: optional(oneOrMany(domainPattern)),
  }),
  (value, tree, faults) => {
    const keys = Object.keys(value);
    if (tree.is === "map" && tree.members.length === 0) {
      faults.add(tree.at, say("policy.empty_match"), say("policy.write_match"));
      return undefined;
    }
    const targets = ["path", "command", "domain"].filter((key) => keys.includes(key));
    if (targets.length < 2) return { ...value, tree };
    faults.add(tree.at, say("policy.two_targets", { keys: targets }), say("policy.split_match"));
    return undefined;
  },
);
export type RawMatch = Read<typeof match>;
