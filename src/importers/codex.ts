import { say } from "../core/messages/message.ts";
import { object, optional, record, required } from "../core/policy/map-shape.ts";
import {
  flag,
  list,
  oneOf,
  oneOrMany,
  type PolicyShape,
  positioned,
  type Read,
  refine,
  text,
} from "../core/policy/shape.ts";
import { memberOf, type Tree } from "../core/policy/tree.ts";
import type { Tier } from "../core/tier.ts";
import { allowedChains, allowedCommand, type HostRule, restrictedCommand, type TextPattern } from "./host-commands.ts";
import { distinct, EDITS, otherKeys, partial, partsOf, serverTools, toolRule, WRITES } from "./host-rules.ts";
import { type Carried, EVERY_COMMAND, type Imported, imported, translated } from "./imported.ts";

/** The names that Codex's tools for commands and for patches have in hooks and in transcripts. */
const SHELL = ["Bash", "shell", "shell_command", "exec_command", "local_shell", "container.exec"];
const COMMANDS = { tools: SHELL, texts: ["command", "cmd"] };
const PATCH = ["apply_patch", "Edit", "Write"];

const DECISIONS: Readonly<Record<string, Tier>> = { allow: "auto", prompt: "ask", forbidden: "deny" };
const decision: PolicyShape<Tier> = {
  schema: { enum: Object.keys(DECISIONS) },
  read: (tree, faults) => translated(tree, DECISIONS, "thing.decision", faults),
};

const token = oneOrMany(text("thing.pattern"));
const pattern = refine(list(token), (tokens, tree, faults) => {
  if (tokens.length > 0) return tokens;
  faults.add(tree.at, say("import.wrong_decision_list"), say("text.check_signs"));
  return undefined;
});
const anything: PolicyShape<true> = { schema: {}, read: () => true };
const prefixRule = object("thing.prefix_rule", {
  pattern: required(pattern),
  decision: optional(decision),
  justification: optional(text("thing.reason")),
  match: optional(anything),
  not_match: optional(anything),
});
type PrefixRule = Read<typeof prefixRule>;

const POLICIES = ["untrusted", "on-failure", "on-request", "never"] as const;
const SANDBOXES = ["read-only", "workspace-write", "danger-full-access"] as const;
const CONFIG = ["approval_policy", "sandbox_mode", "mcp_servers"];

/** A table of single settings says for each kind of question whether it is asked: the strictest word stands for it. */
const approvalPolicy: PolicyShape<(typeof POLICIES)[number]> = {
  schema: { enum: [...POLICIES] },
  read: (tree, faults) => (tree.is === "map" ? "untrusted" : oneOf("thing.policy", POLICIES).read(tree, faults)),
};
const server = partial(
  object("thing.host_server", {
    disabled_tools: optional(list(text("thing.tool_name"))),
    enabled: optional(flag),
  }),
  ["disabled_tools", "enabled"],
);
const file = object("thing.host_settings", {
  prefix_rule: optional(list(positioned(prefixRule))),
  approval_policy: optional(approvalPolicy),
  sandbox_mode: optional(oneOf("thing.mode", SANDBOXES)),
  mcp_servers: optional(record("thing.host_server", server)),
});
const KEYS = ["prefix_rule", ...CONFIG];
type File = Read<typeof file>;

/** Either a `.rules` file, which `config/parse/codex-rules.ts` reads, or a config.toml. */
export function importCodex(tree: Tree): Imported {
  const unset = ["match", "not_match", "justification"].map((key) => `prefix_rule.*.${key}`);
  const empty = ["mcp_servers.*.disabled_tools", "prefix_rule.*.match", "prefix_rule.*.not_match"];
  return imported({ from: "codex", unset, empty }, tree, (given, faults) => {
    const read = partsOf(file, KEYS, given, faults);
    if (read === undefined) return undefined;
    return memberOf(given, "prefix_rule") === undefined
      ? carryConfig(read, given)
      : carryRules(read.prefix_rule?.map(({ value }) => value) ?? []);
  });
}

/** In Codex the strictest of the rules that match decided, as in Leeway. */
function carryRules(rules: readonly PrefixRule[]): Carried {
  const each = rules.flatMap((rule) => spelled(rule.pattern).map((words) => ({ rule, words })));
  const allows = each.filter(({ rule }) => (rule.decision ?? "auto") === "auto");
  const chains = allowedChains(
    COMMANDS,
    allows.map(({ words }) => textOf(words)).filter((text) => text !== undefined),
    "Codex allowed each of these commands",
  );
  const made = each.map(({ rule, words }) => converted(rule, words));
  return {
    policy: {
      version: 1,
      tier: "ask",
      rules: distinct([...made.flatMap(({ rules: found }) => found), ...(chains === undefined ? [] : [chains])]),
    },
    notCarriedOver: [
      ...made.flatMap(({ note }) => (note === undefined ? [] : [note])),
      ...(rules.some(({ match, not_match }) => match === true || not_match === true)
        ? ["match and not_match: examples of Codex; write `examples` in the rules instead"]
        : []),
      "what Codex decided about commands without a rule is in config.toml: import it too, and put its rules into the same file; until then such commands ask",
    ],
  };
}

/** At most this many spellings of one rule. */
const SPELLINGS_MAX = 64;

/** A word may have alternatives. */
function spelled(tokens: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const count = tokens.reduce((product, ways) => product * ways.length, 1);
  // The words before the first alternatives; a rule that restricts may be wider, and one that allows is left out.
  if (count > SPELLINGS_MAX)
    return [
      tokens
        .slice(
          0,
          tokens.findIndex((ways) => ways.length > 1),
        )
        .map(([one]) => one ?? ""),
    ];
  return tokens.reduce<readonly (readonly string[])[]>(
    (held, ways) => held.flatMap((one) => ways.map((way) => [...one, way])),
    [[]],
  );
}

/** Undefined for words that a text would have to quote. */
function textOf(words: readonly string[]): TextPattern | undefined {
  if (words.length === 0 || !words.every((word) => /^[\w@%+=:,./-]+$/.test(word))) return undefined;
  return [{ text: words.join(" ") }, { is: "rest" }];
}

function converted(rule: PrefixRule, words: readonly string[]): { rules: HostRule[]; note?: string } {
  const tier = rule.decision ?? "auto";
  const shown = words.join(" ");
  const [word] = Object.entries(DECISIONS).find(([, known]) => known === tier) ?? [""];
  const named = { name: `${word} ${shown}`, because: rule.justification ?? `Codex had ${word} for ${shown}` };
  const pattern = textOf(words);
  const isWhole = rule.pattern.length === words.length;
  if (tier === "auto") {
    const made = pattern === undefined || !isWhole ? undefined : allowedCommand(COMMANDS, pattern, named);
    return made === undefined
      ? { rules: [], note: `allow ${shown}: it has words that a command line must quote, or too many alternatives` }
      : { rules: [made] };
  }
  if (pattern !== undefined) return { rules: [restrictedCommand(pattern, tier, named)] };
  // Words before the first one that must be quoted; a question about more than Codex asked.
  const plain = words.slice(
    0,
    words.findIndex((one) => textOf([one]) === undefined),
  );
  const wide = textOf(plain);
  const rules: HostRule[] = [
    wide === undefined ? { ...named, match: EVERY_COMMAND, tier: "ask" } : restrictedCommand(wide, "ask", named),
  ];
  return { rules, note: `${word} ${shown}: Leeway cannot compare these words, so more commands ask` };
}

function carryConfig(read: File, tree: Tree): Carried {
  const policy = read.approval_policy ?? "untrusted";
  const sandbox = read.sandbox_mode ?? "read-only";
  const servers = read.mcp_servers ?? [];
  const disabled = servers.flatMap(({ name, value }) =>
    (value.disabled_tools ?? []).map((tool) =>
      toolRule(serverTools(name, tool), "deny", {
        name: `disabled ${name} ${tool}`,
        because: `${tool} was disabled for the server ${name}`,
      }),
    ),
  );
  const writes = policy !== "untrusted" && sandbox !== "read-only";
  return {
    policy: {
      version: 1,
      tier: "ask",
      rules: distinct([
        ...(policy === "untrusted" ? [TRUSTED] : [SANDBOXED_READS]),
        ...(writes ? [PATCHES, PROTECTED] : []),
        ...disabled,
      ]),
    },
    notCarriedOver: [
      ...(read.approval_policy === undefined || isTable(tree, "approval_policy")
        ? ["approval_policy: the strictest, untrusted, is used"]
        : []),
      ...(sandbox === "danger-full-access"
        ? ["sandbox_mode danger-full-access is never converted: commands that change something ask"]
        : ["the sandbox: Leeway has none, so commands that Codex ran inside it ask, unless they only read"]),
      ...(policy === "never"
        ? ["approval_policy never: what Codex refused without a question asks here; use `headless: deny` to refuse it"]
        : []),
      ...(servers.length === 0 ? [] : ["permissions of single MCP tools: they ask until `tools` says what they do"]),
      ...notesOnOthers(tree),
    ],
  };
}

function isTable(tree: Tree, key: string): boolean {
  return memberOf(tree, key)?.is === "map";
}

function notesOnOthers(tree: Tree): string[] {
  const others = otherKeys(tree, KEYS);
  return others.length === 0 ? [] : [`settings that are not converted: ${others.join(", ")}`];
}

/** A call that asks for more than the sandbox gives was always a question. */
const NOT_ESCALATED =
  "!has(call.args.sandbox_permissions) && !has(call.args.with_escalated_permissions) && !has(call.args.additional_permissions)";

/** Commands that Codex trusts because they only read. */
const READERS = [
  ...["cat", "cd", "cut", "echo", "expr", "false", "grep", "head", "id", "ls", "nl", "paste", "pwd", "rev", "seq"],
  ...["stat", "tail", "tr", "true", "uname", "uniq", "wc", "which", "whoami"],
];

const TRUSTED: HostRule = {
  name: "trusted-reads",
  match: {
    tool: SHELL,
    class: ["fs.read", "none"],
    when: `(${["command", "cmd"].map((name) => `re2(call.args.${name}, ${JSON.stringify(`^(${READERS.join("|")})( [^;&|<>()$\`\\\\\\n\\r'"]*)?$`)})`).join(" || ")}) && effect.understood == "fully" && ${NOT_ESCALATED}`,
  },
  tier: "auto",
  because: "Codex trusted commands that only read",
};

const SANDBOXED_READS: HostRule = {
  name: "reads-in-sandbox",
  match: {
    tool: SHELL,
    class: ["fs.read", "none"],
    when: `effect.understood == "fully" && ${NOT_ESCALATED}`,
  },
  tier: "auto",
  because: "Codex ran commands in its sandbox without asking, and these only read",
};

const PATCHES: HostRule = {
  name: "patches-in-project",
  match: { tool: PATCH, path: ["**"], class: [...EDITS] },
  tier: "auto",
  because: "Codex changed files of the project without asking",
};

const PROTECTED: HostRule = {
  name: "protected-by-codex",
  match: {
    path: [".git", ".codex", ".agents"].flatMap((folder) => [`**/${folder}`, `**/${folder}/**`]),
    class: [...WRITES],
  },
  tier: "ask",
  because: "Codex could not change these folders without asking",
};
