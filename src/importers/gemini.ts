import { object, optional, record } from "../core/policy/map-shape.ts";
import { flag, list, type PolicyShape, type Read, text } from "../core/policy/shape.ts";
import { memberOf, type Tree } from "../core/policy/tree.ts";
import type { Tier } from "../core/tier.ts";
import { carryPolicy, readPolicyFile } from "./gemini-policy.ts";
import {
  BUILD_FILES,
  byDefault,
  COMMANDS,
  EDIT,
  limitOf,
  restrictedTool,
  SHELL,
  shellPrefix,
  spellings,
  toolNamed,
} from "./gemini-tools.ts";
import { allowedChains, allowedCommand, type HostRule } from "./host-commands.ts";
import { distinct, otherKeys, partial, partsOf, serverTools, toolRule } from "./host-rules.ts";
import { type Carried, type Imported, imported, translated } from "./imported.ts";

const MODES = { default: "default", auto_edit: "auto_edit", plan: "plan", yolo: "yolo" } as const;
type Mode = keyof typeof MODES;

const mode: PolicyShape<Mode> = {
  schema: { enum: Object.keys(MODES) },
  read: (tree, faults) => translated(tree, MODES, "thing.mode", faults),
};
const names = list(text("thing.tool_name"));
const TOOL_KEYS = ["allowed", "exclude", "core", "confirmationRequired"];
const MCP_KEYS = ["allowed", "excluded"];
const SERVER_KEYS = ["trust", "includeTools", "excludeTools"];
const KEYS = ["tools", "general", "mcp", "mcpServers", "allowedTools", "coreTools", "excludeTools"];
const settings = object("thing.host_settings", {
  tools: optional(
    partial(
      object("thing.host_tools", {
        allowed: optional(names),
        exclude: optional(names),
        core: optional(names),
        confirmationRequired: optional(names),
      }),
      TOOL_KEYS,
    ),
  ),
  general: optional(
    partial(object("thing.host_general", { defaultApprovalMode: optional(mode) }), ["defaultApprovalMode"]),
  ),
  mcp: optional(partial(object("thing.host_mcp", { allowed: optional(names), excluded: optional(names) }), MCP_KEYS)),
  mcpServers: optional(
    record(
      "thing.host_server",
      partial(
        object("thing.host_server", {
          trust: optional(flag),
          includeTools: optional(names),
          excludeTools: optional(names),
        }),
        SERVER_KEYS,
      ),
    ),
  ),
  // The names of these settings before they were put into groups.
  allowedTools: optional(names),
  coreTools: optional(names),
  excludeTools: optional(names),
});
type Settings = Read<typeof settings>;

/** Not the lists of what exists at all (`tools.core`, `mcp.allowed`, `includeTools`): an empty one of these left nothing. */
const MAY_BE_EMPTY = [
  ...["tools.allowed", "tools.exclude", "tools.confirmationRequired", "mcp.excluded", "mcpServers.*.excludeTools"],
  ...["allowedTools", "excludeTools"],
];

/** Either a settings.json or a policy file in TOML, which has a list `rule`. */
export function importGemini(tree: Tree): Imported {
  return imported({ from: "gemini", empty: MAY_BE_EMPTY }, tree, (given, faults) => {
    if (memberOf(given, "rule") !== undefined || memberOf(given, "safety_checker") !== undefined) {
      const file = readPolicyFile(given, faults);
      return file === undefined ? undefined : carryPolicy(file);
    }
    const read = partsOf(settings, KEYS, given, faults);
    return read === undefined ? undefined : carry(read, otherKeys(given, KEYS));
  });
}

/** The strictest rule decides here; in Gemini CLI the one with the highest priority did. */
function carry(read: Settings, others: readonly string[]): Carried {
  const allowed = [...(read.tools?.allowed ?? []), ...(read.allowedTools ?? [])];
  const core = read.tools?.core ?? read.coreTools;
  const excluded = [...(read.tools?.exclude ?? []), ...(read.excludeTools ?? [])];
  const confirmed = read.tools?.confirmationRequired ?? [];
  const current = read.general?.defaultApprovalMode ?? "default";
  const made = [...allowed, ...(core ?? [])].map(allowedTool);
  const prefixes = [...allowed, ...(core ?? [])].map(shellPrefix).filter((prefix) => prefix !== undefined);
  const chains = allowedChains(COMMANDS, prefixes, "Gemini CLI allowed each of these commands");
  // Gemini CLI denies every other command as soon as one is allowed by its beginning.
  const isNarrowed = allowed.some((name) => shellPrefix(name) !== undefined) && !allowed.includes(SHELL);
  const servers = serverRules(read);
  return {
    policy: {
      version: 1,
      tier: core === undefined ? "ask" : "deny",
      ...(isNarrowed ? { tiers: { [SHELL]: "deny" } } : {}),
      rules: distinct([
        ...excluded.flatMap((name) =>
          restrictedTool(name, "deny", { name: `excluded ${name}`, because: `Gemini CLI excluded ${name}` }),
        ),
        ...confirmed.flatMap((name) =>
          restrictedTool(name, "ask", { name: `confirmed ${name}`, because: `Gemini CLI asked about ${name}` }),
        ),
        ...made.flatMap(({ rules }) => rules),
        ...(chains === undefined ? [] : [chains]),
        ...servers,
        ...(core === undefined ? byDefault(current === "auto_edit") : []),
        ...(made.some(({ edits }) => edits) || current === "auto_edit" ? [BUILD_FILES] : []),
      ]),
    },
    notCarriedOver: [
      ...made.flatMap(({ note }) => (note === undefined ? [] : [note])),
      ...modeNotes(current),
      ...(core === undefined ? [] : ["tools.core: every other tool is denied, as in Gemini CLI"]),
      ...((read.mcp?.allowed ?? []).length === 0 && !(read.mcpServers ?? []).some(({ value }) => value.trust === true)
        ? []
        : ["allowed MCP servers: their tools ask until `tools` says what they do"]),
      "Gemini CLI ran some commands that only read without asking; here a command asks unless a rule allows it",
      ...(others.length === 0 ? [] : [`settings that are not permissions: ${others.join(", ")}`]),
    ],
  };
}

function modeNotes(current: Mode): string[] {
  if (current === "yolo") return ["defaultApprovalMode yolo is never converted: what no rule allows asks"];
  return current === "plan" ? ["defaultApprovalMode plan: Leeway has no such mode; what changes something asks"] : [];
}

function allowedTool(name: string): { rules: HostRule[]; note?: string; edits: boolean } {
  const named = { name: `allowed ${name}`, because: `Gemini CLI allowed ${name}` };
  const prefix = shellPrefix(name);
  if (prefix !== undefined) {
    const rule = allowedCommand(COMMANDS, prefix, named);
    return rule === undefined
      ? { rules: [], edits: false, note: `allowed ${name}: it has signs of the shell, so it cannot be compared safely` }
      : { rules: [rule], edits: false };
  }
  const tool = toolNamed(name);
  if (tool.includes("*"))
    return { rules: [], edits: false, note: `allowed ${name}: a name with a star is not converted` };
  const edits = EDIT.includes(tool);
  return { rules: [toolRule(spellings(tool), "auto", named, limitOf(tool))], edits };
}

function serverRules({ mcp, mcpServers = [] }: Settings): HostRule[] {
  const allowed = (mcp?.allowed ?? []).filter((name) => name !== "*");
  const rule = (server: string, tool: string, tier: Tier, because: string) =>
    toolRule(serverTools(server, tool), tier, {
      name: `${because} ${server} ${tool}`,
      because: `${server} ${tool}: ${because} in Gemini CLI`,
    });
  return [
    ...(mcp?.excluded ?? []).map((server) => rule(server, "*", "deny", "excluded")),
    ...mcpServers.flatMap(({ name, value }) =>
      (value.excludeTools ?? []).map((tool) => rule(name, tool, "deny", "excluded")),
    ),
    ...mcpServers.flatMap(({ name, value }) => {
      if (value.trust !== true && !allowed.includes(name)) return [];
      return (value.includeTools ?? ["*"]).map((tool) => rule(name, tool.replace(/\(.*$/, ""), "auto", "trusted"));
    }),
    ...allowed
      .filter((server) => !mcpServers.some(({ name }) => name === server))
      .map((server) => rule(server, "*", "auto", "trusted")),
  ];
}
