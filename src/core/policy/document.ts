import { say } from "../messages/message.ts";
import { BOXED_CLASSES } from "../policy.ts";
import { TIERS } from "../tier.ts";
import type { JsonObject } from "../values/json.ts";
import { agentChannels, channels } from "./channels.ts";
import { object, objectSoFar, optional, recordSoFar, required } from "./map-shape.ts";
import { match } from "./match-shape.ts";
import { packages } from "./packages.ts";
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
import { amount, duration, effectClass, preset, reviewer, size, tier } from "./words.ts";

// The whole policy file as one table. `schema/policy.json` is generated from it.

const reviewers = list(reviewer);
const quorum = number("thing.quorum", { min: 1, whole: true });
const tiers = recordSoFar("thing.table_of_tiers", tier);

const mapOfAnything: PolicyShape<JsonObject> = {
  schema: { type: "object" },
  read: (tree, faults) => {
    if (tree.is === "map") return jsonOf(tree) as JsonObject;
    faults.add(tree.at, say("policy.expected_map", { value: nameOf(tree) }), say("policy.write_map"));
    return undefined;
  },
};

/** A folder that a box leaves open: the whole folder, so a pattern in the middle would promise less than it gives. */
const boxFolder = refine(text("thing.folder"), (given, tree, faults) => {
  const folder = given.replace(/\/\*\*$/, "");
  if (folder !== "" && !/[*?[\]{}]/.test(folder) && !folder.split("/").includes("..")) return folder;
  faults.add(tree.at, say("policy.not_a_box_folder", { folder: given }), say("policy.write_box_folder"));
  return undefined;
});

/** The host of a tool is one host, not a pattern. */
const host = refine(domainPattern, (domain, tree, faults) => {
  if (!domain.includes("*")) return domain;
  faults.add(tree.at, say("policy.not_one_host", { domain }), say("policy.name_host"));
  return undefined;
});

const tool = object("thing.tool", {
  class: required(effectClass),
  domain: optional(host),
  reversible: optional(flag),
  idempotent: optional(flag),
  first: optional(oneOf("thing.value_of_first", ["ask"])),
});

const agent = objectSoFar("thing.agent", {
  tier: optional(positioned(tier)),
  tiers: optional(tiers),
  owner: optional(text("thing.person_name")),
  reviewers: optional(reviewers),
  channels: optional(agentChannels),
});

const marks = objectSoFar("thing.human", {
  tools: optional(list(positioned(text("thing.tool_name")))),
  classes: optional(list(effectClass)),
  agents: optional(list(text("thing.agent_name"))),
  not: optional(list(effectClass)),
});

/** `human: true`, or what it covers. `false` is refused: it would remove nothing, although it reads as if it did. */
const human: PolicyShape<true | Read<typeof marks>> = {
  schema: { anyOf: [{ const: true }, marks.schema] },
  read: (tree, faults) => {
    if (tree.is === "scalar" && tree.value === true) return true;
    if (tree.is === "map") return marks.read(tree, faults);
    faults.add(tree.at, say("policy.human_expected", { value: nameOf(tree) }), say("policy.write_human"));
    return undefined;
  },
};

const callExample = object("thing.example", {
  tool: required(text("thing.tool_name")),
  args: required(mapOfAnything),
  agent: optional(text("thing.agent_name")),
});
const example: PolicyShape<Read<typeof callExample> | string> = {
  schema: { anyOf: [{ type: "string", minLength: 1 }, callExample.schema] },
  read: (tree: Tree, faults) => (tree.is === "map" ? callExample : text("thing.command")).read(tree, faults),
};
const examples = object("thing.examples", {
  match: optional(list(positioned(example))),
  miss: optional(list(positioned(example))),
});

const rule = objectSoFar("thing.rule", {
  name: required(positioned(text("thing.rule_name"))),
  match: required(match),
  tier: required(tier),
  because: required(text("thing.reason")),
  examples: optional(examples),
  human: optional(flag),
  firm: optional(flag),
  reviewers: optional(reviewers),
  quorum: optional(positioned(quorum)),
  expires: optional(duration),
});
export type RawRule = Read<typeof rule>;

/** A reached limit sets an upper bound on the tier; with `auto` it would never have an effect. */
const then = refine(tier, (value, tree, faults) => {
  if (value !== "auto") return value;
  faults.add(tree.at, say("policy.limit_without_effect"), say("policy.use_one_of", { words: TIERS.slice(0, -1) }));
  return undefined;
});

const limit = objectSoFar("thing.limit", {
  name: required(positioned(text("thing.limit_name"))),
  match: required(match),
  sum: optional(amount),
  max: required(number("thing.maximum", { min: 0, whole: false })),
  per: required(duration),
  by: required(oneOf("thing.value_of_by", ["agent", "session", "tool", "workspace"])),
  // biome-ignore lint/suspicious/noThenProperty: the file's own word, in a table that nobody awaits
  then: required(then),
});
export type RawLimit = Read<typeof limit>;

const approvals = objectSoFar("thing.approvals", {
  quorum: optional(positioned(quorum)),
  expires: optional(duration),
  permit: optional(duration),
  escalate: optional(positioned(object("thing.escalation", { after: required(duration), to: required(reviewers) }))),
  selfReview: optional(flag),
  assurance: optional(oneOf("thing.value_of_assurance", ["person", "any"])),
});

/** A box itself needs a few processes. */
const PROCESSES_MIN = 16;

const boxLimits = object("thing.box_limits", {
  memory: optional(size),
  processes: optional(number("thing.processes", { min: PROCESSES_MIN, whole: true })),
  time: optional(duration),
});

const box = object("thing.box", {
  for: optional(listOf(oneOf("thing.boxed_class", BOXED_CLASSES))),
  enforce: optional(flag),
  write: optional(list(boxFolder)),
  network: optional(list(host)),
  packages: optional(packages),
  rehearse: optional(oneOf("thing.value_of_rehearse", ["auto", "never"])),
  limits: optional(boxLimits),
});

const version = refine(number("thing.version", { min: 1, whole: true }), (value, tree, faults) => {
  if (value === 1) return value;
  faults.add(tree.at, say("policy.unknown_version", { version: value }), say("policy.known_version"));
  return undefined;
});

/** An empty table is allowed: it is what remains when the last row is deleted. */
function listOf<T>(shape: PolicyShape<T>): PolicyShape<readonly T[]> {
  const filled = list(shape);
  return {
    schema: { type: "array", items: shape.schema },
    read: (tree, faults) => {
      if (tree.is !== "list") return filled.read(tree, faults);
      // Wrong ones are already reported, and are left out of the later checks.
      return tree.items.flatMap((item) => {
        const read = shape.read(item, faults);
        return read === undefined ? [] : [read];
      });
    },
  };
}

export const document = objectSoFar("thing.policy", {
  version: optional(version),
  preset: optional(positioned(preset)),
  tier: optional(positioned(tier)),
  tiers: optional(tiers),
  tools: optional(weighed(recordSoFar("thing.table_of_tools", tool))),
  agents: optional(recordSoFar("thing.table_of_agents", agent)),
  human: optional(positioned(human)),
  reviewers: optional(listOf(reviewer)),
  rules: optional(listOf(weighed(rule))),
  approvals: optional(weighed(approvals)),
  headless: optional(oneOf("thing.value_of_headless", ["deny", "suggest"])),
  limits: optional(listOf(weighed(limit))),
  channels: optional(channels),
  box: optional(positioned(box)),
  root: optional(text("thing.folder")),
});
export type RawPolicy = Read<typeof document>;

/** The same table for editors: `schema/policy.json` ships in the package. */
export const policySchema: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Leeway policy",
  description: "How much leeway AI agents have: leeway.yaml, see docs/policy.md",
  ...document.schema,
};
