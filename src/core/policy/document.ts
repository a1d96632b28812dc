import { TIERS } from "../tier.ts";
import type { JsonObject } from "../values/json.ts";
import { object, objectSoFar, optional, recordSoFar, required } from "./map-shape.ts";
import { match } from "./match-shape.ts";
import { domainPattern } from "./patterns.ts";
import {
  flag,
  jsonOf,
  list,
  number,
  oneOf,
  type PolicyShape,
  positioned,
  type Read,
  refine,
  text,
  weighed,
} from "./shape.ts";
import { nameOf, type Tree } from "./tree.ts";
import { duration, effectClass, pointer, preset, reviewer, tier } from "./words.ts";

// The whole policy file as one table. `schema/policy.json` is made from it.

const reviewers = list(reviewer);
const quorum = number("a quorum", { min: 1, whole: true });
const tiers = recordSoFar("a table of tiers", tier);

const mapOfAnything: PolicyShape<JsonObject> = {
  schema: { type: "object" },
  read: (tree, faults) => {
    if (tree.is === "map") return jsonOf(tree) as JsonObject;
    faults.add(tree.at, `${nameOf(tree)} is not a map`, "expected a channel's settings");
    return undefined;
  },
};

const CHANNELS = ["inbox", "feishu", "slack", "email", "webhook", "terminal"] as const;
const channels = object(
  "the channels",
  Object.fromEntries(CHANNELS.map((name) => [name, optional(mapOfAnything)])) as Record<
    (typeof CHANNELS)[number],
    ReturnType<typeof optional<JsonObject>>
  >,
);

/** Where a tool goes is one place, not a pattern of places. */
const host = refine(domainPattern, (domain, tree, faults) => {
  if (!domain.includes("*")) return domain;
  faults.add(tree.at, `\`${domain}\` is not one host`, "name the host that the tool talks to: api.example.com");
  return undefined;
});

const tool = object("a tool", {
  class: required(effectClass),
  domain: optional(host),
  reversible: optional(flag),
  idempotent: optional(flag),
  first: optional(oneOf("what a call does first", ["ask"])),
});

const agent = objectSoFar("an agent", {
  tier: optional(positioned(tier)),
  tiers: optional(tiers),
  owner: optional(text("a person's name")),
  reviewers: optional(reviewers),
  channels: optional(channels),
});

const marks = objectSoFar("`human`", {
  tools: optional(list(positioned(text("a tool's name")))),
  classes: optional(list(effectClass)),
  agents: optional(list(text("an agent's name"))),
  not: optional(list(effectClass)),
});

/** `human: true`, or what it covers. `false` is refused: it would lift nothing, though it reads as if it did. */
const human: PolicyShape<true | Read<typeof marks>> = {
  schema: { anyOf: [{ const: true }, marks.schema] },
  read: (tree, faults) => {
    if (tree.is === "scalar" && tree.value === true) return true;
    if (tree.is === "map") return marks.read(tree, faults);
    faults.add(
      tree.at,
      `${nameOf(tree)} is not something that needs a person`,
      "expected true or a map with tools, classes, agents, not; to lift a preset's mark name its class in `not`",
    );
    return undefined;
  },
};

const callExample = object("an example", {
  tool: required(text("a tool's name")),
  args: required(mapOfAnything),
  agent: optional(text("an agent's name")),
});
const example: PolicyShape<Read<typeof callExample> | string> = {
  schema: { anyOf: [{ type: "string", minLength: 1 }, callExample.schema] },
  read: (tree: Tree, faults) => (tree.is === "map" ? callExample : text("a command")).read(tree, faults),
};
const examples = object("the examples", {
  match: optional(list(positioned(example))),
  miss: optional(list(positioned(example))),
});

const rule = objectSoFar("a rule", {
  name: required(positioned(text("a rule's name"))),
  match: required(match),
  tier: required(tier),
  because: required(text("a reason")),
  examples: optional(examples),
  human: optional(flag),
  firm: optional(flag),
  reviewers: optional(reviewers),
  quorum: optional(positioned(quorum)),
  expires: optional(duration),
});
export type RawRule = Read<typeof rule>;

/** A limit that is reached caps; one that caps at `auto` would never do anything. */
const then = refine(tier, (value, tree, faults) => {
  if (value !== "auto") return value;
  faults.add(tree.at, "a limit that ends in `auto` limits nothing", `expected one of ${TIERS.slice(0, -1).join(", ")}`);
  return undefined;
});

const limit = objectSoFar("a limit", {
  name: required(positioned(text("a limit's name"))),
  match: required(match),
  sum: optional(pointer),
  max: required(number("a maximum", { min: 0, whole: false })),
  per: required(duration),
  by: required(oneOf("what a limit counts by", ["agent", "session", "tool", "workspace"])),
  // biome-ignore lint/suspicious/noThenProperty: the file's own word, in a table that nobody awaits
  then: required(then),
});
export type RawLimit = Read<typeof limit>;

const approvals = objectSoFar("the approvals", {
  quorum: optional(positioned(quorum)),
  expires: optional(duration),
  permit: optional(duration),
  escalate: optional(positioned(object("an escalation", { after: required(duration), to: required(reviewers) }))),
  selfReview: optional(flag),
  assurance: optional(oneOf("an assurance", ["person", "any"])),
});

const version = refine(number("a version", { min: 1, whole: true }), (value, tree, faults) => {
  if (value === 1) return value;
  faults.add(tree.at, `version ${value} is not known`, "this Leeway reads version 1");
  return undefined;
});

/** An empty table says nothing, and that is fine: it is what a deleted last row leaves behind. */
function listOf<T>(shape: PolicyShape<T>): PolicyShape<readonly T[]> {
  const filled = list(shape);
  return {
    schema: { type: "array", items: shape.schema },
    read: (tree, faults) => {
      if (tree.is !== "list") return filled.read(tree, faults);
      // Those that are wrong have their faults, and are left out of what comes later.
      return tree.items.flatMap((item) => {
        const read = shape.read(item, faults);
        return read === undefined ? [] : [read];
      });
    },
  };
}

export const document = objectSoFar("a policy", {
  version: optional(version),
  preset: optional(positioned(preset)),
  tier: optional(positioned(tier)),
  tiers: optional(tiers),
  tools: optional(weighed(recordSoFar("a table of tools", tool))),
  agents: optional(recordSoFar("a table of agents", agent)),
  human: optional(positioned(human)),
  reviewers: optional(listOf(reviewer)),
  rules: optional(listOf(weighed(rule))),
  approvals: optional(weighed(approvals)),
  headless: optional(oneOf("what happens where nobody can answer", ["deny", "suggest"])),
  limits: optional(listOf(weighed(limit))),
  channels: optional(channels),
  root: optional(text("a folder")),
});
export type RawPolicy = Read<typeof document>;

/** The same table for editors: `schema/policy.json` ships in the package. */
export const policySchema: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Leeway policy",
  description: "How much leeway AI agents have: leeway.yaml, see docs/policy.md",
  ...document.schema,
};
