import { rowFor } from "../core/classify/known-tool.ts";
import { EFFECT_CLASSES } from "../core/effect.ts";
import { object, optional, required } from "../core/policy/map-shape.ts";
import { knownNames, toolName } from "../core/policy/names.ts";
import { flag, list, oneOf, type PolicyShape, positioned, type Read, refine, text } from "../core/policy/shape.ts";
import { memberOf, type Tree } from "../core/policy/tree.ts";
import type { Tier } from "../core/tier.ts";
import type { Json, JsonObject } from "../core/values/json.ts";
import { type Carried, type Imported, imported, translated, withoutOutweighed, written } from "./imported.ts";

/** Its policies, and the names of their types in its code. */
const POLICY_OF: Readonly<Record<string, Tier>> = {
  AutoApprove: "auto",
  DenyAll: "deny",
  Interactive: "ask",
  AutoApprovePolicy: "auto",
  DenyAllPolicy: "deny",
  InteractivePolicy: "ask",
};
const LEVELS = ["None", "Read", "Write", "Execute", "Admin"] as const;
type Level = (typeof LEVELS)[number];

const FILES_READ = ["fs.read"];
const FILES_WRITE = [...FILES_READ, "fs.write", "fs.mkdir", "fs.copy", "fs.move"];
const METHODS_READ = ["GET", "HEAD", "OPTIONS"];

/** What a level allowed in a grant, by kind of target. Beyond this list a grant covered the whole kind. */
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

const KNOWN = knownNames([]);
/** A name that is almost a known tool is a typing mistake. */
const knownTool = refine(positioned(text("thing.tool_name")), (name, _tree, faults) => toolName(name, KNOWN, faults));

const TARGETS = {
  path: object("thing.path_target", {
    type: required(text("thing.kind")),
    path: required(text("thing.path")),
    recursive: required(flag),
  }),
  domain: object("thing.domain_target", {
    type: required(text("thing.kind")),
    pattern: required(text("thing.pattern")),
  }),
  command: object("thing.command_target", {
    type: required(text("thing.kind")),
    pattern: required(text("thing.pattern")),
  }),
  tool: object("thing.tool_target", { type: required(text("thing.kind")), tool_name: required(knownTool) }),
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
    const is = translated(memberOf(tree, "type") ?? tree, kinds, "thing.kind_of_target", faults);
    const read = is === undefined ? undefined : TARGETS[is].read(tree, faults);
    return read === undefined ? undefined : ({ is, ...read } as Target);
  },
};

const policyName: PolicyShape<Tier> = {
  schema: { enum: Object.keys(POLICY_OF) },
  read: (tree, faults) => translated(tree, POLICY_OF, "thing.policy", faults),
};

const file = object("thing.agent_core_policy", {
  policy: required(policyName),
  reason: optional(text("thing.reason")),
  grants: optional(
    list(
      positioned(
        object("thing.grant", {
          target: required(target),
          level: required(oneOf("thing.level", LEVELS)),
          expires: optional(text("thing.time")),
        }),
      ),
    ),
  ),
});
type Grant = NonNullable<Read<typeof file>["grants"]>[number];

export function importAgentCore(tree: Tree): Imported {
  return imported(
    { from: "agent-core", unset: ["reason", "grants", "grants.*.expires"], empty: ["grants"] },
    tree,
    (given, faults) => {
      const read = file.read(given, faults);
      return read === undefined ? undefined : carry(read);
    },
  );
}

/**
 * In agent-core a grant came before the policy, even before one that denies; in the same way a rule comes before the
 * policy's tier.
 */
function carry({ policy, reason, grants = [] }: Read<typeof file>): Carried {
  const carried = grants.map((grant, i) => ({ grant, i, left: notCarried(grant) }));
  const granted = withoutOutweighed(
    carried.filter(({ left }) => left === undefined).map(({ grant, i }) => ruleOf(grant, i)),
  );
  return {
    policy: { version: 1, tier: policy, rules: [...granted, ...NEVER_RUN] },
    notCarriedOver: [
      ...carried.flatMap(({ i, left }) => (left === undefined ? [] : [`grant ${i + 1}: ${left}`])),
      ...(reason === undefined ? [] : [`the text of a denial, \`${reason}\`: a denial names its rule or row`]),
      ...(granted.length === 0
        ? []
        : ["grants lasted one session in agent-core; as rules they apply until the file changes"]),
      ...(policy === "deny" && granted.length === 0
        ? []
        : [
            "agent-core never ran a fork bomb, or a download that is piped into a shell; in Leeway such a command asks",
          ]),
      ...(policy === "auto" ? ["agent-core approved an unknown tool; in Leeway it asks"] : []),
    ],
  };
}

/** Commands that its bash tool never ran, whatever was granted. */
const NEVER_RUN = [
  {
    name: "never-delete-everything",
    match: { command: "rm -r -f *", when: 'effect.command.exists(word, word == "/" || word == "/*")' },
  },
  { name: "never-format-or-overwrite", match: { command: ["mkfs *", "mkfs.* *", "dd *"] } },
].map((rule) => ({ ...rule, tier: "deny", because: "agent-core's bash never ran this", firm: true }));

/** Why a grant is left out. It is not made wider instead: without it, the call asks. */
function notCarried({ value: { target: on, level, expires } }: Grant): string | undefined {
  if (level === "None") return "level None permits nothing";
  if (expires !== undefined)
    return `it expires (${expires}), but a rule does not; add it again with \`leeway grants add\``;
  switch (on.is) {
    case "path":
      return pathLeft(on.path);
    case "domain":
      return DOMAIN.test(on.pattern) ? undefined : `\`${on.pattern}\` is not a host, \`*.\` and a host, or \`*\``;
    case "command":
      return commandLeft(on.pattern, level);
    case "tool":
      return toolLeft(on.tool_name);
  }
}

const DOMAIN = /^(\*|(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*)$/;

function pathLeft(path: string): string | undefined {
  if (/[*?\\]/.test(path)) return `\`${path}\` would be read as a pattern`;
  if (/(^|\/)\.\.(\/|$)/.test(path)) return `\`${path}\` is not resolved`;
  return path.startsWith("~")
    ? `\`${path}\` was a folder with this name in agent-core, but is a home folder in Leeway`
    : undefined;
}

function commandLeft(pattern: string, level: Level): string | undefined {
  if (/[;|&<>`\n]|\$\(/.test(pattern)) return `\`${pattern}\` is more than one command`;
  if (/[^\S ]|^ | $| {2}/.test(pattern))
    return `\`${pattern}\` was compared with its spaces in agent-core, but Leeway compares words`;
  if (/\*/.test(pattern.replace(/(^| )\*$/, ""))) return `\`${pattern}\` would be read as a pattern`;
  return level === "Execute" || level === "Admin" ? undefined : "running a command needs the level Execute";
}

/** In agent-core such a tool asked for its command, files or addresses, and a grant for a tool did not cover those. */
function toolLeft(tool: string): string | undefined {
  if (/[*?]/.test(tool)) return `\`${tool}\` would be read as a pattern`;
  const row = rowFor(tool)?.row;
  const asksFor = row?.command ?? row?.code ?? row?.reads ?? row?.writes ?? row?.deletes ?? row?.patch ?? row?.urls;
  return asksFor === undefined
    ? undefined
    : `\`${tool}\` asked in agent-core about what it touches, not about the tool itself`;
}

function ruleOf({ value: { target: on, level } }: Grant, i: number) {
  const reached = level === "None" || on.is === "command" || on.is === "tool" ? {} : REACHED[on.is][level];
  return {
    name: `grant-${i + 1}`,
    match: { ...patternOf(on), ...reached },
    tier: "auto" as const,
    because: `granted in agent-core at level ${level}`,
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
      return { command: [on.pattern], ...(on.pattern === "*" ? {} : { when: sameWords(on.pattern) }) };
    case "tool":
      return { tool: [written(on.tool_name)] };
  }
}

/**
 * agent-core compared the text. In Leeway `git status` would also match `git -C elsewhere status` and `/usr/bin/git
 * status`, and with a grant for a folder also `git status > a`. So both the words and the text of the call are
 * compared.
 */
function sameWords(pattern: string): string {
  const words = pattern.split(" ");
  const rest = words.at(-1) === "*";
  const literal = rest ? words.slice(0, -1) : words;
  const text = JSON.stringify(literal.join(" "));
  const each = literal.map((word, i) => `effect.command[${i}] == ${JSON.stringify(word)}`);
  const length = rest ? [] : [`size(effect.command) == ${words.length}`];
  const texts = TEXTS.flatMap((name) => {
    const same = `call.args.${name} == ${text}`;
    return rest ? [same, `call.args.${name}.startsWith(${JSON.stringify(`${literal.join(" ")} `)})`] : [same];
  });
  // Words given as a list contain no redirection and no second command.
  const lists = ["argv", ...TEXTS].map((name) => `call.args.${name}[0] == ${JSON.stringify(literal[0] ?? "")}`);
  const given = `(${[...texts, ...lists].join(" || ")})`;
  // A variable in front was not part of the granted text, so the call is in doubt.
  return [...length, ...each, given, 'effect.understood == "fully"'].join(" && ");
}

/** The arguments that contain a command. */
const TEXTS = ["command", "cmd"];
