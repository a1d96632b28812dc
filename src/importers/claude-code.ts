import { say } from "../core/messages/message.ts";
import { object, optional } from "../core/policy/map-shape.ts";
import { didYouMean, list, oneOf, type PolicyShape, type Read, refine, text } from "../core/policy/shape.ts";
import type { Tree } from "../core/policy/tree.ts";
import type { Tier } from "../core/tier.ts";
import type { JsonObject } from "../core/values/json.ts";
import { nearest } from "../core/values/nearest.ts";
import {
  allowedChains,
  allowedCommand,
  type HostRule,
  type Named,
  restrictedCommand,
  starPattern,
  type TextPattern,
} from "./host-commands.ts";
import { gitignorePaths } from "./host-paths.ts";
import { distinct, EDITS, otherKeys, partsOf, READS, restrictedPaths, toolRule, WRITES } from "./host-rules.ts";
import { type Carried, EVERY_COMMAND, type Imported, imported, written } from "./imported.ts";

const SHELL = ["Bash"];
const COMMANDS = { tools: SHELL, texts: ["command"] };
const SEARCH = ["Grep", "Glob", "LS"];
const READ = ["Read", "NotebookRead", ...SEARCH];
const EDIT = ["Edit", "Write", "MultiEdit", "NotebookEdit"];
/** Tools that only keep the agent's own lists or show something; they never asked. */
const OWN = ["TodoWrite", "TodoRead", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate", "TaskOutput", "BashOutput"];
const OTHERS = [
  ...["WebFetch", "WebSearch", "Task", "Agent", "Skill", "SlashCommand", "KillShell", "KillBash", "ExitPlanMode"],
  ...[
    "EnterPlanMode",
    "AskUserQuestion",
    "PowerShell",
    "Monitor",
    "LSP",
    "ListMcpResourcesTool",
    "ReadMcpResourceTool",
  ],
  ...["EnterWorktree", "ExitWorktree", "CronCreate", "CronDelete", "CronList", "ToolSearch", "SendMessage", "Cd"],
];
const TOOLS = [...SHELL, ...READ, ...EDIT, ...OWN, ...OTHERS];

const MODES = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions", "auto", "delegate"] as const;

/** A rule as its author wrote it, and in parts. */
type HostPermission = { rule: string; tool: string; pattern?: string };

const permission: PolicyShape<HostPermission> = refine(text("thing.permission_rule"), (rule, tree, faults) => {
  const [, tool = "", pattern] = /^([A-Za-z_*][\w*.:-]*)(?:\(([\s\S]*)\))?$/.exec(rule.trim()) ?? [];
  const isKnown = tool !== "" && (/^mcp__|\*/.test(tool) || TOOLS.includes(tool));
  const near = tool === "" || isKnown ? undefined : nearest(tool, TOOLS);
  if (tool !== "" && near === undefined) return { rule, tool, ...(pattern === undefined ? {} : { pattern }) };
  faults.add(tree.at, say("import.not_a_rule", { rule }), didYouMean(near, say("import.write_rule")));
  return undefined;
});

const KEYS = ["permissions"];
const FIELDS = {
  allow: optional(list(permission)),
  ask: optional(list(permission)),
  deny: optional(list(permission)),
  defaultMode: optional(oneOf("thing.mode", MODES)),
  additionalDirectories: optional(list(text("thing.folder"))),
  disableBypassPermissionsMode: optional(text("thing.mode")),
  disableAutoMode: optional(text("thing.mode")),
};
const settings = object("thing.host_settings", { permissions: optional(object("thing.permissions", FIELDS)) });
type Permissions = NonNullable<Read<typeof settings>["permissions"]>;

const LISTS = ["allow", "ask", "deny", "additionalDirectories"].map((key) => `permissions.${key}`);

export function importClaudeCode(tree: Tree): Imported {
  return imported({ from: "claude-code", empty: LISTS }, tree, (given, faults) => {
    const read = partsOf(settings, KEYS, given, faults);
    return read === undefined ? undefined : carry(read.permissions ?? {}, otherKeys(given, KEYS));
  });
}

type Converted = { rules: readonly HostRule[]; note?: string };

/** In Claude Code a denial came before a question, and a question before a permission: the strictest, as in Leeway. */
function carry(permissions: Permissions, others: readonly string[]): Carried {
  const { allow = [], ask = [], deny = [], defaultMode = "default", additionalDirectories = [] } = permissions;
  const folders = additionalDirectories.map((folder) => ({
    folder,
    paths: gitignorePaths(absolute(folder), "allows"),
  }));
  const inside = ["**", ...folders.flatMap(({ paths }) => paths ?? [])];
  const converted = [
    ...deny.map((one) => restricted(one, "deny")),
    ...ask.map((one) => restricted(one, "ask")),
    ...allow.map(allowed),
  ];
  const chains = allowedChains(COMMANDS, allow.flatMap(commandOf), "Claude Code allowed each of these commands");
  const rules = [...converted.flatMap((one) => one.rules), ...(chains === undefined ? [] : [chains])];
  const edits =
    rules.some(({ match, tier }) => tier === "auto" && isAbout(match, EDIT)) || defaultMode === "acceptEdits";
  return {
    policy: {
      version: 1,
      tier: defaultMode === "dontAsk" ? "deny" : "ask",
      rules: distinct([...rules, ...byDefault(inside, defaultMode), ...(edits ? [PROTECTED] : [])]),
    },
    notCarriedOver: [
      ...converted.flatMap(({ note }) => (note === undefined ? [] : [note])),
      ...modeNotes(defaultMode),
      ...folders.flatMap(({ folder, paths }) =>
        paths === undefined ? [`additionalDirectories ${folder}: reading there asks`] : [],
      ),
      "Claude Code ran commands that only read without asking; here a command asks unless a rule allows it",
      "patterns without a leading slash began at the folder where Claude Code was started; here they begin at the folder of the policy",
      ...(others.length === 0 ? [] : [`settings that are not permissions: ${others.join(", ")}`]),
    ],
  };
}

function absolute(folder: string): string {
  const whole = folder.replace(/\/+$/, "");
  return whole.startsWith("/") ? `/${whole}` : whole;
}

function isAbout(match: JsonObject, tools: readonly string[]): boolean {
  const { tool } = match;
  return Array.isArray(tool) && tools.some((name) => tool.includes(name));
}

/** What ran without a rule: reading inside the project, the agent's own lists, and edits in `acceptEdits`. */
function byDefault(inside: readonly string[], mode: (typeof MODES)[number]): HostRule[] {
  const reading = { name: "reads-project", because: "Claude Code did not ask before reading files of the project" };
  const own = { name: "own-lists", because: "Claude Code did not ask before changing the agent's own lists" };
  const edits = { name: "accept-edits", because: "defaultMode was acceptEdits" };
  return [
    toolRule(READ, "auto", reading, { path: [...inside], class: ["fs.read"] }),
    toolRule(OWN.map(written), "auto", own),
    ...(mode === "acceptEdits" ? [toolRule(EDIT, "auto", edits, { path: [...inside], class: [...EDITS] })] : []),
  ];
}

/** Folders and files whose change Claude Code asked about even where it accepted edits. */
const PROTECTED: HostRule = {
  name: "protected-by-claude-code",
  match: {
    path: [
      ...[".git", ".claude", ".vscode", ".idea", ".husky", ".cargo", ".devcontainer", ".yarn", ".mvn"].map(
        (folder) => `**/${folder}/**`,
      ),
      ...[".gitconfig", ".gitmodules", ".bashrc", ".bash_profile", ".zshrc", ".zprofile", ".profile"].map(
        (file) => `**/${file}`,
      ),
      ...[".ripgreprc", ".mcp.json", ".claude.json", ".npmrc", ".yarnrc", ".yarnrc.yml", "bunfig.toml"].map(
        (file) => `**/${file}`,
      ),
    ],
    class: [...WRITES],
  },
  tier: "ask",
  because: "Claude Code asked before changing its own files, those of git and of the shell",
};

function modeNotes(mode: (typeof MODES)[number]): string[] {
  switch (mode) {
    case "bypassPermissions":
      return ["defaultMode bypassPermissions is never converted: what no rule allows asks"];
    case "auto":
    case "delegate":
      return [`defaultMode ${mode}: what no rule allows asks`];
    case "plan":
      return ["defaultMode plan: Leeway has no such mode; what changes something asks"];
    case "acceptEdits":
      return ["defaultMode acceptEdits also ran mkdir, touch, mv and cp in the project; here such commands ask"];
    default:
      return [];
  }
}

function commandOf({ tool, pattern }: HostPermission): readonly TextPattern[] {
  const found = tool === "Bash" && pattern !== undefined && !pattern.includes("\\") ? bashPattern(pattern) : undefined;
  return found === undefined ? [] : [found];
}

/** `npm run test:*` is an old spelling of `npm run test *`. */
function bashPattern(pattern: string): TextPattern {
  const [, beginning] = /^([\s\S]*):\*$/.exec(pattern) ?? [];
  if (beginning !== undefined && !beginning.includes("*")) {
    return beginning === "" ? [{ is: "any" }] : [{ text: beginning }, { is: "rest" }];
  }
  return starPattern(pattern, { ones: false, lastIsOptional: false });
}

function notCarried({ rule }: HostPermission, why: string): Converted {
  return { rules: [], note: `allow ${rule}: ${why}` };
}

function allowed(one: HostPermission): Converted {
  const { rule, tool, pattern } = one;
  const named = { name: `allow ${rule}`, because: `Claude Code allowed ${rule}` };
  if (tool.includes("*") && !/^mcp__[^*]+__[^*]*\*$/.test(tool))
    return notCarried(one, "a name with a star allows nothing");
  if (pattern === undefined || pattern === "*" || pattern === "") return { rules: [allowedTool(tool, named)] };
  if (tool === "Bash") {
    const [found] = commandOf(one);
    const made = found === undefined ? undefined : allowedCommand(COMMANDS, found, named);
    return made === undefined
      ? notCarried(one, "it has signs of the shell, so it cannot be compared safely")
      : { rules: [made] };
  }
  if (tool === "Read" || tool === "Edit") return allowedPath(one, named);
  if (tool === "WebFetch") return allowedDomain(one, pattern, named);
  if (EDIT.includes(tool) || SEARCH.includes(tool))
    return notCarried(one, `Claude Code reads paths only in rules for Read and Edit; write Edit(${pattern}) there`);
  return notCarried(one, "only commands, paths and domains can be converted");
}

function allowedTool(tool: string, named: Named): HostRule {
  if (tool === "Edit") return toolRule(EDIT, "auto", named, { class: [...EDITS] });
  if (EDIT.includes(tool)) return toolRule([tool], "auto", named, { class: [...EDITS] });
  if (tool === "Read") return toolRule(READ, "auto", named, { class: ["fs.read"] });
  return toolRule([toolsOf(tool)], "auto", named);
}

/** `mcp__server` is every tool of that server. */
function toolsOf(tool: string): string {
  const [, server] = /^mcp__((?:(?!__).)+)$/.exec(tool) ?? [];
  return server === undefined || server === "*" ? written(tool) : `mcp__${server}__*`;
}

function allowedPath(one: HostPermission, named: Named): Converted {
  const paths = gitignorePaths(one.pattern ?? "", "allows");
  if (paths === undefined) return notCarried(one, "its pattern cannot be written exactly in Leeway");
  const [tools, classes] = one.tool === "Read" ? [READ, ["fs.read"]] : [EDIT, [...EDITS]];
  return { rules: [toolRule(tools, "auto", named, { path: [...paths], class: classes })] };
}

const DOMAIN = /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+$/;

function allowedDomain(one: HostPermission, pattern: string, named: Named): Converted {
  const [, domain = ""] = /^domain:(.*)$/.exec(pattern) ?? [];
  if (!DOMAIN.test(domain)) return notCarried(one, "only a host, or `*.` and a host, can be converted");
  // Here `*.example.com` is also example.com itself.
  const [, above] = /^\*\.(.*)$/.exec(domain) ?? [];
  const but = above === undefined ? {} : { when: `effect.domain != ${JSON.stringify(above)}` };
  return { rules: [toolRule(["WebFetch"], "auto", named, { domain: [domain], ...but })] };
}

/** A denial or a question. What cannot be written exactly becomes a question about more. */
function restricted(one: HostPermission, tier: Tier): Converted {
  const { rule, tool, pattern } = one;
  const because = tier === "deny" ? `Claude Code denied ${rule}` : `Claude Code asked about ${rule}`;
  const named = { name: `${tier} ${rule}`, because };
  if (pattern === undefined || pattern === "*" || pattern === "") return { rules: restrictedTool(tool, tier, named) };
  if (tool === "Bash") return { rules: [restrictedCommand(bashPattern(pattern), tier, named)] };
  if (tool === "Read" || SEARCH.includes(tool)) return restrictedPath(one, tier, named, undefined);
  if (EDIT.includes(tool)) return restrictedPath(one, tier, named, WRITES);
  const [, domain = ""] = tool === "WebFetch" ? (/^domain:(.*)$/.exec(pattern) ?? []) : [];
  if (DOMAIN.test(domain)) return { rules: [{ ...named, match: { domain: [domain] }, tier }] };
  return {
    rules: restrictedTool(tool, "ask", named),
    note: `${tier} ${rule}: Leeway does not know this pattern, so every call of ${tool} asks`,
  };
}

function restrictedTool(tool: string, tier: Tier, named: Named): HostRule[] {
  if (/^\*+$/.test(tool)) return [toolRule([written("*")], tier, named), { ...named, match: EVERY_COMMAND, tier }];
  const rules = [toolRule([...new Set([toolsOf(tool), ...kindOf(tool)])], tier, named)];
  if (tool === "Bash" || tool === "PowerShell") return [...rules, { ...named, match: EVERY_COMMAND, tier }];
  if (tool === "Edit") return [...rules, { ...named, match: { class: [...WRITES] }, tier }];
  return tool === "Read" ? [...rules, { ...named, match: { class: [...READS] }, tier }] : rules;
}

/** Rules for Edit and Read are about all tools that edit and read. An agent was called Task before. */
function kindOf(tool: string): readonly string[] {
  if (tool === "Edit") return EDIT;
  if (tool === "Read") return READ;
  return tool === "Agent" || tool === "Task" ? ["Agent", "Task"].map(written) : [];
}

function restrictedPath(one: HostPermission, tier: Tier, named: Named, classes: typeof WRITES | undefined): Converted {
  const paths = gitignorePaths(one.pattern ?? "", "restricts");
  if (paths === undefined)
    return { rules: [], note: `${tier} ${one.rule}: it takes files out of other rules, which stay whole` };
  return {
    rules: restrictedPaths(paths, tier, named, { search: SEARCH, ...(classes === undefined ? {} : { classes }) }),
  };
}
