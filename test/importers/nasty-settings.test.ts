import { expect, test } from "vitest";
import { readCodexRules } from "../../src/config/parse/codex-rules.ts";
import { withoutComments } from "../../src/config/parse/json-comments.ts";
import { readToml } from "../../src/config/parse/toml.ts";
import { readYaml } from "../../src/config/parse/yaml.ts";
import type { JsonObject } from "../../src/core/values/json.ts";
import { IMPORTERS } from "../../src/importers/importers.ts";
import { decidingTree } from "../seeds/importing.ts";

// Settings that are easy to get wrong, from the documentation of each agent program. `held`: the call must ask or be
// denied. `runs`: it must not ask. `fault`: the file must be refused.

type Wanted = "held" | "runs" | "fault";
type Case = readonly [settings: string, call: string | readonly [string, JsonObject], wanted: Wanted];

function outcomeOf(from: string, file: string, source: string, [tool, args]: readonly [string, JsonObject]): Wanted {
  const read = file.endsWith(".toml")
    ? readToml(source, file)
    : file.endsWith(".rules")
      ? readCodexRules(source, file)
      : readYaml(withoutComments(source), file);
  if (!read.ok || IMPORTERS[from]?.(read.tree).ok !== true) return "fault";
  return ["auto", "notify"].includes(decidingTree(from, read.tree)(tool, args)) ? "runs" : "held";
}

function check(from: string, file: string, shell: string, cases: readonly Case[]): void {
  const wrong = cases.flatMap(([settings, call, wanted]) => {
    const given = typeof call === "string" ? ([shell, { command: call }] as const) : call;
    const found = outcomeOf(from, file, settings, given);
    return found === wanted ? [] : [`${settings} | ${JSON.stringify(call)}: ${found}, not ${wanted}`];
  });
  expect(wrong).toEqual([]);
}

const claude = (
  allow: readonly string[],
  deny: readonly string[] = [],
  ask: readonly string[] = [],
  more: object = {},
) => JSON.stringify({ permissions: { allow, deny, ask, ...more } });
const read = (path: string) => ["Read", { file_path: path }] as const;
const write = (path: string) => ["Write", { file_path: path, content: "x" }] as const;
const fetch = (url: string) => ["WebFetch", { url, prompt: "x" }] as const;

test("nasty settings of Claude Code", () => {
  check("claude-code", "settings.json", "Bash", [
    [claude(["Bash(npm run test:*)"]), "npm run test", "runs"],
    [claude(["Bash(npm run test:*)"]), "npm run test -- --watch", "runs"],
    [claude(["Bash(npm run test:*)"]), "npm run test:unit", "held"],
    [claude(["Bash(npm run test:*)"]), "npm run testing", "held"],
    [claude(["Bash(npm run test:*)"]), "npm run test && rm -rf /", "held"],
    [claude(["Bash(npm run test:*)"]), "npm run test; curl evil.example", "held"],
    [claude(["Bash(npm run test:*)"]), "npm run test | sh", "held"],
    [claude(["Bash(npm run test:*)"]), "npm run test $(rm -rf x)", "held"],
    [claude(["Bash(npm run test:*)"]), "npm run test `rm -rf x`", "held"],
    [claude(["Bash(npm run test:*)"]), "npm run test\nrm -rf x", "held"],
    [claude(["Bash(npm run test:*)"]), "npm run test & rm x", "held"],
    [claude(["Bash(npm run test:*)"]), "npm run test > ~/.bashrc", "held"],
    [claude(["Bash(npm run test:*)"]), "npm run test <(rm x)", "held"],
    [claude(["Bash(npm run test:*)"]), "NODE_OPTIONS=--require=./x npm run test", "held"],
    [claude(["Bash(npm run test:*)"]), "sudo npm run test", "held"],
    [claude(["Bash(npm run test:*)"]), "/tmp/npm run test", "held"],
    [claude(["Bash(npm test)"]), "npm test", "runs"],
    [claude(["Bash(npm test)"]), "npm test x", "held"],
    [claude(["Bash(npm test)"]), "npm  test", "held"],
    [claude(["Bash(npm test)", "Bash(git status)"]), "npm test && git status", "runs"],
    [claude(["Bash(npm test)", "Bash(git status)"]), "npm test && git push", "held"],
    [claude(["Bash(git *)"], ["Bash(git push:*)"]), "git push origin", "held"],
    [claude(["Bash(git *)"], ["Bash(git push:*)"]), "git -C . push origin", "held"],
    [claude(["Bash(git *)"], ["Bash(git push:*)"]), "git status", "runs"],
    [claude(["Bash(git *)"], [], ["Bash(git push *)"]), "git push origin", "held"],
    [claude(["Bash(* --version)"]), "node --version", "runs"],
    [claude(["Bash(* --version)"]), "rm -rf x; node --version", "held"],
    [claude(["Bash(ls*)"]), "lsof", "runs"],
    [claude(["Bash(git * main)"]), "git push main", "runs"],
    [claude(["Bash(git * main)"]), "git push main --force", "held"],
    [claude(["Bash(npm.test)"]), "npmxtest", "held"],
    [claude(["Bash(a|b:*)"]), "a|b", "held"],
    [claude(["Bash"], ["Bash(rm:*)"]), "rm x", "held"],
    [claude(["Bash"], ["Bash(rm:*)"]), "cd a && rm x", "held"],
    [claude(["Bash"], ["Bash(rm:*)"]), "/bin/rm x", "held"],
    [claude(["Bash"], ["Bash(curl *)"]), "bash -c 'curl x'", "held"],
    [claude(["Bash"], ["Bash(* --force)"]), "git push --force", "held"],
    [claude(["Bash(*)"]), "git status", "runs"],
    [claude(["Read"]), read("/etc/hosts"), "runs"],
    [claude([]), read("/project/a.ts"), "runs"],
    [claude([]), read("/etc/hosts"), "held"],
    [claude([], ["Read"]), read("/project/a.ts"), "held"],
    [claude(["Read"], ["Read(./.env)"]), read("/project/.env"), "held"],
    [claude(["Read"], ["Read(.env)"]), read("/project/a/b/.env"), "held"],
    [claude(["Read"], ["Read(**/*.pem)"]), read("/project/k/x.pem"), "held"],
    [claude(["Read"], ["Read(secrets/)"]), read("/project/secrets/a/b"), "held"],
    [claude(["Read"], ["Read(~/.ssh/**)"]), read("/home/ana/.ssh/id_rsa"), "held"],
    [claude(["Read"], ["Read(//etc/passwd)"]), read("/etc/passwd"), "held"],
    [claude(["Read"], ["Read(/config/*.key)"]), read("/project/config/a.key"), "held"],
    [claude(["Bash(cat:*)"], ["Read(./.env)"]), "cat .env", "held"],
    [claude(["Bash(cat:*)"], ["Read(./.env)"]), "cat ./src/../.env", "held"],
    [claude(["Edit(src/**)"]), write("/project/src/a/b.ts"), "runs"],
    [claude(["Edit(src/**)"]), write("/project/lib/src/a.ts"), "held"],
    [claude(["Edit(src/**)"]), write("/project/src/../package.json"), "held"],
    [claude(["Edit(src/**)"], ["Edit(src/gen/**)"]), write("/project/src/gen/a.ts"), "held"],
    [claude(["Write(src/**)"]), write("/project/src/a.ts"), "held"],
    [claude(["Edit"]), write("/project/.claude/settings.json"), "held"],
    [claude(["Edit"]), write("/project/.git/hooks/pre-commit"), "held"],
    [claude([], [], [], { defaultMode: "acceptEdits" }), write("/project/a.ts"), "runs"],
    [claude([], [], [], { defaultMode: "acceptEdits" }), write("/tmp/a.ts"), "held"],
    [claude([], [], [], { defaultMode: "acceptEdits" }), write("/project/.vscode/settings.json"), "held"],
    [claude([], [], [], { defaultMode: "bypassPermissions" }), "mkdir x", "held"],
    [claude([], [], [], { defaultMode: "plan" }), write("/project/a.ts"), "held"],
    [claude([], [], [], { defaultMode: "dontAsk" }), "mkdir x", "held"],
    [claude([], [], [], { defaultMode: "yolo" }), "mkdir x", "fault"],
    [claude(["WebFetch(domain:example.com)"]), fetch("https://example.com/a"), "runs"],
    [claude(["WebFetch(domain:example.com)"]), fetch("https://evil-example.com/a"), "held"],
    [claude(["WebFetch(domain:example.com)"]), fetch("https://a.example.com/"), "held"],
    [claude(["WebFetch(domain:*.example.com)"]), fetch("https://example.com/"), "held"],
    [claude(["WebFetch"], ["WebFetch(domain:evil.example)"]), fetch("https://evil.example/x"), "held"],
    [claude(["mcp__shell__run"]), ["mcp__shell__run", { command: "ls" }], "held"],
    [claude(["Bash(ls:*)"]), ["mcp__shell__bash", { command: "ls" }], "held"],
    [claude(["*"]), "mkdir x", "held"],
    [claude(["Bsh(ls)"]), "ls", "fault"],
    [claude(["Bash(ls"]), "ls", "fault"],
    ['{ "permission": { "deny": ["Bash"] } }', "ls", "fault"],
    ['{ "permissions": { "dney": ["Bash"] } }', "ls", "fault"],
    ['{ "permissions": { "deny": ["Bash"], "deny": [] } }', "ls", "fault"],
    ['{ // mine\n "permissions": { "allow": ["Bash(npm test)"], /* x */ } }', "npm test", "runs"],
    ['{ "model": "x", "hooks": {} }', "mkdir x", "held"],
  ]);
});

const rule = (pattern: string, decision?: string) =>
  `prefix_rule(pattern=${pattern}${decision === undefined ? "" : `, decision="${decision}"`})`;

test("nasty rules of Codex", () => {
  check("codex", "default.rules", "Bash", [
    [rule('["git", "status"]', "allow"), "git status", "runs"],
    [rule('["git", "status"]', "allow"), "git status -s", "runs"],
    [rule('["git", "status"]', "allow"), "git stash", "held"],
    [rule('["git", "status"]', "allow"), "git -C / status", "held"],
    [rule('["git", "status"]', "allow"), "git status && rm x", "held"],
    [rule('["git", "status"]', "allow"), "git status > x", "held"],
    [rule('["git", "status"]', "allow"), "nice git status", "held"],
    [rule('["git", "status"]'), "git status", "runs"],
    [rule('["git", ["status", "log"]]', "allow"), "git log", "runs"],
    [rule('["git", ["status", "log"]]', "allow"), "git push", "held"],
    [rule('[["npm", "pnpm"], "test"]', "allow"), "pnpm test", "runs"],
    [`${rule('["git"]', "allow")}\n${rule('["git", "push"]', "prompt")}`, "git push", "held"],
    [`${rule('["git"]', "allow")}\n${rule('["git", "push"]', "forbidden")}`, "git push origin", "held"],
    [`${rule('["git"]', "allow")}\n${rule('["git", "push"]', "forbidden")}`, "git log", "runs"],
    [`${rule('["git"]', "allow")}\n${rule('["git", "push"]', "forbidden")}`, "bash -lc 'git push'", "held"],
    [rule('["echo", "a b"]', "allow"), "echo a b", "held"],
    [rule('["rm", "a b"]', "forbidden"), 'rm "a b"', "held"],
    [rule("[]", "allow"), "ls", "fault"],
    [rule('["git"]', "alow"), "git", "fault"],
    [rule('"git"', "allow"), "git", "fault"],
    ['prefix_rule(pattern=["git"] + ["x"])', "git", "fault"],
    ['CMD = ["git"]\nprefix_rule(pattern=CMD)', "git", "fault"],
    ['for x in ["a"]:\n  prefix_rule(pattern=[x])', "a", "fault"],
    ['load("x.bzl", "y")', "a", "fault"],
    ['network_rule(host="x", decision="allow")', "curl x", "fault"],
    ['prefix_rule(["git"], "allow")', "git", "fault"],
    ['prefix_rule(pattern=["git"], decision="forbidden", decision="allow")', "git", "fault"],
    ["# only a comment\n", "git status", "held"],
    [
      'prefix_rule(\n  pattern = ["ls"], # x\n  decision = "allow",\n  justification = "a \\"b\\"",\n  match = ["ls", ["ls", "-l"]],\n)',
      "ls -l",
      "runs",
    ],
    ["prefix_rule(pattern=['ls'], decision='allow')", "ls", "runs"],
    ['prefix_rule(pattern=["ls"], decision=f"allow")', "ls", "fault"],
    ['prefix_rule(pattern=["ls"], decison="forbidden")', "ls", "fault"],
  ]);
  check("codex", "config.toml", "Bash", [
    ['approval_policy = "never"\nsandbox_mode = "danger-full-access"', "rm -rf x", "held"],
    ['approval_policy = "on-request"\nsandbox_mode = "workspace-write"', "cat a.txt", "runs"],
    ['approval_policy = "on-request"\nsandbox_mode = "workspace-write"', "make", "held"],
    [
      'approval_policy = "on-request"',
      ["Bash", { command: "cat a", sandbox_permissions: "require_escalated" }],
      "held",
    ],
    ['approval_policy = "on-request"\nsandbox_mode = "read-only"', write("/project/a.ts"), "held"],
    ['approval_policy = "on-request"\nsandbox_mode = "workspace-write"', write("/project/a.ts"), "runs"],
    ['approval_policy = "on-request"\nsandbox_mode = "workspace-write"', write("/project/.git/config"), "held"],
    ['approval_policy = "on-request"\nsandbox_mode = "workspace-write"', write("/etc/a"), "held"],
    ['approval_policy = "untrusted"', "ls -la", "runs"],
    ['approval_policy = "untrusted"', "find . -delete", "held"],
    ['approval_policy = "untrusted"', "git log", "held"],
    ['approval_policy = "untrusted"\nsandbox_mode = "workspace-write"', write("/project/a.ts"), "held"],
    ["", "make", "held"],
    ['approval_policy = "always"', "ls", "fault"],
    ['aproval_policy = "never"', "ls", "fault"],
    ['approval_policy = "never"\napproval_policy = "untrusted"', "ls", "fault"],
    ["approval_policy = { granular = { rules = true } }", "make", "held"],
    ['[profiles.x]\napproval_policy = "never"', "make", "held"],
    ['[mcp_servers.docs]\ncommand = "x"\ndisabled_tools = ["delete"]', ["mcp__docs__delete", {}], "held"],
  ]);
});

const gemini = (lines: string) => `[[rule]]\n${lines}`;
const SHELL = 'toolName = "run_shell_command"\n';

test("nasty policies and settings of Gemini CLI", () => {
  check("gemini", "policy.toml", "run_shell_command", [
    [gemini(`${SHELL}commandPrefix = "git"\ndecision = "allow"\npriority = 100`), "git log", "runs"],
    [gemini(`${SHELL}commandPrefix = "git"\ndecision = "allow"\npriority = 100`), "github", "held"],
    [gemini(`${SHELL}commandPrefix = "git"\ndecision = "allow"\npriority = 100`), "git log && rm x", "held"],
    [gemini(`${SHELL}commandPrefix = "git"\ndecision = "allow"\npriority = 100`), "git log > x", "held"],
    [gemini(`${SHELL}commandPrefix = "git"\ndecision = "allow"\npriority = 100`), "git log $(rm x)", "held"],
    [gemini(`${SHELL}commandPrefix = ["git log", "ls"]\ndecision = "allow"\npriority = 1`), "ls -la", "runs"],
    [gemini(`${SHELL}commandRegex = "git .*"\ndecision = "allow"\npriority = 1`), "git log", "held"],
    [gemini(`${SHELL}argsPattern = "rm"\ndecision = "deny"\npriority = 1`), "rm x", "held"],
    [gemini(`${SHELL}decision = "allow"\npriority = 1\nmodes = ["yolo"]`), "mkdir x", "held"],
    [gemini(`${SHELL}decision = "allow"\npriority = 1\nmodes = ["autoEdit"]`), "mkdir x", "held"],
    [gemini(`${SHELL}decision = "allow"\npriority = 1\ninteractive = false`), "mkdir x", "held"],
    [gemini(`${SHELL}decision = "allow"\npriority = 1\nsubagent = "x"`), "mkdir x", "held"],
    [gemini('toolName = "*"\ndecision = "allow"\npriority = 999'), "mkdir x", "held"],
    [
      gemini('toolName = "write_file"\ndecision = "allow"\npriority = 1'),
      ["write_file", { file_path: "/project/a.ts", content: "x" }],
      "runs",
    ],
    [
      gemini('toolName = "write_file"\ndecision = "allow"\npriority = 1'),
      ["write_file", { file_path: "/etc/a", content: "x" }],
      "held",
    ],
    [
      gemini('toolName = "write_file"\ndecision = "allow"\npriority = 1'),
      ["write_file", { file_path: "/project/package.json", content: "x" }],
      "held",
    ],
    [
      gemini('toolName = "read_file"\ndecision = "deny"\npriority = 1'),
      ["read_file", { file_path: "/project/a" }],
      "held",
    ],
    [gemini('mcpName = "x"\ndecision = "deny"\npriority = 1'), ["mcp_x_y", {}], "held"],
    [gemini('toolName = "mcp_*"\ndecision = "allow"\npriority = 1'), ["mcp_x_y", {}], "held"],
    [gemini(`${SHELL}decision = "allowed"\npriority = 1`), "ls", "fault"],
    [gemini(`${SHELL}decison = "deny"\npriority = 1`), "ls", "fault"],
    [gemini(`${SHELL}priority = 1`), "ls", "fault"],
    ['[[rules]]\ntoolName = "x"', "mkdir x", "held"],
    [
      gemini(`${SHELL}commandPrefix = "git"\ndecision = "allow"\npriority = 1\n`) +
        gemini(`${SHELL}commandPrefix = "git push"\ndecision = "deny"\npriority = 900`),
      "git push",
      "held",
    ],
    [gemini(`${SHELL}commandPrefix = '''git log'''\ndecision = "allow"\npriority = 1`), "git log", "runs"],
    [gemini(`${SHELL}decision = "allow`), "ls", "fault"],
  ]);
  const settings = (value: object) => JSON.stringify(value);
  check("gemini", "settings.json", "run_shell_command", [
    [settings({ tools: { allowed: ["run_shell_command(git status)"] } }), "git status -s", "runs"],
    [settings({ tools: { allowed: ["run_shell_command(git status)"] } }), "git push", "held"],
    [settings({ tools: { allowed: ["ShellTool(ls)"] } }), "ls", "runs"],
    [settings({ tools: { allowed: ["run_shell_command"], exclude: ["run_shell_command(rm)"] } }), "rm x", "held"],
    [
      settings({ tools: { allowed: ["run_shell_command"], confirmationRequired: ["run_shell_command"] } }),
      "ls",
      "held",
    ],
    [
      settings({ tools: { exclude: ["write_file"] } }),
      ["replace", { file_path: "/project/a", old_string: "a", new_string: "b" }],
      "held",
    ],
    [settings({ tools: { core: ["read_file"] } }), ["glob", { pattern: "*" }], "held"],
    [settings({ tools: { core: ["read_file"] } }), ["read_file", { file_path: "/project/a" }], "runs"],
    [
      settings({ general: { defaultApprovalMode: "auto_edit" } }),
      ["write_file", { file_path: "/project/a.ts", content: "x" }],
      "runs",
    ],
    [settings({ general: { defaultApprovalMode: "yolo" } }), "mkdir x", "held"],
    [
      settings({ general: { defaultApprovalMode: "plan" } }),
      ["write_file", { file_path: "/project/a.ts", content: "x" }],
      "held",
    ],
    [settings({ general: { defaultApprovalMode: "auto" } }), "ls", "fault"],
    [settings({ tools: { excluded: ["x"] } }), "ls", "fault"],
    [settings({ mcpServers: { x: { command: "y", trust: true } } }), ["mcp_x_delete", {}], "held"],
    [settings({ mcp: { excluded: ["x"] } }), ["mcp__x__y", {}], "held"],
    [settings({ excludeTools: ["run_shell_command"] }), "ls", "held"],
    [settings({ theme: "x" }), "mkdir x", "held"],
  ]);
});

const permission = (value: unknown) => JSON.stringify({ permission: value });
const edit = (filePath: string) => ["edit", { filePath, oldString: "a", newString: "b" }] as const;

test("nasty permissions of opencode", () => {
  check("opencode", "opencode.json", "bash", [
    [permission({ "github_*": "deny", "filesystem_*": "deny" }), ["mcp__filesystem__read_file", { path: "a" }], "held"],
    [permission({ bash: "ask" }), "ls", "held"],
    [permission({ bash: { "*": "ask", "git status": "allow" } }), "git status", "runs"],
    [permission({ bash: { "*": "ask", "git status": "allow" } }), "git status -s", "held"],
    [permission({ bash: { "*": "ask", "git status *": "allow" } }), "git status", "runs"],
    [permission({ bash: { "*": "ask", "git status *": "allow" } }), "git statusx", "held"],
    [permission({ bash: { "*": "ask", "git *": "allow" } }), "git log && mkdir x", "held"],
    [permission({ bash: { "*": "ask", "git *": "allow" } }), "git log; git status", "runs"],
    [permission({ bash: { "*": "ask", "git *": "allow" } }), "git log | sh", "held"],
    [permission({ bash: { "git *": "allow", "*": "ask" } }), "git log", "held"],
    [permission({ bash: { "*": "allow", "rm *": "deny" } }), "rm x", "held"],
    [permission({ bash: { "*": "allow", "rm *": "deny" } }), "ls && rm x", "held"],
    [permission({ bash: { "*": "deny", ls: "allow" } }), "ls", "runs"],
    [permission({ bash: { "*": "deny", ls: "allow" } }), "ls -la", "held"],
    [permission({ bash: { "git *": "ask", "git log*": "allow" } }), "git log", "runs"],
    [permission({ bash: { "git *": "ask", "git log*": "allow" } }), "git log && git push", "held"],
    [permission({ bash: { "git log*": "allow", "git *": "ask" } }), "git log", "held"],
    [permission({ bash: { "*": "ask", "l?": "allow" } }), "ls", "runs"],
    [`{ "permission": { "bash": { "*": "ask", "*": "allow" } } }`, "mkdir x", "fault"],
    [permission("ask"), "ls", "held"],
    [permission("deny"), ["read", { filePath: "/project/a" }], "held"],
    [permission({ "*": "ask", bash: "allow" }), "git status", "runs"],
    [permission({ bash: "allow", "*": "ask" }), "git status", "held"],
    [permission({ "*": "deny", read: "allow" }), ["read", { filePath: "/project/a" }], "runs"],
    [permission({ "*": "deny", read: "allow" }), ["grep", { pattern: "x" }], "held"],
    [permission({ edit: "ask" }), edit("/project/a"), "held"],
    [permission({ edit: "ask" }), ["write", { filePath: "/project/a", content: "x" }], "held"],
    [permission({ edit: "deny" }), "touch a", "held"],
    [permission({ edit: { "*": "deny", "docs/*": "allow" } }), edit("/project/docs/a/b.md"), "runs"],
    [permission({ edit: { "*": "deny", "docs/*": "allow" } }), edit("/project/src/docs/a.md"), "held"],
    [permission({ edit: { "*": "deny", "docs/*": "allow" } }), edit("/project/docs/../a"), "held"],
    [permission({ edit: { "*": "allow", "*.lock": "deny" } }), edit("/project/a/b.lock"), "held"],
    [permission({ edit: { "src/*.ts": "ask" } }), edit("/project/src/a/b.ts"), "held"],
    [permission({}), ["read", { filePath: "/etc/hosts" }], "held"],
    [permission({ external_directory: "deny" }), "cat /etc/hosts", "held"],
    [
      permission({ external_directory: { "~/secrets/**": "deny", "*": "allow" } }),
      ["read", { filePath: "/etc/hosts" }],
      "runs",
    ],
    [
      permission({ external_directory: { "*": "allow", "~/secrets/*": "deny" } }),
      ["read", { filePath: "/home/ana/secrets/a" }],
      "held",
    ],
    [permission({}), ["read", { filePath: "/project/.env" }], "held"],
    [permission({}), ["read", { filePath: "/project/a/prod.env.local" }], "held"],
    [permission({ read: { "*": "allow", "*.pem": "deny" } }), "cat k/a.pem", "held"],
    [permission({ webfetch: "ask" }), ["webfetch", { url: "https://example.com" }], "held"],
    [permission({ webfetch: { "https://evil*": "deny" } }), ["webfetch", { url: "https://evil.example" }], "held"],
    [permission({ "github_*": "deny" }), ["github_delete", {}], "held"],
    [permission({ task: "deny" }), ["task", { prompt: "x" }], "held"],
    [permission({ bash: "alow" }), "ls", "fault"],
    [permission({ bash: ["ls"] }), "ls", "fault"],
    [JSON.stringify({ permissions: { bash: "deny" } }), "ls", "fault"],
    [JSON.stringify({ tools: { bash: false } }), "ls", "held"],
    [JSON.stringify({ tools: { write: false } }), edit("/project/a"), "held"],
    [JSON.stringify({ tools: { bash: true }, permission: { bash: "ask" } }), "ls", "held"],
    [JSON.stringify({ agent: { plan: { permission: { edit: "deny" } } } }), edit("/project/a"), "held"],
    [
      JSON.stringify({
        agent: { x: { permission: { bash: { "git push *": "ask" } } } },
        permission: { bash: { "git *": "allow" } },
      }),
      "git push",
      "held",
    ],
    [JSON.stringify({ agent: { x: { permission: { bash: "allow" } } }, permission: { bash: "ask" } }), "ls", "held"],
    [JSON.stringify({ model: "x" }), "rm -rf x", "held"],
  ]);
});
