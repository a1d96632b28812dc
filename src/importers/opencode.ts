import type { EffectClass } from "../core/effect.ts";
import { object, optional, record } from "../core/policy/map-shape.ts";
import { flag, type PolicyShape, type Read } from "../core/policy/shape.ts";
import type { Tree } from "../core/policy/tree.ts";
import { isStricter, type Tier } from "../core/tier.ts";
import { globMatches, isGlob } from "../core/values/glob.ts";
import type { JsonObject } from "../core/values/json.ts";
import {
  allowedChains,
  allowedCommand,
  chainRegex,
  type HostRule,
  restrictedCommand,
  starPattern,
} from "./host-commands.ts";
import { wildcardPaths } from "./host-paths.ts";
import {
  distinct,
  EDITS,
  otherKeys,
  partial,
  partsOf,
  READS,
  restrictedPaths,
  toolRule,
  WRITES,
} from "./host-rules.ts";
import { type Carried, EVERY_COMMAND, type Imported, imported, translated, written } from "./imported.ts";

const ACTIONS: Readonly<Record<string, Tier>> = { allow: "auto", ask: "ask", deny: "deny" };

/** One line of a permission: of all lines that match, the last one counted in opencode. */
type Line = { key: string; pattern: string; tier: Tier };

/** What each permission is about: its tools, what they do, and what its patterns are compared with. */
type Permission = {
  key: string;
  tools: readonly string[];
  patterns: "commands" | "paths" | "other";
  /** What a call of these tools may do where it is allowed. */
  does?: readonly EffectClass[];
  /** What asks or is denied together with these tools, whichever tool does it. */
  classes?: readonly EffectClass[];
};

const COMMANDS = { tools: ["bash"], texts: ["command"] };
const SEARCH = ["glob", "grep", "list"];
const PERMISSIONS: readonly Permission[] = [
  { key: "bash", tools: ["bash"], patterns: "commands" },
  {
    key: "edit",
    tools: ["edit", "write", "multiedit", "patch", "apply_patch"],
    patterns: "paths",
    does: EDITS,
    classes: WRITES,
  },
  { key: "read", tools: ["read"], patterns: "paths", does: ["fs.read"], classes: READS },
  ...SEARCH.map((key): Permission => ({ key, tools: [key], patterns: "other", does: ["fs.read"] })),
  { key: "todowrite", tools: ["todowrite", "todoread"], patterns: "other" },
  ...["webfetch", "websearch", "codesearch", "task", "skill", "lsp", "question"].map(
    (key): Permission => ({ key, tools: [key], patterns: "other" }),
  ),
];
/** Permissions that are not about a tool. */
const CONDITIONS = ["external_directory", "doom_loop", "plan_enter", "plan_exit"];
const KNOWN = [...PERMISSIONS.map(({ key }) => key), ...CONDITIONS];

const tier: PolicyShape<Tier> = {
  schema: { enum: Object.keys(ACTIONS) },
  read: (tree, faults) => translated(tree, ACTIONS, "thing.permission", faults),
};
const patterns = record("thing.permission", tier);

const permission: PolicyShape<readonly Line[]> = {
  schema: {},
  read: (tree, faults) => {
    if (tree.is !== "map") {
      const all = tier.read(tree, faults);
      return all === undefined ? undefined : [{ key: "*", pattern: "*", tier: all }];
    }
    const lines = tree.members.map(({ key, value }): readonly Line[] | undefined => {
      const one = value.is === "map" ? undefined : tier.read(value, faults);
      if (value.is !== "map") return one === undefined ? undefined : [{ key, pattern: "*", tier: one }];
      return patterns.read(value, faults)?.map(({ name, value: found }) => ({ key, pattern: name, tier: found }));
    });
    return lines.some((line) => line === undefined) ? undefined : lines.flatMap((line) => line ?? []);
  },
};

const tools = record("thing.tool_name", flag);
const AGENT_KEYS = ["permission", "tools"];
const agent = partial(object("thing.agents", { permission: optional(permission), tools: optional(tools) }), AGENT_KEYS);
const KEYS = ["permission", "tools", "agent", "mode"];
const config = object("thing.host_settings", {
  permission: optional(permission),
  tools: optional(tools),
  agent: optional(record("thing.agent_name", agent)),
  mode: optional(record("thing.agent_name", agent)),
});
type Config = Read<typeof config>;
type Toggled = { permission?: readonly Line[]; tools?: Read<typeof tools> };

export function importOpencode(tree: Tree): Imported {
  return imported({ from: "opencode" }, tree, (given, faults) => {
    const read = partsOf(config, KEYS, given, faults);
    return read === undefined ? undefined : carry(read, otherKeys(given, KEYS));
  });
}

/** What opencode decides where the file says nothing. */
const DEFAULTS: readonly Line[] = [
  { key: "*", pattern: "*", tier: "auto" },
  { key: "external_directory", pattern: "*", tier: "ask" },
];

function carry(read: Config, others: readonly string[]): Carried {
  const lines = [...DEFAULTS, ...linesOf(read)];
  const general = lastFor(lines, "", (line) => isEveryTool(line) && isEvery(line.pattern)) ?? "auto";
  const made = PERMISSIONS.map((one) => converted(one, lines, general));
  const rows = Object.fromEntries(made.flatMap(({ row }) => row));
  const agents = [...(read.agent ?? []), ...(read.mode ?? [])];
  const ofAgents = agents.flatMap(({ name, value }) =>
    linesOf(value)
      .filter(isStrict)
      .map((line) => ({ name, line })),
  );
  return {
    policy: {
      version: 1,
      ...(general === "auto" ? { preset: "standard" } : { tier: general }),
      ...(Object.keys(rows).length === 0 ? {} : { tiers: rows }),
      rules: distinct([
        ...made.flatMap(({ rules }) => rules),
        ...outside(lines),
        ...otherTools(lines),
        ...ofAgents.flatMap(({ name, line }) => forAgent(name, line)),
        DOTENV,
      ]),
    },
    notCarriedOver: [
      ...made.flatMap(({ notes }) => notes),
      ...unusedNotes(lines),
      ...[...new Set(ofAgents.map(({ name }) => name))].map(
        (name) => `agent ${name}: what it could not do without a question, no agent can`,
      ),
      ...(agents.some(({ value }) => linesOf(value).some((line) => !isStrict(line)))
        ? ["what only one agent was allowed: it asks, or the preset decides"]
        : []),
      "in opencode the last line that matches decided; in Leeway the strictest rule does, so an exception from a question or a denial may still ask",
      ...(general === "auto"
        ? ["opencode ran everything that the file does not name; here the preset standard decides about it"]
        : []),
      ...(others.length === 0 ? [] : [`settings that are not permissions: ${others.join(", ")}`]),
    ],
  };
}

/** `tools: { bash: false }` is an older spelling, which opencode reads before `permission`. */
function linesOf({ permission: lines = [], tools: toggles = [] }: Toggled): readonly Line[] {
  const before = toggles.map(({ name, value }): Line => {
    const key = ["write", "patch", "multiedit", "apply_patch"].includes(name) ? "edit" : name;
    return { key, pattern: "*", tier: value ? "auto" : "deny" };
  });
  return [...before, ...lines];
}

function isStrict(line: Line): boolean {
  return line.tier !== "auto";
}

function lastFor(lines: readonly Line[], key: string, matches = (line: Line) => isFor(line, key)): Tier | undefined {
  return lines.filter(matches).at(-1)?.tier;
}

/** The names of permissions may be patterns too. */
function isFor(line: Line, key: string): boolean {
  return globMatches(line.key, key);
}

type Converted = { row: [string, Tier][]; rules: readonly HostRule[]; notes: readonly string[] };

/** The last line for everything becomes a row; lines after it become rules, which come before rows. */
function converted(one: Permission, lines: readonly Line[], general: Tier): Converted {
  const own = lines.filter((line) => isFor(line, one.key));
  const at = own.findLastIndex((line) => isEvery(line.pattern));
  const base = own[at]?.tier ?? "auto";
  const special = own.slice(at + 1);
  const rules = [...everything(one, base, general), ...specialRules(one, special)];
  const notes = special.flatMap((line) => notesOn(one, line));
  const lifts = base === "auto" && general === "auto" && at > 0 && own[at]?.key !== "*";
  const lifted = `${one.key}: allow let every call run; here the preset standard decides`;
  return { row: rowsOf(one, base, general), rules, notes: lifts ? [...notes, lifted] : notes };
}

function isEvery(pattern: string): boolean {
  return /^\*+$/.test(pattern) || pattern === "**/*";
}

function rowsOf({ tools: names, classes = [] }: Permission, base: Tier, general: Tier): [string, Tier][] {
  if (base === "auto" || base === general) return [];
  return [...names.map(written), ...classes].map((name) => [name, base]);
}

/** An explicit permission matters only where everything else asks or is denied. */
function everything(one: Permission, base: Tier, general: Tier): HostRule[] {
  if (base !== "auto" || general === "auto") return [];
  const named = { name: `${one.key}: allow`, because: `opencode allowed ${one.key}` };
  const limit: JsonObject = one.does === undefined ? {} : { path: ["**"], class: [...one.does] };
  return [toolRule(one.tools.map(written), "auto", named, limit)];
}

function specialRules(one: Permission, special: readonly Line[]): HostRule[] {
  const lastStrict = special.findLastIndex(isStrict);
  if (one.patterns === "commands") return commandRules(special, lastStrict);
  return special.flatMap((line) => {
    const named = namedBy(line);
    if (one.patterns === "other") return isStrict(line) ? [toolRule(one.tools.map(written), "ask", named)] : [];
    const paths = wildcardPaths(line.pattern, isStrict(line) ? "restricts" : "allows");
    if (paths === undefined) return [];
    if (!isStrict(line))
      return [toolRule(one.tools, "auto", named, { path: [...paths], class: [...(one.does ?? [])] })];
    return restrictedPaths(paths, line.tier, named, {
      search: SEARCH,
      classes: one.key === "read" ? undefined : WRITES,
    });
  });
}

/** What the last lines allow is taken out of the lines before them, as it was in opencode. */
function commandRules(special: readonly Line[], lastStrict: number): HostRule[] {
  const pattern = (line: Line) => starPattern(line.pattern, { ones: true, lastIsOptional: true });
  const last = special.slice(lastStrict + 1).filter((line) => !line.pattern.includes("\\"));
  const except = chainRegex(last.map(pattern));
  const allows = special.filter((line) => !isStrict(line) && !line.pattern.includes("\\"));
  const chains = allowedChains(COMMANDS, allows.map(pattern), "opencode allowed each of these commands");
  return [
    ...special.filter(isStrict).map((line) => restrictedCommand(pattern(line), line.tier, namedBy(line), except)),
    ...allows.flatMap((line) => allowedCommand(COMMANDS, pattern(line), namedBy(line)) ?? []),
    ...(chains === undefined ? [] : [chains]),
  ];
}

function namedBy({ key, pattern, tier: found }: Line): { name: string; because: string } {
  const [word] = Object.entries(ACTIONS).find(([, known]) => known === found) ?? [""];
  const what = pattern === "*" ? key : `${key} ${pattern}`;
  return { name: `${what}: ${word}`, because: `opencode had ${word} for ${what}` };
}

function notesOn(one: Permission, line: Line): string[] {
  const { name } = namedBy(line);
  if (one.patterns === "other")
    return isStrict(line) ? [`${name}: every call of ${one.key} asks`] : [`${name}: Leeway does not know this pattern`];
  if (isStrict(line)) return [];
  const isLost =
    one.patterns === "paths"
      ? wildcardPaths(line.pattern, "allows") === undefined
      : line.pattern.includes("\\") ||
        allowedCommand(COMMANDS, starPattern(line.pattern, { ones: true, lastIsOptional: true }), namedBy(line)) ===
          undefined;
  return isLost ? [`${name}: its pattern cannot be written exactly in Leeway`] : [];
}

/** Files outside the project had their own permission, whichever tool touched them. */
function outside(lines: readonly Line[]): HostRule[] {
  const own = lines.filter((line) => isFor(line, "external_directory"));
  const at = own.findLastIndex((line) => isEvery(line.pattern));
  const base = own[at]?.tier ?? "ask";
  const named = {
    name: "outside-the-project",
    because: "opencode had its own permission for files outside the project",
  };
  const special = own.slice(at + 1).filter(isStrict);
  return [
    ...(base === "auto" ? [] : [{ ...named, match: { reach: ["host"], class: [...READS, ...WRITES] }, tier: base }]),
    ...special.flatMap((line) => {
      const paths = wildcardPaths(line.pattern, "restricts") ?? ["**"];
      return restrictedPaths(paths, line.tier, namedBy(line), { search: SEARCH });
    }),
  ];
}

/** Names that are not permissions of opencode are tools, for example of a server. */
function otherTools(lines: readonly Line[]): HostRule[] {
  return lines
    .filter((line) => isStrict(line) && !isEveryTool(line) && !KNOWN.includes(line.key))
    .map((line) => otherTool([written(line.key), ...servedNames(line.key)], line, namedBy(line)));
}

function otherTool(names: readonly string[], line: Line, named: ReturnType<typeof namedBy>): HostRule {
  return toolRule(names, isEvery(line.pattern) ? line.tier : "ask", named);
}

function isEveryTool({ key }: Line): boolean {
  return /^\*+$/.test(key);
}

/**
 * opencode names the tools of MCP servers `server_tool`; the plugin tells Leeway `mcp__server__tool`. The server's name may
 * end at each `_`, and within each `*` or at each `?`, which may stand for a `_`.
 */
function servedNames(key: string): string[] {
  return [...key].flatMap((sign, i) => {
    if (!"_*?".includes(sign)) return [];
    const end = sign === "*" ? 1 : 0;
    const [server, tool] = [key.slice(0, i + end), key.slice(i + 1 - end)];
    return server === "" || tool === "" ? [] : [`mcp:${server}/${tool}`];
  });
}

/** A question or a denial for one agent is one for all: Leeway does not know which agent of opencode makes a call. */
function forAgent(agentName: string, line: Line): HostRule[] {
  const named = { ...namedBy(line), name: `${agentName}: ${namedBy(line).name}` };
  const own = isEveryTool(line) ? [] : [written(line.key)];
  const others = KNOWN.includes(line.key) ? [] : [otherTool([...own, ...servedNames(line.key)], line, named)];
  const known = PERMISSIONS.filter(({ key }) => isFor(line, key)).flatMap((one): HostRule[] => {
    const every = isEvery(line.pattern);
    if (one.patterns === "commands") {
      const pattern = starPattern(line.pattern, { ones: true, lastIsOptional: true });
      return [
        every ? { ...named, match: EVERY_COMMAND, tier: line.tier } : restrictedCommand(pattern, line.tier, named),
      ];
    }
    const paths = one.patterns === "paths" && !every ? wildcardPaths(line.pattern, "restricts") : undefined;
    if (paths !== undefined) return restrictedPaths(paths, line.tier, named, { search: SEARCH });
    return [toolRule(one.tools.map(written), every ? line.tier : "ask", named)];
  });
  return [...known, ...others];
}

function unusedNotes(lines: readonly Line[]): string[] {
  const foreign = lines.filter((line) => !isStrict(line) && !KNOWN.includes(line.key) && line.key !== "*");
  return [
    ...(lines.some((line) => line.key === "doom_loop") ? ["doom_loop: Leeway limits repetition with `limits`"] : []),
    ...lines
      .filter((line) => line.key === "external_directory" && !isStrict(line) && !isEvery(line.pattern))
      .map((line) => `${namedBy(line).name}: files outside the project ask`),
    ...foreign.map((line) => `${namedBy(line).name}: the tool asks until \`tools\` says what it does`),
    ...lines
      .filter((line) => isGlob(line.key) && line.key !== "*" && isStricter(line.tier, "auto"))
      .map((line) => `${line.key}: it applies to tools with such a name`),
  ];
}

/** opencode asks before reading such files, unless the file says otherwise. */
const DOTENV: HostRule = {
  name: "dotenv",
  match: { path: ["**/*.env", "**/*.env.*"], class: [...READS] },
  tier: "ask",
  because: "opencode asks before reading .env files",
};
