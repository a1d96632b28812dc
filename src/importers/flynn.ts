import { DANGEROUS_TOOLS } from "../core/decide/resolve-preset.ts";
import type { EffectClass } from "../core/effect.ts";
import { say } from "../core/messages/message.ts";
import { object, optional, required } from "../core/policy/map-shape.ts";
import { list, oneOf, type PolicyShape, positioned, type Read, refine, text } from "../core/policy/shape.ts";
import { memberOf, type Tree } from "../core/policy/tree.ts";
import { PRESETS } from "../core/policy.ts";
import type { Tier } from "../core/tier.ts";
import { HOST_PREFIX } from "../core/tool-name.ts";
import { globMatches, isGlob } from "../core/values/glob.ts";
import type { JsonObject } from "../core/values/json.ts";
import { COMMANDS, FAMILIES, isKnown, namesTool, TOOLS, toolPattern } from "./flynn-tools.ts";
import { otherKeys, partial, partsOf } from "./host-rules.ts";
import {
  type Carried,
  EVERY_COMMAND,
  GRAVER_WRITES,
  type Imported,
  imported,
  refuseDecidersBelow,
  translated,
  withoutOutweighed,
  written,
} from "./imported.ts";

const patterns = list(toolPattern);
const KEYS = ["hooks", "agents", "tool_policy", "immutable_denylist", "sensitive_mode"];
/** Keys that decide something wherever they stand: for one agent, or one provider of models. */
const DECIDERS = ["tool_policy", "immutable_denylist", "sensitive_mode", "autonomy_level"];
const UNSET = ["agents.autonomy_level", "immutable_denylist.*.args_pattern", "immutable_denylist.*.reason"];
const LISTS = [
  ...["hooks.confirm", "hooks.log", "hooks.silent", "tool_policy.allow", "tool_policy.deny", "immutable_denylist"],
];
const SENSITIVE: Readonly<Record<string, Tier>> = {
  deny_without_elevation: "deny",
  confirm_without_elevation: "ask",
};
const PROFILES = ["minimal", "messaging", "coding", "full"] as const;

/** Only Flynn knows what a profile contains, so we cannot tell which tools of `allow` it lets through. */
const toolPolicy = refine(
  object("thing.tool_policy", {
    profile: optional(positioned(oneOf("thing.profile", PROFILES))),
    allow: optional(patterns),
    deny: optional(patterns),
  }),
  ({ profile, ...rest }, _tree, faults) => {
    if (profile === undefined || profile.value === "full" || rest.allow === undefined) {
      return { ...rest, profile: profile?.value ?? "full" };
    }
    faults.add(profile.at, say("import.unknown_profile", { name: profile.value }), say("import.remove_profile"));
    return undefined;
  },
);

/** An empty table counts as none. */
const reason: PolicyShape<string> = {
  schema: { type: "string" },
  read: (tree, faults) => (tree.is === "scalar" && tree.value === "" ? "" : text("thing.reason").read(tree, faults)),
};
const sensitiveMode: PolicyShape<Tier> = {
  schema: { enum: Object.keys(SENSITIVE) },
  read: (tree, faults) => translated(tree, SENSITIVE, "thing.sensitive_mode", faults),
};

const config = object("thing.flynn_config", {
  hooks: optional(
    object("thing.hooks", { confirm: optional(patterns), log: optional(patterns), silent: optional(patterns) }),
  ),
  agents: optional(
    partial(object("thing.agents", { autonomy_level: optional(oneOf("thing.autonomy_level", PRESETS)) }), [
      "autonomy_level",
    ]),
  ),
  tool_policy: optional(toolPolicy),
  immutable_denylist: optional(
    list(
      object("thing.denied_tool", {
        tool: required(toolPattern),
        args_pattern: optional(text("thing.pattern")),
        reason: optional(reason),
      }),
    ),
  ),
  sensitive_mode: optional(sensitiveMode),
});
type FlynnConfig = Read<typeof config>;

export function importFlynn(tree: Tree): Imported {
  return imported({ from: "flynn", unset: UNSET, empty: LISTS }, tree, (given, faults) => {
    const read = partsOf(config, KEYS, given, faults);
    refuseDecidersBelow(besides(given, KEYS), DECIDERS, faults);
    refuseDecidersBelow(besides(memberOf(given, "agents") ?? given, [...KEYS, "autonomy_level"]), DECIDERS, faults);
    return read === undefined ? undefined : carry(read, othersIn(given));
  });
}

function othersIn(given: Tree): readonly string[] {
  const ofAgents = otherKeys(memberOf(given, "agents") ?? given, [...KEYS, "autonomy_level"]);
  return [
    ...otherKeys(given, KEYS),
    ...(memberOf(given, "agents") === undefined ? [] : ofAgents.map((key) => `agents.${key}`)),
  ];
}

function besides(tree: Tree, keys: readonly string[]): Tree {
  return tree.is === "map" ? { ...tree, members: tree.members.filter(({ key }) => !keys.includes(key)) } : tree;
}

type Rule = { name: string; match: JsonObject; tier: Tier; because: string; firm?: true };

/**
 * Hooks become rules: of several that match the strictest wins, as confirm came before log and silent. What no hook
 * named ran silently: that is the policy-wide tier. The level, by default `standard`, adds its tools.
 */
function carry(flynn: FlynnConfig, others: readonly string[]): Carried {
  const level = flynn.agents?.autonomy_level ?? "standard";
  const { confirm = [], log = [], silent = [] } = flynn.hooks ?? {};
  const rules = withoutOutweighed([
    ...rule("hooks-confirm", confirm, "ask", "a confirm hook names it"),
    ...rule("hooks-log", log, "auto", "a log hook names it"),
    ...rule("hooks-silent", silent, "auto", "a silent hook names it"),
    ...(level === "autonomous" ? [] : dangerous(level)),
    ...sensitive(flynn.sensitive_mode),
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
            `args_pattern of ${entry.tool}: every call of it is denied; narrow the rule with match.args or match.command`,
        ),
      ...patternNotes(flynn),
      ...(flynn.sensitive_mode === undefined
        ? []
        : [
            "which tools are host-sensitive: the file does not say, so the rule is for the six dangerous tools and every command",
          ]),
      ...(log.length === 0 ? [] : ["louder logging of log hooks: everything is in the ledger"]),
      ...(others.length === 0 ? [] : [`settings that are not permissions: ${others.join(", ")}`]),
      "in Flynn an unknown tool ran silently; in Leeway it asks until `tools` says what it does",
    ],
  };
}

/**
 * A rule for the tools. If one of them runs commands, also a rule for every command. If it is about all tools of a
 * kind, also a rule for everything that does the same.
 */
function rule(name: string, tools: readonly string[], tier: Tier, because: string): Rule[] {
  if (tools.length === 0) return [];
  const named: Rule = { name, match: { tool: [...new Set(tools.map(written))].sort() }, tier, because };
  const givesCommands = tools.some((tool) => COMMANDS.some((command) => namesTool(tool, command)));
  if (tier === "auto" || tools.some(isEverything)) return [named];
  const classes = classesMeant(tools);
  return [
    named,
    ...(givesCommands ? [{ name: `${name}-commands`, match: EVERY_COMMAND, tier, because }] : []),
    ...(classes.length === 0 ? [] : [{ name: `${name}-classes`, match: { class: [...classes] }, tier, because }]),
  ];
}

function classesMeant(tools: readonly string[]): readonly EffectClass[] {
  return FAMILIES.filter((family) => isMeant(family.tools, tools)).flatMap(({ classes }) => classes);
}

function isMeant(family: readonly string[], tools: readonly string[]): boolean {
  return family.every((tool) => tools.some((pattern) => namesTool(pattern, tool)));
}

/** A level confirmed tools that write files and start programs; tools with other names that do so are confirmed too. */
function dangerous(level: string): Rule[] {
  const because = `${level} confirms dangerous tools`;
  return [
    ...rule(`level-${level}`, DANGEROUS_TOOLS, "ask", because).filter(({ match }) => match.class === undefined),
    {
      name: `level-${level}-classes`,
      match: { class: ["fs.write", "process.exec", ...GRAVER_WRITES] },
      tier: "ask",
      because,
    },
  ];
}

/** In Flynn a tool that touches the host needed an elevation by a person, which is a grant in Leeway. */
function sensitive(tier: Tier | undefined): Rule[] {
  return tier === undefined ? [] : rule("sensitive-mode", DANGEROUS_TOOLS, tier, "it needed an elevation");
}

/** Only Flynn knows the tools of a profile, so every profile except `full` denies everything. */
function notAllowed(policy: FlynnConfig["tool_policy"]): Rule[] {
  const { profile = "full", allow = [] } = policy ?? {};
  const because = "the tool policy does not allow it";
  if (profile !== "full")
    return [{ name: "tool-policy-profile", match: { tool: [written("*")] }, tier: "deny", because }];
  if (allow.length === 0) return [];
  // In Flynn a dot was a dot: `*_*` did not match `shell.exec`, although hosts may call it `shell_exec`.
  const fits = (glob: string, tool: string) => (isGlob(glob) ? globMatches(glob, tool) : namesTool(glob, tool));
  const allowed = (tool: string) => allow.some((pattern) => fits(pattern, tool));
  const closed = TOOLS.filter((tool) => !allowed(tool));
  const expression = `!re2(call.tool, ${JSON.stringify(`^(${allow.map(regexOf).join("|")})$`)})`;
  return [
    { name: "tool-policy-allow", match: { when: expression }, tier: "deny", because },
    // A pattern may match a prefix of the host, or another spelling, even if it does not match the tool.
    {
      name: "tool-policy-spelling",
      match: { when: `!re2(call.tool, ${JSON.stringify(PLAIN)}) || re2(call.tool, ${JSON.stringify(HOST)})` },
      tier: "deny",
      because,
    },
    ...(closed.length === 0
      ? []
      : [{ name: "tool-policy-closed", match: { tool: closed.map(written) }, tier: "deny", because } as const]),
    ...closedCommands(COMMANDS.filter(allowed), because),
  ];
}

/** Another tool that runs a command is treated as `shell.exec`. */
function closedCommands(open: readonly string[], because: string): Rule[] {
  if (open.includes("shell.exec")) return [];
  const name = "tool-policy-commands";
  if (open.length === 0) return [{ name, match: EVERY_COMMAND, tier: "deny", because }];
  const others = `!re2(call.tool, ${JSON.stringify(`^(${open.map((tool) => tool.replace(".", "[._]")).join("|")})$`)})`;
  return [{ name, match: { ...EVERY_COMMAND, when: others }, tier: "deny", because }];
}

const PLAIN = "^[A-Za-z0-9_.:/-]+$";
const HOST = `(?i)${HOST_PREFIX.source}`;

/** Written with brackets, because YAML, CEL and RE2 would each read a backslash. A server has two spellings. */
function regexOf(glob: string): string {
  const plain = glob.replace(/[.+^${}()|[\]\\?]/g, (c) => (c === "^" ? "\\^" : `[${c}]`)).replaceAll("*", ".*");
  const served = /^mcp:(.*)$/.exec(plain)?.[1];
  return served === undefined ? plain : `${plain}|mcp__${served.replace("/", "__")}`;
}

/** What a list says only by name, and names that we do not know. */
function patternNotes({ hooks, tool_policy: policy, immutable_denylist: never = [] }: FlynnConfig): string[] {
  const strict = [hooks?.confirm, policy?.deny, never.map(({ tool }) => tool)].map((tools) => tools ?? []);
  const all = [...strict, hooks?.log ?? [], hooks?.silent ?? [], policy?.allow ?? []].flat();
  const alone = strict.flatMap((tools) =>
    [...new Set(FAMILIES.flatMap((family) => (isMeant(family.tools, tools) ? [] : family.tools)))].filter((tool) =>
      tools.some((pattern) => !isEverything(pattern) && namesTool(pattern, tool)),
    ),
  );
  return [
    ...[...new Set(alone)].map(
      (tool) =>
        `${tool}: other tools with the same effect are not covered; name their class in a rule to cover them too`,
    ),
    ...[...new Set(all)]
      .filter((pattern) => !isKnown(pattern))
      .map(
        (pattern) =>
          `\`${pattern}\` is not a known tool of Flynn: the rule applies only to tools with exactly this name`,
      ),
  ];
}

function isEverything(pattern: string): boolean {
  return /^\*+$/.test(pattern);
}

function profileNotes(policy: FlynnConfig["tool_policy"]): string[] {
  const { profile = "full" } = policy ?? {};
  return profile === "full"
    ? []
    : [`the tools of profile ${profile}: the file does not list them, so every tool is denied`];
}

function denied(entries: NonNullable<FlynnConfig["immutable_denylist"]>): Rule[] {
  return entries.flatMap((entry, i) =>
    rule(`immutable-${i + 1}`, [entry.tool], "deny", entry.reason || "the immutable denylist names it").map(
      (made): Rule => ({ ...made, firm: true }),
    ),
  );
}
