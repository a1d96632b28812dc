import { object, optional, required } from "../core/policy/map-shape.ts";
import {
  type Faults,
  flag,
  list,
  number,
  oneOf,
  oneOrMany,
  type PolicyShape,
  type Read,
  text,
} from "../core/policy/shape.ts";
import type { Tree } from "../core/policy/tree.ts";
import {
  BUILD_FILES,
  byDefault,
  COMMANDS,
  EDIT,
  limitOf,
  prefixed,
  restrictedTool,
  SHELL,
  spellings,
} from "./gemini-tools.ts";
import {
  allowedChains,
  allowedCommand,
  type HostRule,
  type Named,
  restrictedCommand,
  type TextPattern,
} from "./host-commands.ts";
import { distinct, serverTools, toolRule } from "./host-rules.ts";
import { type Carried, translated } from "./imported.ts";

// A policy file of Gemini CLI: a list of rules in TOML, of which the one with the highest priority decided.

const DECISIONS = { allow: "auto", deny: "deny", ask_user: "ask" } as const;
type Decided = (typeof DECISIONS)[keyof typeof DECISIONS];

const decision: PolicyShape<Decided> = {
  schema: { enum: Object.keys(DECISIONS) },
  read: (tree, faults) => translated(tree, DECISIONS, "thing.decision", faults),
};
const names = oneOrMany(text("thing.tool_name"));
const anything: PolicyShape<true> = { schema: {}, read: () => true };
const rule = object("thing.policy_rule", {
  name: optional(text("thing.name")),
  toolName: optional(names),
  subagent: optional(text("thing.agent_name")),
  mcpName: optional(text("thing.host_server")),
  argsPattern: optional(text("thing.pattern")),
  commandPrefix: optional(oneOrMany(text("thing.pattern"))),
  commandRegex: optional(text("thing.pattern")),
  decision: required(decision),
  priority: optional(number("thing.level", { min: 0, whole: true })),
  modes: optional(list(oneOf("thing.mode", ["default", "autoEdit", "plan", "yolo"]))),
  interactive: optional(flag),
  toolAnnotations: optional(anything),
  allowRedirection: optional(flag),
  allow_redirection: optional(flag),
  denyMessage: optional(text("thing.reason")),
  deny_message: optional(text("thing.reason")),
});
type PolicyRule = Read<typeof rule>;
const file = object("thing.host_settings", { rule: optional(list(rule)), safety_checker: optional(anything) });
export type PolicyFile = Read<typeof file>;

export function readPolicyFile(tree: Tree, faults: Faults): PolicyFile | undefined {
  return file.read(tree, faults);
}

type Converted = { rules: readonly HostRule[]; commands: readonly TextPattern[]; note?: string };

export function carryPolicy({ rule: rules = [], safety_checker: checkers }: PolicyFile): Carried {
  const made = rules.map((one, i) => (one.decision === "auto" ? allowed(one, i) : restricted(one, i)));
  const chains = allowedChains(
    COMMANDS,
    made.flatMap(({ commands }) => commands),
    "Gemini CLI allowed each of these commands",
  );
  const edits = rules.some(
    (one) => one.decision === "auto" && (one.toolName ?? []).some((name) => EDIT.includes(name)),
  );
  return {
    policy: {
      version: 1,
      tier: "ask",
      rules: distinct([
        ...made.flatMap((one) => one.rules),
        ...(chains === undefined ? [] : [chains]),
        ...byDefault(false),
        ...(edits ? [BUILD_FILES] : []),
      ]),
    },
    notCarriedOver: [
      ...made.flatMap(({ note }) => (note === undefined ? [] : [note])),
      "in Gemini CLI the rule with the highest priority decided; in Leeway the strictest rule does, so an exception from a question or a denial may still ask",
      ...(checkers === true ? ["safety_checker: Leeway's own checks of paths and commands apply instead"] : []),
      ...(rules.some((one) => one.allowRedirection === true || one.allow_redirection === true)
        ? ["allowRedirection: a command with a redirection asks"]
        : []),
    ],
  };
}

function nameOf(one: PolicyRule, i: number): string {
  return `rule ${i + 1}${one.name === undefined ? "" : ` ${one.name}`}`;
}

function notCarried(one: PolicyRule, i: number, why: string): Converted {
  return { rules: [], commands: [], note: `${nameOf(one, i)}: ${why}` };
}

/** A rule that allows is left out if it did so only sometimes, or by a pattern that Leeway cannot compare. */
function allowed(one: PolicyRule, i: number): Converted {
  const named = { name: nameOf(one, i), because: "Gemini CLI's policy allowed it" };
  const why = onlySometimes(one);
  if (why !== undefined) return notCarried(one, i, why);
  if (one.commandPrefix !== undefined) return allowedPrefixes(one, i, named);
  if (one.commandRegex !== undefined || one.argsPattern !== undefined)
    return notCarried(one, i, "a regular expression that allows is not converted");
  const tools = one.toolName ?? ["*"];
  if (one.mcpName !== undefined) {
    if (one.mcpName === "*") return notCarried(one, i, "it allows every server, which is never converted");
    const rules = [
      toolRule(
        tools.flatMap((tool) => serverTools(one.mcpName ?? "", tool)),
        "auto",
        named,
      ),
    ];
    return { rules, commands: [], note: `${named.name}: tools of a server ask until \`tools\` says what they do` };
  }
  if (tools.some((tool) => tool.includes("*")))
    return notCarried(one, i, "it allows every tool, which is never converted");
  const rules = tools.map((tool) =>
    toolRule(spellings(tool), "auto", { ...named, name: `${named.name} ${tool}` }, limitOf(tool)),
  );
  return { rules, commands: [] };
}

function onlySometimes(one: PolicyRule): string | undefined {
  if (one.modes !== undefined && !one.modes.includes("default")) return `it applies only in ${one.modes.join(", ")}`;
  if (one.interactive !== undefined) return "it applies only with a person there, or only without one";
  if (one.subagent !== undefined) return `it applies only to ${one.subagent}`;
  return one.toolAnnotations === undefined ? undefined : "Leeway does not believe what a tool says about itself";
}

function allowedPrefixes(one: PolicyRule, i: number, named: Named): Converted {
  const isShell = one.toolName === undefined || one.toolName.every((tool) => tool === SHELL);
  if (!isShell || one.mcpName !== undefined) return notCarried(one, i, "commandPrefix is only for run_shell_command");
  const patterns = (one.commandPrefix ?? []).map(prefixed);
  const rules = patterns.map((pattern) => allowedCommand(COMMANDS, pattern, named));
  const isWhole = rules.every((found) => found !== undefined);
  return {
    rules: rules.flatMap((found) => found ?? []),
    commands: patterns,
    ...(isWhole ? {} : { note: `${named.name}: it has signs of the shell, so it cannot be compared safely` }),
  };
}

/** A denial or a question. By a regular expression it becomes a question about every call of the tool. */
function restricted(one: PolicyRule, i: number): Converted {
  const because = one.denyMessage ?? one.deny_message ?? "Gemini CLI's policy denied it, or asked about it";
  const named = { name: nameOf(one, i), because };
  const tier = one.decision;
  if (one.commandPrefix !== undefined) {
    return { rules: one.commandPrefix.map((start) => restrictedCommand(prefixed(start), tier, named)), commands: [] };
  }
  const isByPattern = one.argsPattern !== undefined || one.commandRegex !== undefined;
  const exact = one.toolAnnotations === undefined && !isByPattern ? tier : "ask";
  const tools = one.commandRegex === undefined ? (one.toolName ?? ["*"]) : [SHELL];
  const rules =
    one.mcpName === undefined
      ? tools.flatMap((tool) => restrictedTool(tool, exact, named))
      : serverRules(one.mcpName, tools, exact, named);
  const note = `${named.name}: Leeway does not read this pattern, so every call of ${tools.join(", ")} asks`;
  return { rules, commands: [], ...(exact === tier && !isByPattern ? {} : { note }) };
}

function serverRules(server: string, tools: readonly string[], tier: Decided, named: Named): HostRule[] {
  if (server !== "*")
    return [
      toolRule(
        tools.flatMap((tool) => serverTools(server, tool)),
        tier,
        named,
      ),
    ];
  const all = tools.every((tool) => tool === "*") ? ["mcp__*"] : tools.map((tool) => `mcp__*__${tool}`);
  return [toolRule(all, tier, named)];
}
