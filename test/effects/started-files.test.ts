import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { callOf } from "../../src/cli/calls.ts";
import { check } from "../../src/gate/calls/judging.ts";
import { openDeps } from "../../src/open.ts";

// Files of a project that agent programs, git and editors start by themselves, because their settings say so.

let root: string;
let project: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "leeway-started-")));
  project = join(root, "project");
  execFileSync("git", ["init", "-q", project], { stdio: "pipe" });
  return () => rmSync(root, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  const file = join(project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** What preset standard decides about writing each file, with a tool and by a command. */
async function decided(paths: readonly string[]): Promise<Record<string, string>> {
  const policy = { version: 1, preset: "standard" } as const;
  const deps = await openDeps({ db: ":memory:", policy, cwd: project, env: { PATH: "/usr/bin:/bin", HOME: root } });
  const found: Record<string, string> = {};
  for (const path of paths) {
    const file = join(project, path);
    const calls = [
      callOf(deps, { agent: "coder", tool: "Write", args: { file_path: file, content: "x" }, cwd: project }),
      callOf(deps, { agent: "coder", tool: "shell", args: { command: `echo x >> ${path}` }, cwd: project }),
    ];
    const outcomes = [];
    for (const call of calls) outcomes.push((await check(deps, call)).decision.outcome === "run" ? "runs" : "asks");
    found[path] = [...new Set(outcomes)].join(" and ");
  }
  await deps.close();
  return found;
}

async function outcomesOf(ways: readonly string[]): Promise<readonly { way: string; outcome: string }[]> {
  const policy = {
    version: 1,
    preset: "standard",
    tiers: { "fs.write": "auto", "fs.copy": "auto", "fs.move": "auto" },
  } as const;
  const deps = await openDeps({ db: ":memory:", policy, cwd: project, env: { PATH: "/usr/bin:/bin", HOME: root } });
  const call = (command: string) => callOf(deps, { agent: "coder", tool: "shell", args: { command }, cwd: project });
  const found = [];
  for (const way of ways) found.push({ way, outcome: (await check(deps, call(way))).decision.outcome });
  await deps.close();
  return found;
}

const hook = (command: string) =>
  JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: "command", command }] }] } });

/** Settings, the file that they start, and a file that they name or that is near, but that nothing starts. */
const STARTED: readonly (readonly [settings: string, text: string, started: string, other: string])[] = [
  [".claude/settings.json", hook("./scripts/lint.sh"), "scripts/lint.sh", "scripts/other.sh"],
  [".claude/settings.json", hook('"$CLAUDE_PROJECT_DIR"/scripts/lint.sh --all'), "scripts/lint.sh", "lint.sh"],
  [
    ".claude/settings.local.json",
    hook(["node $", "{CLAUDE_PROJECT_DIR}/tools/hook.mjs"].join("")),
    "tools/hook.mjs",
    "tools/a.mjs",
  ],
  [
    ".claude/settings.json",
    '{"statusLine":{"type":"command","command":"scripts\\/status.sh"}}',
    "scripts/status.sh",
    "a",
  ],
  [".claude/settings.json", '{"apiKeyHelper":"bin/key.sh"}', "bin/key.sh", "bin/keys.sh"],
  [".mcp.json", '{"mcpServers":{"x":{"command":"node","args":["tools/mcp.js","./src"]}}}', "tools/mcp.js", "src/a.ts"],
  [".cursor/mcp.json", '{"mcpServers":{"x":{"command":"tools/mcp"}}}', "tools/mcp", "tools/mcp.ts"],
  [".gemini/settings.json", hook("python3 $GEMINI_PROJECT_DIR/hooks/check.py"), "hooks/check.py", "check.py"],
  [".codex/config.toml", 'notify = ["python3", "tools/notify.py"]\n', "tools/notify.py", "tools/other.py"],
  ["opencode.json", '{"mcp":{"x":{"type":"local","command":["bun","tools/x.ts"]}}}', "tools/x.ts", "tools/y.ts"],
  [
    ".vscode/tasks.json",
    '{"tasks":[{"command":"./scripts/a.sh","runOptions":{"runOn":"folderOpen"}}]}',
    "scripts/a.sh",
    "b.sh",
  ],
  [".envrc", "export A=1\nsource scripts/env.sh\n", "scripts/env.sh", "scripts/else.sh"],
  [".envrc", "source_env_if_exists conf/env\n", "conf/env", "conf/a"],
  [".envrc", 'eval "$(./scripts/env.sh)"\n', "scripts/env.sh", "scripts/else.sh"],
  [".envrc", "export A=$(node scripts/a.js)\n", "scripts/a.js", "scripts/b.js"],
  [".envrc", "PATH_add bin\n", "bin/ls", "sbin/ls"],
  [".envrc", "PATH_add ./tools/bin\n", "tools/bin/deep/git", "tools/git"],
  [".envrc", "path_add PATH tools\n", "tools/git", "lib/git"],
  [".envrc", "export PATH=$PWD/bin:$PATH\n", "bin/git", "src/git"],
  [".envrc", "load_prefix local\n", "local/bin/ls", "locale/ls"],
  [".envrc", "dotenv_if_exists dev.vars\n", "dev.vars", "other.vars"],
  [
    "mise.toml",
    '[env]\n_.source = "scripts/env.sh"\n[tasks.a]\nrun = "scripts/a.sh"\n',
    "scripts/env.sh",
    "scripts/a.sh",
  ],
  [".mise.toml", '[hooks]\nenter = "./scripts/enter.sh"\n', "scripts/enter.sh", "scripts/a.sh"],
  [
    ".devcontainer/devcontainer.json",
    '{"initializeCommand":["node","scripts/init.js"],"postCreateCommand":"./scripts/made.sh"}',
    "scripts/init.js",
    "scripts/made.sh",
  ],
  [
    ".vscode/settings.json",
    '{"python.defaultInterpreterPath":"./tools/py","files.exclude":{"src/a.js":true}}',
    "tools/py",
    "src/a.js",
  ],
  [".vscode/settings.json", '{"rust-analyzer.check.overrideCommand":["./tools/ra"]}', "tools/ra", "tools/rb"],
  [".claude/settings.json", hook("cd scripts && ./lint.sh"), "scripts/lint.sh", "scripts/other.sh"],
  [
    ".mcp.json",
    '{"mcpServers":{"x":{"command":"uv","args":["--directory","srv","run","server.py"]}}}',
    "srv/server.py",
    "srv/a.py",
  ],
  [".mcp.json", '{"mcpServers":{"x":{"command":"python","args":["-m","tools.srv"]}}}', "tools/srv.py", "tools/a.py"],
  [".mcp.json", '{"mcpServers":{"x":{"command":"node","args":["a.js"],"cwd":"srv"}}}', "srv/a.js", "srv/b.js"],
  [".husky/pre-commit", "npx lint-staged\nnode scripts/check.js\n", "scripts/check.js", "scripts/lint.js"],
  [
    ".git/hooks/pre-commit",
    '#!/bin/sh\nexec "$(git rev-parse --show-toplevel)/tools/pre" "$@"\n',
    "tools/pre",
    "tools/post",
  ],
  [
    ".pre-commit-config.yaml",
    "repos:\n- hooks:\n  - id: a\n    entry: python tools/a.py\n    files: src/b.py\n",
    "tools/a.py",
    "src/b.py",
  ],
  ["lefthook.yml", "pre-commit:\n  commands:\n    a:\n      run: ./tools/a.sh {staged_files}\n", "tools/a.sh", "a.sh"],
];

test("where Gemini CLI is set up, which loads `.env` before it starts its hooks, no way of making a `.env` runs unasked", async () => {
  const ways = [
    "cp conf/dev .env",
    "mv conf/dev .env",
    "ln -s conf/dev .env",
    "install conf/dev app/.env",
    "tee app/.env",
  ];
  put("conf/dev", "BASH_ENV=./x.sh\n");
  mkdirSync(join(project, "app"));
  const unasked = async () => (await outcomesOf(ways)).filter(({ outcome }) => outcome === "run").map(({ way }) => way);
  expect(await unasked()).toEqual(ways);
  put(".gemini/settings.json", "{}");
  expect(await unasked()).toEqual([]);
  rmSync(join(project, ".gemini"), { recursive: true });
  mkdirSync(join(root, ".gemini"));
  writeFileSync(join(root, ".gemini/settings.json"), "{}");
  expect(await unasked()).toEqual([]);
  expect(await decided(["app/.env", "app/env", ".env.example"])).toEqual({
    "app/.env": "asks",
    "app/env": "runs",
    ".env.example": "runs",
  });
});

test.each(STARTED)(
  "%s that says %s: a write to %s asks, and one to %s does not",
  async (settings, text, started, other) => {
    put(settings, text);
    if (text.includes("./src")) put("src/kept.ts", "");
    expect(await decided([started, other])).toEqual({ [started]: "asks", [other]: "runs" });
    put(started, "as it was");
    expect(await decided([started])).toEqual({ [started]: "asks" });
  },
);

test.each([
  ["core.fsmonitor", "./scripts/x"],
  ["filter.a.clean", "scripts/x %f"],
  ["diff.external", "scripts/x"],
  ["diff.a.textconv", "scripts/x"],
  ["merge.a.driver", "scripts/x %O %A %B"],
  ["core.pager", "scripts/x"],
  ["core.sshCommand", "scripts/x -v"],
  ["credential.helper", "!./scripts/x"],
  ["gpg.program", "scripts/x"],
  ["core.askPass", "scripts/x"],
  ["sequence.editor", "scripts/x"],
  ["trailer.a.command", "sh scripts/x"],
])("a program of the project that git's setting %s names (%s) counts as git's settings", async (name, value) => {
  expect(await decided(["scripts/x"])).toEqual({ "scripts/x": "runs" });
  execFileSync("git", ["config", name, value], { cwd: project });
  expect(await decided(["scripts/x", "scripts/y"])).toEqual({ "scripts/x": "asks", "scripts/y": "runs" });
});

test("a link that settings start protects the file that it leads to", async () => {
  put(".claude/settings.json", hook("./lint"));
  put("src/lint.sh", "");
  symlinkSync("src/lint.sh", join(project, "lint"));
  expect(await decided(["src/lint.sh", "src/a.sh"])).toEqual({ "src/lint.sh": "asks", "src/a.sh": "runs" });
});

test("settings are found among any number of other hidden folders, which an agent can make", async () => {
  for (let i = 0; i < 200; i++) mkdirSync(join(project, `.a${i}`));
  put(".claude/settings.json", hook("./scripts/lint.sh"));
  for (let i = 0; i < 200; i++) mkdirSync(join(project, `.z${i}`));
  expect(await decided(["scripts/lint.sh", "scripts/a.sh"])).toEqual({
    "scripts/lint.sh": "asks",
    "scripts/a.sh": "runs",
  });
});

test("files that settings only read, and permissions for files, start nothing", async () => {
  const rules = { allow: ["Edit(src/a.ts)", "Bash(./scripts/a.sh:*)", "Bash(node scripts/a.js)"] };
  put(".claude/settings.json", JSON.stringify({ permissions: rules }));
  put(".vscode/tasks.json", '{"tasks":[{"command":"./scripts/b.sh"}]}');
  put(".husky/pre-commit", "git diff --name-only | grep -q package-lock.json && npm ci\necho scripts/c.sh\n");
  put("opencode.json", '{"instructions":["notes.md"]}');
  const files = ["src/a.ts", "scripts/a.sh", "scripts/a.js", "scripts/b.sh", "scripts/c.sh", "notes.md"];
  expect(await decided(files)).toEqual(Object.fromEntries(files.map((file) => [file, "runs"])));
});

test.each([
  ["use flake", "flake.nix"],
  ["use nix", "shell.nix"],
  ["use devenv", "devenv.nix"],
  ["use asdf", ".tool-versions"],
])("a build file that direnv evaluates because .envrc says %s is what it loads by itself", async (line, file) => {
  put(".envrc", `${line}\n`);
  const policy = { version: 1, preset: "standard" } as const;
  const deps = await openDeps({ db: ":memory:", policy, cwd: project, env: { PATH: "/usr/bin:/bin", HOME: root } });
  const call = callOf(deps, { agent: "coder", tool: "shell", args: { command: `echo x > ${file}` }, cwd: project });
  const { decision } = await check(deps, call);
  await deps.close();
  expect(decision.code).toBe("LEEWAY_NEEDS_HUMAN");
});
