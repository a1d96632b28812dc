import { DANGEROUS_TOOLS } from "../core/decide/resolve-preset.ts";
import { object, optional, required } from "../core/policy/map-shape.ts";
import {
  type Faults,
  list,
  oneOf,
  type PolicyShape,
  positioned,
  type Read,
  refine,
  text,
} from "../core/policy/shape.ts";
import type { Tree } from "../core/policy/tree.ts";
import { PRESETS } from "../core/policy.ts";
import type { JsonObject } from "../core/values/json.ts";
import { type Carried, type Imported, imported } from "./imported.ts";

/** Groups were lists of names inside that program; a file that uses one does not say what it means. */
const pattern = refine(text("a tool pattern"), (name, tree, faults) => {
  if (!name.startsWith("group:")) return name;
  faults.add(tree.at, `the file does not say which tools \`${name}\` holds`, "list the tools instead of the group");
  return undefined;
});
/** Empty lists are common there and say nothing. */
const patterns: PolicyShape<readonly string[]> = {
  schema: { type: "array" },
  read: (tree, faults) => (tree.is === "list" && tree.items.length === 0 ? [] : list(pattern).read(tree, faults)),
};
const PROFILES = ["minimal", "messaging", "coding", "full"] as const;

const config = object("a Flynn configuration", {
  hooks: optional(
    object("the hooks", { confirm: optional(patterns), log: optional(patterns), silent: optional(patterns) }),
  ),
  agents: optional(object("the agents", { autonomy_level: optional(oneOf("an autonomy level", PRESETS)) })),
  tool_policy: optional(
    object("a tool policy", {
      profile: optional(oneOf("a profile", PROFILES)),
      allow: optional(patterns),
      deny: optional(patterns),
    }),
  ),
  immutable_denylist: optional(
    list(
      object("a denied tool", {
        tool: required(positioned(pattern)),
        args_pattern: optional(text("a pattern")),
        reason: optional(text("a reason")),
      }),
    ),
  ),
});
type FlynnConfig = Read<typeof config>;

export function importFlynn(tree: Tree): Imported {
  return imported("flynn", (faults: Faults) => {
    const read = config.read(tree, faults);
    return read === undefined ? undefined : carry(read);
  });
}

/**
 * Hooks become rules, because of several that match the strictest holds, as confirm came before log and silent. What no
 * hook named ran silently: that is the policy-wide tier. The level, `standard` where none is given, adds its tools.
 */
function carry(flynn: FlynnConfig): Carried {
  const level = flynn.agents?.autonomy_level ?? "standard";
  const { confirm = [], log = [], silent = [] } = flynn.hooks ?? {};
  const rules = [
    rule("hooks-confirm", confirm, "ask", "a confirm hook names it"),
    rule("hooks-log", log, "auto", "a log hook names it"),
    rule("hooks-silent", silent, "auto", "a silent hook names it"),
    rule(`level-${level}`, level === "autonomous" ? [] : DANGEROUS_TOOLS, "ask", `${level} confirms dangerous tools`),
    rule("tool-policy-deny", flynn.tool_policy?.deny ?? [], "deny", "the tool policy denies it"),
    ...notAllowed(flynn.tool_policy),
    ...denied(flynn.immutable_denylist ?? []),
  ].flat();
  return {
    policy: { version: 1, tier: "auto", ...(rules.length === 0 ? {} : { rules }) },
    notCarriedOver: [
      ...profileNotes(flynn.tool_policy),
      ...(flynn.immutable_denylist ?? [])
        .filter((entry) => entry.args_pattern !== undefined)
        .map(
          (entry) =>
            `args_pattern of ${entry.tool.value}: every call of it is denied; narrow the rule with match.args or match.command`,
        ),
      ...(log.length === 0 ? [] : ["louder logging of log hooks: everything is in the ledger"]),
      "a tool that is not known ran silently there; here it asks until `tools` says what it does",
    ],
  };
}

function rule(name: string, tools: readonly string[], tier: string, because: string): JsonObject[] {
  return tools.length === 0 ? [] : [{ name, match: { tool: tools.map(named) }, tier, because }];
}

/** Its patterns are about names of tools, whatever they look like to us. */
function named(tool: string): string {
  return `tool:${tool}`;
}

/** A profile names tools that only the program knows, so but for `full` everything is denied that `allow` does not name. */
function notAllowed(policy: FlynnConfig["tool_policy"]): JsonObject[] {
  const { profile = "full", allow = [] } = policy ?? {};
  if (profile === "full" && allow.length === 0) return [];
  const because = "the tool policy does not allow it";
  if (allow.length === 0) return [{ name: "tool-policy-allow", match: { tool: "*" }, tier: "deny", because }];
  const expression = `!re2(call.tool, ${JSON.stringify(`^(${allow.map(regexOf).join("|")})$`)})`;
  return [{ name: "tool-policy-allow", match: { when: expression }, tier: "deny", because }];
}

/** Written with brackets, because a backslash would be read by YAML, by CEL and by RE2 in turn. */
function regexOf(glob: string): string {
  return glob
    .replace(/[.+^${}()|[\]\\?]/g, (c) => (c === "?" ? "." : c === "^" ? "\\^" : `[${c}]`))
    .replaceAll("*", ".*");
}

function profileNotes(policy: FlynnConfig["tool_policy"]): string[] {
  const { profile = "full", allow = [] } = policy ?? {};
  if (profile === "full") return [];
  const rest = allow.length === 0 ? "every tool is denied" : "only what `allow` names is not denied";
  return [`the tools of profile ${profile}: the file does not list them, so ${rest}`];
}

function denied(entries: NonNullable<FlynnConfig["immutable_denylist"]>): JsonObject[] {
  return entries.map((entry, i) => ({
    name: `immutable-${i + 1}`,
    match: { tool: [named(entry.tool.value)] },
    tier: "deny",
    because: entry.reason ?? "the immutable denylist names it",
    firm: true,
  }));
}
