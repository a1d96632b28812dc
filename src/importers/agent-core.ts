import { EFFECT_CLASSES } from "../core/effect.ts";
import { object, optional, required } from "../core/policy/map-shape.ts";
import { flag, list, oneOf, type PolicyShape, positioned, type Read, text } from "../core/policy/shape.ts";
import { memberOf, type Tree } from "../core/policy/tree.ts";
import type { Tier } from "../core/tier.ts";
import type { Json, JsonObject } from "../core/values/json.ts";
import { type Carried, type Imported, imported, translated } from "./imported.ts";

const POLICY_OF: Readonly<Record<string, Tier>> = { AutoApprove: "auto", DenyAll: "deny", Interactive: "ask" };
const LEVELS = ["None", "Read", "Write", "Execute", "Admin"] as const;
type Level = (typeof LEVELS)[number];

const FILES_READ = ["fs.read"];
const FILES_WRITE = [...FILES_READ, "fs.write", "fs.mkdir", "fs.copy", "fs.move"];
const METHODS_READ = ["GET", "HEAD", "OPTIONS"];

/** What a level let a grant reach, by kind of target. Beyond what is listed a grant there covered the kind whole. */
const REACHED: Readonly<Record<"path" | "domain", Readonly<Record<Exclude<Level, "None">, JsonObject>>>> = {
  path: {
    Read: { class: FILES_READ },
    Write: { class: FILES_WRITE },
    Execute: { class: FILES_WRITE },
    Admin: { class: EFFECT_CLASSES.filter((name) => name.startsWith("fs.")) },
  },
  domain: {
    Read: { method: METHODS_READ },
    Write: { method: [...METHODS_READ, "POST", "PUT", "PATCH"] },
    Execute: {},
    Admin: {},
  },
};

const TARGETS = {
  path: object("a path target", {
    type: required(text("a type")),
    path: required(text("a path")),
    recursive: required(flag),
  }),
  domain: object("a domain target", { type: required(text("a type")), pattern: required(text("a pattern")) }),
  command: object("a command target", { type: required(text("a type")), pattern: required(text("a pattern")) }),
  tool: object("a tool target", { type: required(text("a type")), tool_name: required(text("a tool's name")) }),
} as const;
type Target =
  | ({ is: "path" } & Read<typeof TARGETS.path>)
  | ({ is: "domain" } & Read<typeof TARGETS.domain>)
  | ({ is: "command" } & Read<typeof TARGETS.command>)
  | ({ is: "tool" } & Read<typeof TARGETS.tool>);

const target: PolicyShape<Target> = {
  schema: { type: "object" },
  read: (tree, faults) => {
    const kinds = { path: "path", domain: "domain", command: "command", tool: "tool" } as const;
    const is = translated(memberOf(tree, "type") ?? tree, kinds, "a type of target", faults);
    const read = is === undefined ? undefined : TARGETS[is].read(tree, faults);
    return read === undefined ? undefined : ({ is, ...read } as Target);
  },
};

const policyName: PolicyShape<Tier> = {
  schema: { enum: Object.keys(POLICY_OF) },
  read: (tree, faults) => translated(tree, POLICY_OF, "a policy", faults),
};

const file = object("an agent-core policy", {
  policy: required(policyName),
  reason: optional(text("a reason")),
  grants: optional(
    list(
      positioned(
        object("a grant", {
          target: required(target),
          level: required(oneOf("a level", LEVELS)),
          expires: optional(text("a time")),
        }),
      ),
    ),
  ),
});
type Grant = NonNullable<Read<typeof file>["grants"]>[number];

export function importAgentCore(tree: Tree): Imported {
  return imported("agent-core", (faults) => {
    const read = file.read(tree, faults);
    return read === undefined ? undefined : carry(read);
  });
}

/** A grant there came before the policy, even before one that denies; a rule comes before the policy's tier likewise. */
function carry({ policy, reason, grants = [] }: Read<typeof file>): Carried {
  const carried = grants.map((grant, i) => ({ grant, i, left: notCarried(grant) }));
  const rules = carried.filter(({ left }) => left === undefined).map(({ grant, i }) => ruleOf(grant, i));
  return {
    policy: { version: 1, tier: policy, ...(rules.length === 0 ? {} : { rules }) },
    notCarriedOver: [
      ...carried.flatMap(({ i, left }) => (left === undefined ? [] : [`grant ${i + 1}: ${left}`])),
      ...(reason === undefined ? [] : [`the text of a denial, \`${reason}\`: a denial names its rule or row`]),
      ...(rules.length === 0 ? [] : ["grants lasted a session there; as rules they hold until the file changes"]),
      ...(policy === "auto" ? ["a tool that is not known was approved there; here it asks"] : []),
    ],
  };
}

/** Left out rather than widened: what is missing asks. */
function notCarried({ value: { target: on, level, expires } }: Grant): string | undefined {
  if (level === "None") return "level None permits nothing";
  if (expires !== undefined)
    return `it expires (${expires}), and a rule does not; give it anew with \`leeway grants add\``;
  if (on.is === "path" && /[*?]/.test(on.path)) return `\`${on.path}\` would be read as a pattern`;
  if (on.is === "path" && /(^|\/)\.\.(\/|$)/.test(on.path)) return `\`${on.path}\` is not resolved`;
  if (on.is === "command" && /[;|&<>`]|\$\(/.test(on.pattern)) return `\`${on.pattern}\` is more than one command`;
  return on.is === "command" && level !== "Execute" && level !== "Admin"
    ? "running a command takes Execute"
    : undefined;
}

function ruleOf({ value: { target: on, level } }: Grant, i: number): JsonObject {
  const reached = level === "None" || on.is === "command" || on.is === "tool" ? {} : REACHED[on.is][level];
  return {
    name: `grant-${i + 1}`,
    match: { ...patternOf(on), ...reached },
    tier: "auto",
    because: `granted there at level ${level}`,
  };
}

function patternOf(on: Target): { [key: string]: Json } {
  switch (on.is) {
    case "path": {
      const path = on.path.replace(/(\/|^)(\.\/?)+/g, "$1").replace(/(.)\/+$/, "$1");
      const below = on.recursive ? "**" : "*";
      return { path: path === "" ? [below] : [path, path === "/" ? `/${below}` : `${path}/${below}`] };
    }
    case "domain":
      return { domain: [on.pattern] };
    case "command":
      return { command: [on.pattern] };
    case "tool":
      return { tool: [`tool:${on.tool_name}`] };
  }
}
