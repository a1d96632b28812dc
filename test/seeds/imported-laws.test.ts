import "../seed.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rankOf, type Tier } from "../../src/core/tier.ts";
import type { JsonObject } from "../../src/core/values/json.ts";
import { deciding, imported } from "./importing.ts";

// What one of the four systems refused or asked about must never run after its policy was imported. Each system is modelled
// here again, only from its description, and random policies of it are imported and compared call by call.

/** A call, and the words that the other system used for it. */
type Tried = { tool: string; args: JsonObject };

const COMMANDS = [
  "ls",
  "rm -rf build",
  "cd src && git status",
  "git status",
  "git push origin main",
  "git status; rm -rf build",
  "FOO=1 git status",
  "/usr/bin/git status",
  "git -C sub status",
  "git --no-pager status",
  "git status --short",
  "git",
  "rm -r -f build",
  "env git status",
  "echo $(git status)",
  "cat /project/src/a.ts",
  "cp src/a.ts src/b.ts",
  "curl https://api.github.com/x",
  "npm test",
  "sed -i s/a/b/ src/a.ts",
  "mkdir x",
  "mail -s hi ben",
  "true",
  "> src/a.ts",
  "X=1 > /project/src/a.ts",
  "[[ -f x ]] > Makefile",
  "x=$(<.env)",
  "git status > /project/src/a.ts",
  "> /project/src/a.ts git status",
  "ls > leeway.yaml",
  "rm -rf /",
  "mkfs.ext4 /dev/sda1",
  "dd if=a of=b",
];
/** Every way to give a command: the system's own tools, other hosts' tools, and words as `leeway run` gives them. */
const SHELLS = [
  "shell",
  "exec",
  "shell_at",
  "exec_at",
  "shell.exec",
  "Shell_Exec",
  "process.start",
  "Bash",
  "run_shell_command",
];
const byShell = (tool: string, command: string): Tried[] => [
  { tool, args: { command } },
  { tool, args: { argv: command.split(" ") } },
  { tool, args: { command: ["bash", "-c", command] } },
];
const commandCall = fc
  .tuple(fc.constantFrom(...SHELLS), fc.constantFrom(...COMMANDS), fc.nat(2))
  .map(([tool, command, form]) => ({ command, tried: byShell(tool, command)[form] as Tried }));

const FILES = [
  "src/a.ts",
  "/project/src/deep/a.ts",
  ".env",
  ".git/hooks/pre-commit",
  "/etc/hosts",
  "docs/a.md",
  "leeway.yaml",
  "package.json",
  "Makefile",
  "/root/.ssh/authorized_keys",
];
const file = fc.constantFrom(...FILES);

/** Tools of other hosts with the same effect on a file as a tool of each of the four systems. */
const WRITERS = ["Write", "Edit", "create_file", "apply_patch", "str_replace_based_edit_tool"];
const writerArgs = (tool: string, path: string): JsonObject =>
  tool === "apply_patch"
    ? { input: `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch` }
    : tool === "str_replace_based_edit_tool"
      ? { command: "create", path, file_text: "x" }
      : { file_path: path, path, content: "x" };
const writer = fc
  .tuple(fc.constantFrom(...WRITERS), file)
  .map(([tool, path]): Tried => ({ tool, args: writerArgs(tool, path) }));

/** Compares strictness: after the import nothing may be looser than before. */
function expectNotLooser(tier: string, was: { tier: Tier; human?: boolean }, what: unknown): void {
  const [now, human] = tier.split(" + ");
  const held = human === undefined ? rankOf(now as Tier) : Math.min(rankOf(now as Tier), rankOf("ask"));
  const before = was.human === true ? Math.min(rankOf(was.tier), rankOf("ask")) : rankOf(was.tier);
  if (held > before || (was.human === true && human === undefined && rankOf(now as Tier) > rankOf("deny")))
    throw new Error(`was ${JSON.stringify(was)}, is ${tier}: ${JSON.stringify(what)}`);
}

describe("harn", () => {
  const CLASSES: Record<string, readonly string[]> = {
    "fs.write": ["write_file", "write_file_bytes", "append_file"],
    "fs.mkdir": ["mkdir"],
    "fs.mkdtemp": ["mkdtemp"],
    "fs.copy": ["copy_file"],
    "fs.move": ["move_file"],
    "fs.delete": ["delete_file"],
    "process.exec": ["exec", "exec_at", "shell", "shell_at"],
    "host.call": ["host_call"],
    "store.write": ["store_set", "store_clear"],
    "git.write": ["git.push", "git.worktree.remove"],
  };
  const classOf = new Map(
    Object.entries(CLASSES).flatMap(([name, tools]) => tools.map((tool) => [tool, name] as const)),
  );
  const TIER: Record<string, Tier> = {
    act_auto: "auto",
    act_with_approval: "ask",
    suggest: "suggest",
    shadow: "shadow",
  };
  const tier = fc.constantFrom(...Object.keys(TIER));
  const action = fc.constantFrom(...Object.keys(CLASSES), ...classOf.keys());
  const agent = fc.constantFrom("coder", "intern", "__proto__");
  const actions = fc.array(action, { maxLength: 3 });
  const policy = fc.record(
    {
      agent_id: fc.option(agent),
      autonomy_tier: fc.option(tier),
      tier: fc.option(tier),
      action_tiers: fc.dictionary(action, tier, { maxKeys: 4 }),
      agent_tiers: fc.dictionary(agent, tier, { maxKeys: 2 }),
      agent_action_tiers: fc.dictionary(agent, fc.dictionary(action, tier, { maxKeys: 3 }), { maxKeys: 2 }),
      reviewers: fc.constantFrom([], ["ana"]),
      requires_human: fc.constantFrom(false, false, false, true),
      requires_human_actions: actions,
      action_requires_human: actions,
      requires_human_agents: fc.array(agent, { maxLength: 1 }),
    },
    { requiredKeys: [] },
  );
  type HarnPolicy = (typeof policy)["generate"] extends (...args: never[]) => { value: infer V } ? V : never;

  function model(
    given: HarnPolicy,
    builtin: string,
    caller: "coder" | "intern" | "__proto__",
  ): { tier: Tier; human: boolean } | undefined {
    const name = classOf.get(builtin);
    if (name === undefined) return undefined;
    const who = given.agent_id ?? caller;
    const own = ownValue(given.agent_action_tiers, who) ?? {};
    const found =
      own[builtin] ??
      own[name] ??
      ownValue(given.agent_tiers, who) ??
      given.action_tiers?.[builtin] ??
      given.action_tiers?.[name] ??
      given.autonomy_tier ??
      given.tier ??
      undefined;
    if (found === undefined || found === null) return undefined;
    const tagged = [...(given.requires_human_actions ?? []), ...(given.action_requires_human ?? [])];
    const human =
      given.requires_human === true ||
      given.requires_human_agents?.includes(who) === true ||
      tagged.includes(builtin) ||
      tagged.includes(name);
    return { tier: TIER[found] as Tier, human };
  }

  function ownValue<T>(table: Record<string, T> | undefined, key: string): T | undefined {
    return table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
  }

  const argsOf = (builtin: string, path: string, other: string): JsonObject =>
    /copy|move/.test(builtin)
      ? { source: path, destination: other }
      : /file|mk/.test(builtin)
        ? { path, content: "x" }
        : {};

  test("a builtin that the policy refused or asked about never runs after the import, for any agent", () => {
    const builtin = fc.constantFrom(...[...classOf.keys()].filter((name) => classOf.get(name) !== "process.exec"));
    fc.assert(
      fc.property(policy, builtin, agent, file, file, (given, tool, who, path, other) => {
        const was = model(given, tool, who);
        if (was === undefined) return;
        const args = argsOf(tool, path, other);
        expectNotLooser(deciding("harn", given)(tool, args, who), was, { tool, args, who });
      }),
      { numRuns: 600 },
    );
  });

  test("a tool of another host with the same effect never runs if every builtin was refused or asked about, for any file", () => {
    fc.assert(
      fc.property(policy, writer, agent, (given, { tool, args }, who) => {
        const each = ["write_file", "write_file_bytes", "append_file"].map((builtin) => model(given, builtin, who));
        const [first] = [...each].sort((a, b) => rankOf(b?.tier ?? "auto") - rankOf(a?.tier ?? "auto"));
        if (first === undefined || each.includes(undefined)) return;
        const was = { tier: first.tier, human: each.every((one) => one?.human === true) };
        expectNotLooser(deciding("harn", given)(tool, args, who), was, { tool, args, who });
      }),
      { numRuns: 600 },
    );
  });

  test("a command that the policy refused or asked about never runs, through any tool", () => {
    fc.assert(
      fc.property(policy, commandCall, agent, (given, { tried }, who) => {
        const builtin = classOf.get(tried.tool) === "process.exec" ? tried.tool : "exec";
        const was = model(given, builtin, who);
        if (was !== undefined)
          expectNotLooser(deciding("harn", given)(tried.tool, tried.args, who), was, { tried, who });
      }),
      { numRuns: 600 },
    );
  });
});

describe("clawith", () => {
  const ACTION_OF: Record<string, string> = {
    write_file: "write_workspace_files",
    move_file: "write_workspace_files",
    delete_file: "delete_files",
    send_feishu_message: "send_feishu_message",
    send_message_to_agent: "send_message_to_agent",
    send_file_to_agent: "send_file_to_agent",
    web_search: "web_search",
    execute_code: "execute_code",
    execute_code_e2b: "execute_code",
  };
  const TIER: Record<string, Tier> = { L1: "auto", L2: "notify", L3: "ask", L4: "deny" };
  const KINDS = [
    ...new Set(Object.values(ACTION_OF)),
    ...["read_files", "send_external_message", "modify_soul", "manage_tasks", "financial_operations"],
    ...["access_business_system_read", "access_business_system_write", "create_calendar_event"],
  ];
  const policy = fc.option(
    fc.dictionary(fc.constantFrom(...KINDS), fc.constantFrom("L1", "L2", "L3", "L4"), { maxKeys: 15 }),
  );
  const model = (given: Record<string, string> | null, action: string): Tier => TIER[given?.[action] ?? "L2"] as Tier;

  test("a mapped tool is never looser than its level", () => {
    fc.assert(
      fc.property(policy, fc.constantFrom(...Object.keys(ACTION_OF)), file, (given, tool, path) => {
        const args = { path, source: path, destination: "b", code: "print(1)", text: "hi", query: "x" };
        const was = { tier: model(given, ACTION_OF[tool] as string) };
        expectNotLooser(deciding("clawith", given)(tool, args), was, { tool, path });
      }),
      { numRuns: 600 },
    );
  });

  test("a command never runs if code had to be asked about", () => {
    fc.assert(
      fc.property(policy, commandCall, (given, { tried }) => {
        const was = { tier: model(given, "execute_code") };
        if (was.tier === "ask" || was.tier === "deny")
          expectNotLooser(deciding("clawith", given)(tried.tool, tried.args), was, tried);
      }),
      { numRuns: 600 },
    );
  });

  test("a tool of another host that writes, reads or deletes is never looser than an action that had to be asked about", () => {
    const read = file.map((path): Tried => ({ tool: "Read", args: { file_path: path } }));
    const deleted = file.map((path): Tried => ({ tool: "remove_file", args: { path } }));
    const call = fc.oneof(
      fc.tuple(fc.constant("write_workspace_files"), writer),
      fc.tuple(fc.constant("read_files"), read),
      fc.tuple(fc.constant("delete_files"), deleted),
    );
    fc.assert(
      fc.property(policy, call, (given, [action, { tool, args }]) => {
        const was = model(given, action);
        // If several kinds share a class and one was refused, it asks.
        if (was === "ask" || was === "deny")
          expectNotLooser(deciding("clawith", given)(tool, args), { tier: "ask" }, { action, tool, args });
      }),
      { numRuns: 600 },
    );
  });
});

describe("flynn", () => {
  const TOOLS = [
    "file.read",
    "file.write",
    "file.edit",
    "file.patch",
    "shell.exec",
    "process.start",
    "process.kill",
    "web.fetch",
    "message.send",
    "cron.create",
  ];
  const DANGEROUS = ["file.write", "file.edit", "file.patch", "shell.exec", "process.start", "process.kill"];
  const pattern = fc.constantFrom(
    ...TOOLS,
    "shell.*",
    "file.*",
    "process.*",
    "*.exec",
    "*",
    "web.*",
    "f*",
    "*e*",
    "*_*",
    "d*",
    "*a*",
  );
  const patterns = fc.array(pattern, { maxLength: 3 });
  const policy = fc.record(
    {
      hooks: fc.record({ confirm: patterns, log: patterns, silent: patterns }, { requiredKeys: [] }),
      agents: fc.record(
        { autonomy_level: fc.constantFrom("conservative", "standard", "autonomous"), max_tokens: fc.constant(5) },
        { requiredKeys: [] },
      ),
      tool_policy: fc.oneof(
        fc.record({ profile: fc.constant("full"), allow: patterns, deny: patterns }, { requiredKeys: [] }),
        fc.record({ profile: fc.constant("minimal"), allow: fc.constant<string[]>([]), deny: patterns }),
      ),
      immutable_denylist: fc.array(fc.record({ tool: pattern, args_pattern: fc.option(fc.constant("rm -rf")) }), {
        maxLength: 2,
      }),
      channels: fc.constant({ telegram: { allowed_chats: [1] } }),
    },
    { requiredKeys: [] },
  );
  type FlynnPolicy = (typeof policy)["generate"] extends (...args: never[]) => { value: infer V } ? V : never;
  const flat = (tool: string) => tool.replace(".", "_");
  const spelling = fc.constantFrom<(tool: string) => string>(
    (tool) => tool,
    flat,
    (tool) => `functions.${flat(tool)}`,
    (tool) => `default_api:${flat(tool)}`,
  );
  const fits = (glob: string, tool: string) =>
    new RegExp(`^${glob.replace(/[.]/g, "\\.").replaceAll("*", ".*")}$`).test(tool);
  const named = (globs: readonly string[] | null | undefined, tool: string) =>
    (globs ?? []).some((glob) => fits(glob, tool));

  function model(given: FlynnPolicy, tool: string, text: string): Tier {
    const { profile, allow, deny } = given.tool_policy ?? {};
    if (named(deny, tool)) return "deny";
    if ((allow ?? []).length > 0 && !named(allow, tool)) return "deny";
    if (profile === "minimal") return "deny";
    for (const { tool: glob, args_pattern } of given.immutable_denylist ?? [])
      if (fits(glob, tool) && (args_pattern === null || text.includes(args_pattern))) return "deny";
    if (named(given.hooks?.confirm, tool)) return "ask";
    return given.agents?.autonomy_level !== "autonomous" && DANGEROUS.includes(tool) ? "ask" : "auto";
  }

  test("a tool is never looser than its hooks, level and tool policy, under any spelling", () => {
    fc.assert(
      fc.property(policy, fc.constantFrom(...TOOLS), spelling, file, (given, tool, spell, path) => {
        const args: JsonObject = { path, command: "ls", url: "https://example.com/", pid: 7 };
        const spelt = spell(tool);
        expectNotLooser(deciding("flynn", given)(spelt, args), { tier: model(given, tool, "ls") }, { spelt, args });
      }),
      { numRuns: 600 },
    );
  });

  test("a command is never looser either, through any tool", () => {
    fc.assert(
      fc.property(policy, commandCall, (given, { command, tried }) => {
        const its = TOOLS.includes(tried.tool) ? tried.tool : "shell.exec";
        const was = { tier: model(given, its, command) };
        expectNotLooser(deciding("flynn", given)(tried.tool, tried.args), was, tried);
      }),
      { numRuns: 600 },
    );
  });
});

describe("agent-core", () => {
  const LEVELS = ["None", "Read", "Write", "Execute", "Admin"];
  const target = fc.oneof(
    fc.record({
      type: fc.constant("path"),
      path: fc.constantFrom(
        "/project/src",
        "/project",
        "/",
        "/project/src/a.ts",
        "/etc",
        "/project/docs",
        "/project/../etc",
        "~/x",
      ),
      recursive: fc.boolean(),
    }),
    fc.record({
      type: fc.constant("domain"),
      pattern: fc.constantFrom("api.github.com", "*.github.com", "*", "API.github.com", "x:80"),
    }),
    fc.record({
      type: fc.constant("command"),
      pattern: fc.constantFrom(
        "git status",
        "git *",
        "git",
        "*",
        "rm *",
        "npm test",
        "git status; rm *",
        "g* status",
        "ls",
        " *",
        "\t *",
        "git  *",
      ),
    }),
    fc.record({
      type: fc.constant("tool"),
      tool_name: fc.constantFrom(
        "shell",
        "exec",
        "Bash",
        "write_file",
        "delete_file",
        "web_search",
        "WebFetch",
        "execute_code",
      ),
    }),
  );
  type Target = { type: string; path?: string; recursive?: boolean; pattern?: string; tool_name?: string };
  type Grant = { target: Target; level: string; expires?: null };
  const grants = fc.array(
    fc.record({
      target: target as fc.Arbitrary<Target>,
      level: fc.constantFrom(...LEVELS),
      expires: fc.constant(null),
    }),
    { maxLength: 5 },
  );
  const policy = fc.record({
    policy: fc.constantFrom("Interactive", "DenyAll", "AutoApprove"),
    reason: fc.option(fc.constant("Sandbox mode")),
    grants: fc.option(grants),
  });
  const TIER: Record<string, Tier> = { Interactive: "ask", DenyAll: "deny", AutoApprove: "auto" };

  type Request = { path: string } | { domain: string } | { command: string } | { tool: string };
  function covers({ target: on, level }: Grant, request: Request, wanted: string): boolean {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(wanted)) return false;
    if ("path" in request && on.type === "path") return coversPath(on, request.path);
    if ("tool" in request && on.type === "tool") return on.tool_name === request.tool;
    const pattern = on.pattern ?? "";
    if ("domain" in request && on.type === "domain")
      return (
        pattern === "*" ||
        pattern === request.domain ||
        (pattern.startsWith("*.") && `.${request.domain}`.endsWith(pattern.slice(1)))
      );
    if (!("command" in request) || on.type !== "command") return false;
    const start = pattern.endsWith(" *") ? pattern.slice(0, -2) : undefined;
    return (
      pattern === "*" ||
      pattern === request.command ||
      (start !== undefined && (request.command === start || request.command.startsWith(`${start} `)))
    );
  }
  function coversPath({ path = "", recursive }: Target, wanted: string): boolean {
    const normal = (text: string) => new URL(`file://${text}`).pathname;
    const [given, asked] = [normal(path), normal(wanted)];
    if (given === asked) return true;
    const below = given.endsWith("/") ? given : `${given}/`;
    return asked.startsWith(below) && (recursive === true || !asked.slice(below.length).includes("/"));
  }
  const model = (given: { policy: string; grants: Grant[] | null }, requests: [Request, string][]): Tier =>
    requests.every(([request, level]) => (given.grants ?? []).some((grant) => covers(grant, request, level)))
      ? "auto"
      : (TIER[given.policy] as Tier);

  test("a file, an address or a tool without a grant is never looser than the policy", () => {
    const calls: [Tried, [Request, string][]][] = FILES.flatMap((path): [Tried, [Request, string][]][] => {
      const at = path.startsWith("/") ? path : `/project/${path}`;
      return [
        [{ tool: "read_file", args: { path: at } }, [[{ path: at }, "Read"]]],
        [{ tool: "write_file", args: { path: at, content: "x" } }, [[{ path: at }, "Write"]]],
        [{ tool: "delete_file", args: { path: at } }, [[{ path: at }, "Write"]]],
      ];
    });
    for (const host of ["api.github.com", "github.com", "evil.com", "evilgithub.com"]) {
      const url = `https://${host}/x`;
      calls.push([{ tool: "WebFetch", args: { url } }, [[{ domain: host }, "Read"]]]);
    }
    calls.push([{ tool: "web_search", args: { query: "x" } }, [[{ tool: "web_search" }, "None"]]]);
    fc.assert(
      fc.property(policy, fc.constantFrom(...calls), (given, [{ tool, args }, requests]) => {
        expectNotLooser(deciding("agent-core", given)(tool, args), { tier: model(given, requests) }, { tool, args });
      }),
      { numRuns: 600 },
    );
  });

  test("a command without a grant for commands is never looser than the policy", () => {
    fc.assert(
      fc.property(policy, commandCall, (given, { command, tried }) => {
        const blocked = /^(rm -rf \/$|mkfs|dd )/.test(command);
        const was = { tier: blocked ? "deny" : model(given, [[{ command }, "Execute"]]) };
        expectNotLooser(deciding("agent-core", given)(tried.tool, tried.args), was, tried);
      }),
      { numRuns: 600 },
    );
  });
});

test("an empty list counts as left out, and null only where it can stand for nothing else", () => {
  const harn = {
    agent_id: null,
    autonomy_tier: "act_auto",
    tier: null,
    action_tiers: {},
    agent_tiers: {},
    agent_action_tiers: {},
    reviewers: [],
    requires_human: false,
    requires_human_actions: [],
    requires_human_agents: [],
  };
  expect(imported("harn", harn)).toEqual(imported("harn", { autonomy_tier: "act_auto", requires_human: false }));
  const flynn = { hooks: { confirm: [], log: [], silent: [] }, tool_policy: {}, agents: {}, immutable_denylist: [] };
  expect(imported("flynn", flynn)).toEqual(imported("flynn", {}));
  const agentCore = { policy: "Interactive", reason: null, grants: [] };
  expect(imported("agent-core", agentCore)).toEqual(imported("agent-core", { policy: "Interactive" }));
});

/** Files with every part that a policy can have, and where a null in them is the same as no key there. */
const FULL: Readonly<Record<string, { file: JsonObject; unset: readonly string[] }>> = {
  clawith: {
    file: {
      name: "Bot",
      autonomy_policy: { delete_files: "L3", execute_code: "L3", read_files: "L3", web_search: "L1" },
    },
    // Only the whole policy: it is an agent without one.
    unset: ["name", "autonomy_policy"],
  },
  harn: {
    file: {
      autonomy_tier: "shadow",
      action_tiers: { "fs.write": "suggest", exec: "act_with_approval" },
      agent_tiers: { coder: "act_with_approval" },
      agent_action_tiers: { coder: { "fs.delete": "shadow" } },
      reviewers: ["ana"],
      requires_human: false,
      requires_human_actions: ["process.exec"],
      requires_human_agents: ["intern"],
    },
    unset: ["autonomy_tier"],
  },
  flynn: {
    file: {
      server: { port: 3000 },
      hooks: { confirm: ["web.*"], log: ["file.read"], silent: ["memory.*"] },
      agents: { autonomy_level: "standard", model: "x" },
      tool_policy: { profile: "full", allow: ["file.*", "web.*"], deny: ["file.patch"] },
      immutable_denylist: [{ tool: "file.edit", args_pattern: "rm", reason: "no" }],
      sensitive_mode: "deny_without_elevation",
    },
    unset: [
      ...["server", "server.port", "agents.model", "agents.autonomy_level"],
      ...["immutable_denylist.0.args_pattern", "immutable_denylist.0.reason"],
    ],
  },
  "agent-core": {
    file: {
      policy: "DenyAll",
      reason: "no",
      grants: [{ target: { type: "path", path: "/project/src", recursive: true }, level: "Read", expires: "1h" }],
    },
    unset: ["reason", "grants", "grants.0.expires"],
  },
};

const SAMPLE: readonly Tried[] = [
  { tool: "read_file", args: { path: "/project/src/a.ts" } },
  { tool: "write_file", args: { path: "src/a.ts", content: "x" } },
  { tool: "delete_file", args: { path: "src/a.ts" } },
  { tool: "execute_code", args: { code: "print(1)" } },
  { tool: "exec", args: { command: "rm -rf build" } },
  { tool: "shell.exec", args: { command: "git push" } },
  { tool: "file.patch", args: { path: "src/a.ts", patch: "x" } },
  { tool: "file.edit", args: { path: "src/a.ts", old: "a", new: "b" } },
  { tool: "web.fetch", args: { url: "https://example.com/" } },
  { tool: "web_search", args: { query: "a" } },
];

/** Every place in a file, with the file as it is if something else stands there. */
function* placesIn(
  value: unknown,
  path: readonly string[] = [],
): Generator<{ path: string; put: (other: unknown) => unknown }> {
  if (path.length > 0) yield { path: path.join("."), put: (other) => other };
  if (typeof value !== "object" || value === null) return;
  for (const [key, below] of Object.entries(value))
    for (const { path: at, put } of placesIn(below, [...path, key]))
      yield {
        path: at,
        put: (other) =>
          Array.isArray(value)
            ? value.map((item, i) => (`${i}` === key ? put(other) : item))
            : { ...value, [key]: put(other) },
      };
}

const NAMES = /(^|\.)(\d+|tool|path)$/;
const WRONG: readonly unknown[] = [null, 0, "", "no", "Yes", ["x", null], { x: null }, { x: { y: "L1" } }];

test("whatever stands wrongly in a file is refused, or decides nothing more loosely; null is refused wherever it could mean a row", () => {
  for (const [from, { file, unset }] of Object.entries(FULL)) {
    const was = deciding(from, file);
    const nulls: string[] = [];
    for (const { path, put } of placesIn(file)) {
      for (const wrong of WRONG) {
        const given = put(wrong);
        const made = imported(from, given);
        if (!made.ok) continue;
        if (wrong === null) nulls.push(path);
        // Another name or pattern is what that system would have read too.
        if (unset.includes(path) || (typeof wrong === "string" && NAMES.test(path))) continue;
        const now = deciding(from, given);
        for (const tried of SAMPLE) {
          const looser =
            rankOf(now(tried.tool, tried.args).split(" ")[0] as Tier) >
            rankOf(was(tried.tool, tried.args).split(" ")[0] as Tier);
          expect({ from, path, wrong, tried, looser }).toEqual({ from, path, wrong, tried, looser: false });
        }
      }
    }
    expect([from, nulls.sort()]).toEqual([from, [...unset].sort()]);
  }
});

test("what YAML 1.1 would read in another way is an error: merged maps, keys that are numbers, doubled keys, on and no", () => {
  const texts: readonly (readonly [from: string, text: string])[] = [
    ["clawith", "autonomy_policy:\n  <<: { delete_files: L3 }\n  web_search: L1"],
    ["clawith", "autonomy_policy:\n  delete_files: L3\n  delete_files: L1"],
    ["clawith", "autonomy_policy:\n  1: L3"],
    ["clawith", "autonomy_policy:\n  delete_files:"],
    ["clawith", "autonomy_policy: { delete_files: L3 }\ndefault_autonomy_policy: { delete_files: L1 }"],
    ["clawith", "autonomy_policy: { web_search: L1 }\ndelete_files: L3"],
    ["clawith", "- autonomy_policy: { delete_files: L3 }"],
    ["harn", "autonomy_tier: act_auto\nrequires_human: on"],
    ["harn", "autonomy_tier: act_auto\nrequires_human: yes"],
    ["harn", "autonomy_tier: act_auto\naction_tiers:"],
    ["harn", "autonomy_tier: act_auto\nagent_action_tiers: { coder: }"],
    ["harn", "autonomy_tier: Act_Auto"],
    ["flynn", "base: &b { confirm: ['*'] }\nhooks: *b"],
    ["flynn", "<<: { hooks: { confirm: ['*'] } }\nagents: { autonomy_level: autonomous }"],
    ["flynn", "hooks:\nagents: { autonomy_level: autonomous }"],
    ["flynn", "Hooks: { confirm: ['*'] }"],
    ["flynn", "agents: { coder: { tool_policy: { deny: ['*'] } } }"],
    ["flynn", "providers: { openai: { tool_policy: { deny: ['*'] } } }"],
    ["flynn", "agents: { autonomy_levl: conservative }"],
    ["agent-core", "policy: autoApprove"],
    ["gemini", '{ "tools": { "core": [] } }'],
    ["claude-code", '{ "permissions": { "deny": null } }'],
  ];
  expect(texts.filter(([from, text]) => readingFails(from, text) === false)).toEqual([]);
});

function readingFails(from: string, text: string): boolean {
  try {
    return !imported(from, text).ok;
  } catch {
    return true;
  }
}

test("a whole agent of Clawith, a whole configuration of Flynn and agent-core's own names are read", () => {
  const levels = { delete_files: "L3", web_search: "L1" };
  const agent = { id: "a1", name: "Bot", autonomy_policy: levels, tools_config: null, heartbeat_enabled: true };
  const whole = imported("clawith", agent);
  expect(whole.ok && whole.notCarriedOver).toContain(
    "settings that are not levels: id, name, tools_config, heartbeat_enabled",
  );
  expect(deciding("clawith", agent)("delete_file", { path: "a" })).toBe("ask");
  const odd = imported("clawith", { "a\nb\u001b[2J\u202e": 1, autonomy_policy: levels });
  expect(odd.ok && odd.notCarriedOver).toContain("settings that are not levels: a<U+000A>b<U+001B>[2J<U+202E>");
  const hooks = { confirm: ["web.*"] };
  const flynn = {
    server: { port: 1 },
    hooks,
    agents: { autonomy_level: "autonomous", primary: "x" },
    channels: { telegram: { allow: [1] } },
  };
  const made = imported("flynn", flynn);
  expect(made.ok && made.notCarriedOver).toContain(
    "settings that are not permissions: server, channels, agents.primary",
  );
  expect(deciding("flynn", flynn)("web.fetch", { url: "https://example.com/" })).toBe("ask");
  for (const [long, short] of [
    ["AutoApprovePolicy", "AutoApprove"],
    ["DenyAllPolicy", "DenyAll"],
    ["InteractivePolicy", "Interactive"],
  ])
    expect(imported("agent-core", { policy: long })).toEqual(imported("agent-core", { policy: short }));
});
