import { describe, expect, test } from "vitest";
import { plainPaths, policyFrom } from "../../testing.ts";
import type { ToolCall } from "../call.ts";
import { decide } from "../decide/decide.ts";
import { sentencesOf } from "../decide/explain.ts";
import { namedLayers } from "../decide/layers.ts";
import { bareStanding } from "../decide/standing.ts";
import type { EffectClass } from "../effect.ts";
import { textOf } from "../messages/text.ts";
import { ineffectiveWords } from "../policy/check.ts";
import type { JsonObject } from "../values/json.ts";
import { classify, namedPaths } from "./classify.ts";
import { declaredTools, NOTHING_DECLARED } from "./known-tool.ts";
import { readCall } from "./reading.ts";

// What the known tools do with their arguments, and what counts as another tool with the same name.

const STANDARD = "version: 1\npreset: standard\n";
const PROJECT = "/project";

function judged(tool: string, args: JsonObject, policyText = STANDARD) {
  const policy = policyFrom(policyText);
  const call: ToolCall = {
    workspace: "default",
    agent: "coder",
    tool,
    args,
    callId: "c",
    traceId: "t",
    chain: [],
    claims: {},
    cwd: PROJECT,
  };
  const { layers, version } = namedLayers(policy);
  const facts = { ...plainPaths(namedPaths(readCall(call)), PROJECT), home: "/home/ana" };
  const declared = policy.tools.length === 0 ? NOTHING_DECLARED : declaredTools([policy]);
  const effect = classify(readCall(call), { declared, project: PROJECT, facts });
  const { tier, causes } = decide(call, effect, bareStanding(layers, version), 0);
  return { effect, tier, causes };
}

const judgedCauses = (tool: string, policy: string) => sentencesOf(judged(tool, {}, policy).causes);
const tierOf = (tool: string, args: JsonObject, policy?: string) => judged(tool, args, policy).tier;

type Case = readonly [tool: string, args: JsonObject];

function expectTiers(cases: readonly Case[], tier: string | readonly string[]): void {
  const wanted = typeof tier === "string" ? [tier] : tier;
  const wrong = cases
    .map(([tool, args]) => [tool, JSON.stringify(args), tierOf(tool, args)])
    .filter(([, , is = ""]) => !wanted.includes(is));
  expect(wrong).toEqual([]);
}

const RUNS = ["auto", "notify"];

describe("a tool that runs commands", () => {
  test("is asked about if further words of the command are in another argument", () => {
    const push = ["push", "--force"];
    expectTiers(
      [
        ["create_and_run_task", { task: { command: "git", args: push } }],
        ["create_and_run_task", { task: { command: "systemctl", args: ["reboot"] } }],
        ["create_and_run_task", { task: { label: "x", type: "shell", command: "git", args: [{ value: "push" }] } }],
        ["create_and_run_task", { task: { command: "ls", linux: { command: "rm -rf src" } } }],
        ["create_and_run_task", { task: { command: "ls", dependsOn: ["deploy"] } }],
        ["run_command", { command: "git", arguments: push }],
        ["run_command", { command: "git", arguments: "push --force" }],
        ["run_command", { command: "git", params: push }],
        ["run_command", { command: "git", flags: "push --force" }],
        ["run_command", { command: "git", argumentList: push }],
        ["run_command", { command: "git", rest: "push --force" }],
        ["run_command", { command: "git", extra: { words: push } }],
        ["Bash", { command: "ls", suffix: "; rm -rf src" }],
        ["shell", { command: ["git"], args: push }],
        ["exec_command", { cmd: "ls", command: { run: "rm -rf src" } }],
      ],
      "ask",
    );
    const { effect } = judged("run_command", { command: "git", arguments: push });
    expect(effect.parts.map((part) => part.class)).toEqual(["git.write"]);
  });

  test("runs in the folder that it is given, under every name of that argument", () => {
    const names = ["directory", "dir_path", "cd", "working_dir", "Cwd", "workdir", "folder", "dir", "startDir"];
    expectTiers(
      names.map((name): Case => ["run_shell_command", { command: "touch x", [name]: "/root" }]),
      "ask",
    );
    expectTiers(
      names.map((name): Case => ["run_shell_command", { command: "touch x", [name]: "src" }]),
      "notify",
    );
    expectTiers(
      [
        ["run_shell_command", { command: "touch x", cwd: "src", directory: "/root" }],
        ["run_shell_command", { command: "touch x", cwd: ["/root"] }],
        ["run_shell_command", { command: "touch x", runIn: "/root" }],
        ["create_and_run_task", { task: { command: "touch x", options: { cwd: "/root" } } }],
        ["create_and_run_task", { task: { command: "touch x" }, workspaceFolder: "/root" }],
      ],
      "ask",
    );
  });

  test("is asked about if variables in any form change what runs", () => {
    expectTiers(
      [
        ["Bash", { command: "ls", env: ["LD_PRELOAD=./x"] }],
        ["Bash", { command: "ls", env: "LD_PRELOAD=./x" }],
        ["Bash", { command: "ls", env: [{ name: "LD_PRELOAD", value: "./x" }] }],
        ["Bash", { command: "ls", envVars: { LD_PRELOAD: "./x" } }],
        ["Bash", { command: "ls", environment_variables: { PATH: "." } }],
        ["Bash", { command: "ls", variables: { BASH_ENV: "./x" } }],
        ["Bash", { command: "ls", setenv: { LD_PRELOAD: "./x" } }],
        ["Bash", { command: "ls", env: 7 }],
        ["create_and_run_task", { task: { command: "ls", options: { env: { LD_PRELOAD: "./x" } } } }],
      ],
      "ask",
    );
  });

  test("is asked about if the command would run with more rights", () => {
    expectTiers(
      [
        ["shell", { command: ["ls"], with_escalated_permissions: true, justification: "x" }],
        ["exec_command", { cmd: "ls", sandbox_permissions: "require_escalated" }],
        ["Bash", { command: "ls", dangerouslyDisableSandbox: true }],
        ["run_command", { command: "ls", sudo: true }],
        ["run_command", { command: "ls", user: "root" }],
      ],
      "ask",
    );
  });

  test("is asked about if the tool stores the command for later", () => {
    expectTiers(
      [
        [
          "create_and_run_task",
          {
            task: {
              label: "x",
              type: "shell",
              command: "ls",
              args: ["-la"],
              group: "build",
              isBackground: false,
              problemMatcher: [],
            },
            workspaceFolder: PROJECT,
          },
        ],
      ],
      "ask",
    );
  });

  test("accepts the usual arguments of today's agent programs without a question", () => {
    expectTiers(
      [
        ["Bash", { command: "ls -la", description: "x", timeout: 1000, run_in_background: false }],
        ["Bash", { command: "ls", dangerouslyDisableSandbox: false }],
        [
          "shell",
          { command: ["bash", "-lc", "ls"], workdir: PROJECT, timeout_ms: 1000, with_escalated_permissions: false },
        ],
        [
          "exec_command",
          { cmd: "ls", workdir: PROJECT, yield_time_ms: 1000, max_output_tokens: 100, tty: false, login: true },
        ],
        ["run_shell_command", { command: "head a.ts", description: "x", dir_path: "src", is_background: false }],
        ["run_terminal_cmd", { command: "ls", is_background: false, explanation: "x" }],
        ["execute_command", { command: "ls", requires_approval: false, timeout: 30 }],
        ["run_in_terminal", { command: "ls", explanation: "x", goal: "y", isBackground: false, timeout: 0 }],
        ["terminal", { command: "ls", cd: "src", timeout_ms: 100 }],
        ["run_command", { CommandLine: "ls", Cwd: PROJECT, Blocking: true, SafeToAutoRun: true, WaitMsBeforeAsync: 0 }],
        ["execute_bash", { command: "ls", summary: "x" }],
        ["start_process", { command: "ls", timeout_ms: 1000 }],
        ["Bash", { command: "ls", env: { LANG: "C" } }],
      ],
      "auto",
    );
  });
});

test("a browser that an argument starts is asked about", () => {
  const page = { url: "https://example.com" };
  const launched = { ...page, launchOptions: { executablePath: "./evil" }, allowDangerous: true };
  expectTiers(
    [
      ["mcp__puppeteer__puppeteer_navigate", launched],
      ["mcp__puppeteer__puppeteer_navigate", { ...page, allowDangerous: true }],
      ["mcp__playwright__browser_navigate", { ...page, args: ["--load-extension=x"] }],
      ["browser_navigate", { ...page, profile: "Default" }],
    ],
    "ask",
  );
  expectTiers(
    [
      ["mcp__puppeteer__puppeteer_navigate", page],
      ["browser_navigate", { ...page, timeout: 5 }],
    ],
    "auto",
  );
});

test("moving a secret counts as reading it, and moving a folder over the project may replace any file", () => {
  expectTiers(
    [
      ["move_file", { source: ".env", destination: "src/x" }],
      ["rename_file", { old_path: ".env", new_path: "src/x" }],
      ["mcp__filesystem__move_file", { source: ".ssh/id_rsa", destination: "src/x" }],
      ["copy_file", { source: ".env", destination: "src/x" }],
      ["copy_file", { source: "unpacked", destination: "." }],
      ["move_file", { source: "unpacked", destination: PROJECT }],
      ["move_file", { source: "unpacked", destination: "/" }],
    ],
    "ask",
  );
  expectTiers([["move_file", { source: "src/a.ts", destination: "src/b.ts" }]], "notify");
});

test("saving a note that influences the agent later is asked about, like writing its instructions", () => {
  expectTiers(
    [
      ["save_memory", { fact: "always run x" }],
      ["update_memory", { text: "always run x" }],
      ["modify_soul", { text: "obey x" }],
    ],
    "ask",
  );
});

test("a tool of an MCP server that is not in the table is unknown, whatever its name", () => {
  const names = [
    "mcp__slack__slack_get_anything_and_delete",
    "mcp__slack__slack_list_and_purge",
    "mcp__github__get_anything",
    "mcp__github__list_and_delete_repos",
    "mcp__github__search_and_destroy",
    "mcp__chromedevtools__get_shell",
    "mcp__memory__create_backdoor",
    "mcp__github-evil__get_me",
    "mcp__ai-github__get_me",
  ];
  expectTiers(
    names.map((name): Case => [name, {}]),
    "ask",
  );
  for (const name of names) expect([name, judged(name, {}).effect.understood]).toEqual([name, "not"]);
  expectTiers(
    [
      ["mcp__github__get_me", {}],
      ["mcp__claude_ai_GitHub__get_me", {}],
      ["mcp__slack__slack_get_users", {}],
    ],
    "auto",
  );
});

test("another tool with a known name is asked about: a file on a cloud drive is not a local file", () => {
  expectTiers(
    [
      ["create_file", { filename: "notes.docx", content: "x" }],
      ["create_file", { name: "notes.docx", content: "x", parent_id: "7" }],
      ["create_file", { path: "a.txt", content: "x", mimeType: "text/plain" }],
      ["delete_file", { file_id: "13" }],
      ["write_file", { path: "a.txt", file_id: "13" }],
      ["read_file", { path: "a.txt", bucket: "prod" }],
      ["delete_file", { owner: "a", repo: "b", path: "c" }],
      ["switch_mode", { disarm: true }],
      ["wait", { amount: 5, action: "sell" }],
      ["question", { command: "x" }],
      ["store_clear", {}],
      ["checkpoint_clear", {}],
    ],
    "ask",
  );
  expectTiers(
    [
      ["create_file", { filePath: "src/a.ts", content: "x" }],
      ["switch_mode", { mode_slug: "code", reason: "x" }],
      ["wait", { ids: ["1"], timeout_ms: 5 }],
      ["store_set", { key: "a", value: 1 }],
    ],
    RUNS,
  );
});

const DECLARED = (rows: string) => `${STANDARD}tools:\n${rows}`;

test("the SQL statement of a tool declared as a database reader is still parsed", () => {
  const policy = DECLARED("  lookup: { class: db.read }\n  search: { class: network.read }\n");
  const asks: readonly Case[] = [
    ["lookup", { sql: "DELETE FROM orders" }],
    ["lookup", { query: "DELETE FROM orders" }],
    ["lookup", { statement: "update orders set paid = true" }],
    ["lookup", { q: "; drop table orders" }],
    ["lookup", { filter: { where: "1=1); DELETE FROM orders --" } }],
    ["lookup", { query: "select pg_read_file('/etc/passwd')" }],
    ["search", { sql: "drop table a" }],
  ];
  for (const [tool, args] of asks) expect([tool, args, tierOf(tool, args, policy)]).toEqual([tool, args, "ask"]);
  const runs: readonly Case[] = [
    ["lookup", { sql: "select * from orders" }],
    ["lookup", { query: "blue shoes" }],
    ["lookup", { id: 7 }],
    ["search", { query: "how to delete from a list" }],
  ];
  for (const [tool, args] of runs) expect([tool, args, tierOf(tool, args, policy)]).toEqual([tool, args, "auto"]);
});

test("a tool declared as a file reader reads in the folder that its argument names, and that folder is one target", () => {
  const policy = DECLARED("  list_tree: { class: fs.read }\n");
  for (const args of [{ directory: "src" }, { path: "a.ts", cwd: "src" }, { root: "src", path: "lib" }]) {
    expect([args, tierOf("list_tree", args, policy)]).toEqual([args, "auto"]);
  }
  const { effect } = judged("list_tree", { directory: "src" }, policy);
  expect(effect.parts.flatMap((part) => part.targets)).toEqual([
    { kind: "path", path: "/project/src", level: "read", recursive: false },
  ]);
});

test("a glob under `tools` declares every matching tool, in every spelling, except those that seem more serious", () => {
  const policy = DECLARED(
    '  "get_*": { class: db.read }\n  "mcp__shop__*": { class: network.read }\n  get_cash: { class: payments.move }\n',
  );
  const runs = ["get_weather", "getWeather", "functions.get_weather", "mcp__shop__find_item", "shop/list_items"];
  expect(runs.map((tool) => [tool, tierOf(tool, {}, policy)])).toEqual(runs.map((tool) => [tool, "auto"]));
  const asks = [
    "get_and_delete_user",
    "mcp__shop__delete_item",
    "mcp__other__get_weather",
    "get_cash",
    "getCash",
    "regret_x",
  ];
  expect(asks.map((tool) => [tool, tierOf(tool, {}, policy)])).toEqual(asks.map((tool) => [tool, "ask"]));
  expect(tierOf("get_it", { command: "rm -rf src" }, policy)).toBe("ask");
});

test("a declaration applies to every spelling of a tool; for an MCP tool with that name it can only make the decision stricter", () => {
  const policy = DECLARED("  find_order: { class: db.read }\n  refund: { class: payments.move }\n");
  const spelled = ["find_order", "findOrder", "Find-Order", "functions.find_order"];
  expect(spelled.map((tool) => tierOf(tool, {}, policy))).toEqual(spelled.map(() => "auto"));
  expect(tierOf("mcp__x__find_order", {}, policy)).toBe("ask");
  const classes = judged("mcp__x__refund", {}, policy).effect.parts.map((part): EffectClass => part.class);
  expect(classes).toEqual(["payments.move", "unknown"]);
  expect(judged("find\u200b_order", {}, policy).effect.understood).toBe("partly");
});

test("a row or rule that would run an undeclared tool is reported as not effective yet, and a glob over all tools is refused", () => {
  const policy = policyFrom(
    `${STANDARD}tiers: { "fetch_*": auto, get_weather: auto, lookup: auto, Read: auto, "write_*": notify, pay: deny }
tools: { lookup: { class: db.read } }
rules: [{ name: r, match: { tool: find_flight }, tier: auto, because: x }]
`,
  );
  expect(ineffectiveWords(policy).map(({ message }) => textOf(message, "en"))).toEqual([
    "fetch_*: this also matches unknown tools, for which `auto` has no effect yet",
    "get_weather: no such tool is known, so `auto` has no effect yet",
    "write_*: this also matches unknown tools, for which `notify` has no effect yet",
    "find_flight: no such tool is known, so `auto` has no effect yet",
  ]);
  const { effect } = judged("get_weather", {}, `${STANDARD}tiers: { get_weather: auto }\n`);
  expect(effect.understood).toBe("not");
  expect(judgedCauses("get_weather", `${STANDARD}tiers: { get_weather: auto }\n`)).toEqual([
    "the call is not understood: the tool is unknown; the policy names this tool, but that has an effect only after a person declares what the tool does",
  ]);
  expect(() => policyFrom(DECLARED('  "*": { class: none }\n'))).toThrow("`*` would declare every tool");
  expect(() => policyFrom(DECLARED('  "mcp__*": { class: none }\n'))).toThrow("would declare every tool");
});

test("a pattern that can match no tool is refused, in every place where a tool is named", () => {
  for (const name of ["get_[ab]*", "{get,list}_x", "!get_*"]) {
    expect(() => policyFrom(DECLARED(`  "${name}": { class: none }\n`))).toThrow(`\`${name}\` cannot match any tool`);
    expect(() => policyFrom(`${STANDARD}tiers: { "${name}": deny }\n`)).toThrow(`\`${name}\` cannot match any tool`);
    expect(() =>
      policyFrom(`${STANDARD}rules: [{ name: r, match: { tool: "${name}" }, tier: deny, because: x }]\n`),
    ).toThrow(`\`${name}\` cannot match any tool`);
  }
});

test("a glob over a server applies to every spelling of the server, and to tools whose names say what they read", () => {
  const policy = DECLARED('  "my-shop/*": { class: network.read }\n');
  const runs = ["mcp__my-shop__find_order", "mcp__my_shop__getPost", "my.shop/list_items", "mcp:myshop/get_release"];
  expect(runs.map((tool) => [tool, tierOf(tool, {}, policy)])).toEqual(runs.map((tool) => [tool, "auto"]));
  const asks = [
    "mcp__my-shop2__find_order",
    "mcp__my-shop__order",
    "mcp__my-shop__order_find",
    "mcp__my-shop__post_it",
  ];
  expect(asks.map((tool) => [tool, tierOf(tool, {}, policy)])).toEqual(asks.map((tool) => [tool, "ask"]));
});

test("the SQL statement of a declared database reader is found under any name and at any depth", () => {
  const policy = DECLARED("  ask_db: { class: db.read }\n");
  const asks: readonly JsonObject[] = [
    { prompt: "select pg_read_file('/etc/passwd')" },
    { expression: "call wipe()" },
    { body: "select lo_export(1, '/tmp/x')" },
    { params: { sql: "vacuum" } },
    { request: { queries: ["select 1", "truncate x"] } },
  ];
  for (const args of asks) expect([args, tierOf("ask_db", args, policy)]).toEqual([args, "ask"]);
  const runs: readonly JsonObject[] = [
    { prompt: "select 1 from orders" },
    { question: "do we have orders today?" },
    { question: "call me what you like" },
    { params: { sql: "select count(*) from orders" } },
  ];
  for (const args of runs) expect([args, tierOf("ask_db", args, policy)]).toEqual([args, "auto"]);
});

test("a path that two arguments of a declared reader name is one target", () => {
  const policy = DECLARED("  list_tree: { class: fs.read }\n");
  const { effect } = judged("list_tree", { path: "src", directory: "src" }, policy);
  expect(effect.parts.flatMap((part) => part.targets)).toEqual([
    { kind: "path", path: "/project/src", level: "read", recursive: false },
  ]);
});
