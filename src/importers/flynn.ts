import { DANGEROUS_TOOLS } from "../core/decide/resolve-preset.ts";
import { object, optional, required } from "../core/policy/map-shape.ts";
import { knownNames, toolName } from "../core/policy/names.ts";
import { list, oneOf, positioned, type Read, refine, text } from "../core/policy/shape.ts";
import type { Tree } from "../core/policy/tree.ts";
import { PRESETS } from "../core/policy.ts";
import type { Tier } from "../core/tier.ts";
import { canonicalTool, toolGlobMatches } from "../core/tool-name.ts";
import { isGlob } from "../core/values/glob.ts";
import type { JsonObject } from "../core/values/json.ts";
import { type Carried, EVERY_COMMAND, type Imported, imported, withoutOutweighed, written } from "./imported.ts";

/** Its tools that give commands. */
const COMMANDS = ["shell.exec", "shell.run", "process.start"];
/** Its other tools, as far as they are known here: a name that is almost one of them is a slip. */
const OTHERS = [
  ...["browser.click", "browser.eval", "browser.type", "cron.create", "cron.delete", "media.send", "memory.write"],
  ...["agent.delegate", "message.send", "sessions.delete", "web.fetch", "web.search"],
];
const KNOWN = knownNames([...DANGEROUS_TOOLS, ...COMMANDS, ...OTHERS]);

/** Groups were lists of names inside that program; a file that uses one does not say what it means. */
const pattern = refine(text("a tool pattern"), (name, tree, faults) => {
  if (!name.startsWith("group:")) return isGlob(name) ? name : toolName({ value: name, at: tree.at }, KNOWN, faults);
  faults.add(tree.at, `the file does not say which tools \`${name}\` holds`, "list the tools instead of the group");
  return undefined;
});
const patterns = list(pattern);
/** What a file may leave open. */
const WORDS = [
  ...["hooks", "confirm", "log", "silent", "agents", "autonomy_level", "tool_policy", "profile", "allow", "deny"],
  ...["immutable_denylist", "args_pattern", "reason"],
];
const PROFILES = ["minimal", "messaging", "coding", "full"] as const;

/** What a profile holds only the program knows, so nobody can tell which of the tools that `allow` names it lets through. */
const toolPolicy = refine(
  object("a tool policy", {
    profile: optional(positioned(oneOf("a profile", PROFILES))),
    allow: optional(patterns),
    deny: optional(patterns),
  }),
  ({ profile, ...rest }, _tree, faults) => {
    if (profile === undefined || profile.value === "full" || rest.allow === undefined) {
      return { ...rest, profile: profile?.value ?? "full" };
    }
    faults.add(
      profile.at,
      `the file does not say which tools profile \`${profile.value}\` holds`,
      "remove `profile`, and let `allow` name every tool that may be used",
    );
    return undefined;
  },
);

const config = object("a Flynn configuration", {
  hooks: optional(
    object("the hooks", { confirm: optional(patterns), log: optional(patterns), silent: optional(patterns) }),
  ),
  agents: optional(object("the agents", { autonomy_level: optional(oneOf("an autonomy level", PRESETS)) })),
  tool_policy: optional(toolPolicy),
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
  return imported({ from: "flynn", words: WORDS }, tree, (given, faults) => {
    const read = config.read(given, faults);
    return read === undefined ? undefined : carry(read);
  });
}

type Rule = { name: string; match: JsonObject; tier: Tier; because: string; firm?: true };

/**
 * Hooks become rules, because of several that match the strictest holds, as confirm came before log and silent. What no
 * hook named ran silently: that is the policy-wide tier. The level, `standard` where none is given, adds its tools.
 */
function carry(flynn: FlynnConfig): Carried {
  const level = flynn.agents?.autonomy_level ?? "standard";
  const { confirm = [], log = [], silent = [] } = flynn.hooks ?? {};
  const rules = withoutOutweighed([
    ...rule("hooks-confirm", confirm, "ask", "a confirm hook names it"),
    ...rule("hooks-log", log, "auto", "a log hook names it"),
    ...rule("hooks-silent", silent, "auto", "a silent hook names it"),
    ...(level === "autonomous" ? [] : dangerous(level)),
    ...rule("tool-policy-deny", flynn.tool_policy?.deny ?? [], "deny", "the tool policy denies it"),
    ...notAllowed(flynn.tool_policy),
    ...denied(flynn.immutable_denylist ?? []),
  ]);
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

/** A rule for the tools, and where it is about a tool that gives commands one for every command, whichever tool gives it. */
function rule(name: string, tools: readonly string[], tier: Tier, because: string): Rule[] {
  if (tools.length === 0) return [];
  const named: Rule = { name, match: { tool: [...new Set(tools.map(written))].sort() }, tier, because };
  const givesCommands = tools.some((tool) => COMMANDS.some((command) => namesTool(tool, command)));
  if (tier === "auto" || !givesCommands) return [named];
  return [named, { name: `${name}-commands`, match: EVERY_COMMAND, tier, because }];
}

function namesTool(pattern: string, tool: string): boolean {
  return isGlob(pattern) ? toolGlobMatches(pattern, tool) : canonicalTool(pattern) === canonicalTool(tool);
}

/** A level confirmed the tools that write files and start programs; tools of other names that do so are confirmed too. */
function dangerous(level: string): Rule[] {
  const because = `${level} confirms dangerous tools`;
  return [
    ...rule(`level-${level}`, DANGEROUS_TOOLS, "ask", because),
    { name: `level-${level}-classes`, match: { class: ["fs.write", "process.exec"] }, tier: "ask", because },
  ];
}

/** A profile names tools that only the program knows, so that every profile but `full` denies everything. */
function notAllowed(policy: FlynnConfig["tool_policy"]): Rule[] {
  const { profile = "full", allow = [] } = policy ?? {};
  const because = "the tool policy does not allow it";
  if (profile !== "full")
    return [{ name: "tool-policy-profile", match: { tool: [written("*")] }, tier: "deny", because }];
  if (allow.length === 0) return [];
  const expression = `!re2(call.tool, ${JSON.stringify(`^(${allow.map(regexOf).join("|")})$`)})`;
  return [{ name: "tool-policy-allow", match: { when: expression }, tier: "deny", because }];
}

/** Written with brackets, because a backslash would be read by YAML, by CEL and by RE2 in turn. */
function regexOf(glob: string): string {
  return glob.replace(/[.+^${}()|[\]\\?]/g, (c) => (c === "^" ? "\\^" : `[${c}]`)).replaceAll("*", ".*");
}

function profileNotes(policy: FlynnConfig["tool_policy"]): string[] {
  const { profile = "full" } = policy ?? {};
  return profile === "full"
    ? []
    : [`the tools of profile ${profile}: the file does not list them, so every tool is denied`];
}

function denied(entries: NonNullable<FlynnConfig["immutable_denylist"]>): Rule[] {
  return entries.flatMap((entry, i) =>
    rule(`immutable-${i + 1}`, [entry.tool.value], "deny", entry.reason ?? "the immutable denylist names it").map(
      (made): Rule => ({ ...made, firm: true }),
    ),
  );
}
