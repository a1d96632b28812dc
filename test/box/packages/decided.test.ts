import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { packagesHere } from "../../../src/config/paths/registries.ts";
import type { PackageKind, RegistriesNamed } from "../../../src/core/box.ts";
import type { ToolCall } from "../../../src/core/call.ts";
import type { JsonObject } from "../../../src/core/values/json.ts";
import { check, DEFAULT_CALLER, PROGRAM_DOOR } from "../../../src/gate/calls/judging.ts";
import type { PolicyLayer } from "../../../src/index.ts";
import { openDeps } from "../../../src/open.ts";

// Which commands may read packages in a box without a question, and which settings keep them from it.

let folder: string;
beforeEach(() => {
  folder = realpathSync.native(mkdtempSync(join(tmpdir(), "leeway-packages-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ALL: RegistriesNamed = { npm: [], pypi: [], go: [], crates: [] };

type Given = {
  policy?: JsonObject;
  registries?: RegistriesNamed;
  forTools?: readonly PackageKind[];
  rehearses?: boolean;
};

/** The kinds that the box of each command can read, or that a person is asked. */
async function decided(commands: readonly string[], given: Given = {}) {
  const { registries = ALL, forTools = [], rehearses = true } = given;
  const policy: PolicyLayer = { version: 1, preset: "standard", ...given.policy };
  const deps = await openDeps({ db: ":memory:", policy, cwd: folder });
  const looking = { ...deps, paths: { ...deps.paths, registries: () => ({ named: registries, forTools }) } };
  const found: string[] = [];
  for (const command of commands) {
    const base = { workspace: "default", agent: "coder", callId: "c", traceId: "t", chain: [], claims: {} } as const;
    const call: ToolCall = { ...base, tool: "shell", args: { command }, cwd: folder };
    const caller = { ...DEFAULT_CALLER, door: { ...PROGRAM_DOOR, boxes: { rehearses } } };
    const { outcome, box } = (await check(looking, call, caller)).decision;
    const { packages = [], tools = [] } = box?.walls ?? {};
    const kinds = [...packages.map(({ kind }) => kind), ...tools.map((kind) => `${kind}-tools`)].join(" ");
    found.push(`${command} => ${outcome === "run" ? `${box?.because} ${kinds}` : "asked"}`);
  }
  await deps.close();
  return found;
}

const INSTALLING: readonly [PackageKind, readonly string[]][] = [
  [
    "npm",
    [
      "npm install",
      "npm ci",
      "npm i -D eslint@^9 @eslint/js globals",
      "npm ci 2>/dev/null || npm install --no-audit --no-fund",
      "npm install && npm test",
      "npm uninstall lodash",
      "npm install ./local",
      "pnpm install",
      "pnpm --filter @acme/web add @acme/dates@workspace:*",
    ],
  ],
  [
    "pypi",
    [".venv/bin/pip install -r requirements.txt -q", "pip install -e '.[dev]' 'a>=2,<3'", "python -m pip install a"],
  ],
  [
    "go",
    [
      "go mod tidy",
      "go get modernc.org/sqlite && go mod tidy",
      "cd sub && go mod download 2>&1 | tail -5",
      "echo done > done.txt && go mod vendor",
    ],
  ],
  ["crates", ["cargo add serde --features derive", "cargo update", "cargo fetch"]],
];

test("commands that install into the project read packages of their kind in a box, without a question", async () => {
  const commands = INSTALLING.flatMap(([, some]) => some);
  const wanted = INSTALLING.flatMap(([kind, some]) => some.map((command) => `${command} => enough ${kind}`));
  expect(await decided(commands)).toEqual(wanted);
});

test("code in a box never gets the reader of Go, whose proxy asks the host that a module is named after", async () => {
  const code = [
    "go build ./...",
    "go test ./...",
    "go run .",
    "go generate ./...",
    "npm test",
    "go mod tidy && go test ./...",
    "go get a.example/b && make test",
    "npm install && go mod tidy",
    "git commit -qm a && go mod tidy",
  ];
  const found = await decided(code);
  expect(found.filter((line) => / go$| go /.test(line.split("=> ")[1] ?? ""))).toEqual([]);
});

const ASKED = [
  "npm install --glob a",
  "npm install --location=global a",
  "npm install --registry=https://a.example b",
  "npm install --@scope:registry=https://a.example b",
  "npm install --prefix /elsewhere a",
  "npm install git+https://a.example/b.git",
  "npm install user/repository",
  "npm install https://a.example/b.tgz",
  "npm_config_registry=https://a.example npm install",
  "LEEWAY_BOX=off npm install",
  "npm publish",
  "npm login",
  "yarn install",
  "pip install --index-url https://a.example a",
  "pip install -ihttps://a.example a",
  "pip install --target /elsewhere a",
  "pip install git+https://a.example/b",
  "twine upload dist/*",
  "uv sync",
  "GOPROXY=https://a.example go get b",
  "cargo publish",
  "cargo add --git https://a.example/b",
  "cargo add --registry other a",
  "apt-get install a",
  "brew install a",
];

test("other registries, other places, publishing and signing in are asked about as before", async () => {
  expect(await decided(ASKED)).toEqual(ASKED.map((command) => `${command} => asked`));
});

const FOR_TOOLS = {
  "npm install -g a": "npm npm-tools",
  "npm i --global @scope/a@1 && a --version": "npm npm-tools",
  "npm uninstall -g a": "npm npm-tools",
  "npm install && npm install -g a": "npm npm-tools",
  "pip install a 'b>=2'": "pypi pypi-tools",
  "python3 -m pip install -e '.[dev]'": "pypi pypi-tools",
  "pip install --user a": "pypi pypi-tools",
  "pip3 install --break-system-packages a && pytest": "pypi pypi-tools",
  "cargo install ripgrep --locked --version 14.1.0": "crates crates-tools",
  "go install a.example/b@latest": "go go-tools",
  "go install -v a.example/b@v1.2.3 a.example/c@v1": "go go-tools",
};

test("what is installed for the whole machine is installed in a box for the boxes of the project", async () => {
  const wanted = Object.entries(FOR_TOOLS).map(([command, kinds]) => `${command} => enough ${kinds}`);
  expect(await decided(Object.keys(FOR_TOOLS), { forTools: ["pypi"] })).toEqual(wanted);
});

/** Nearly the same commands, for another place, from another registry, with more rights, or with code beside Go. */
const NOT_FOR_TOOLS = [
  "npm install -g --prefix /usr/local a",
  "npm install -g --prefix=/usr/local a",
  "npm --prefix /usr/local install -g a",
  "npm install -g --registry=https://a.example a",
  "npm install -g git+https://a.example/b.git",
  "npm install -g a@https://a.example/b.tgz",
  "npm install -g a; npm publish",
  "npm_config_prefix=/usr/local npm install -g a",
  "sudo npm install -g a",
  "npm install -g a && brew install a",
  "npm install -g a || brew install a && brew install b",
  "npm install -g a || npm publish",
  "brew install a || apt install a",
  "pnpm add -g a",
  "sudo pip install a",
  "pip install --target /usr/lib/python3 a",
  "pip install -t /usr/lib/python3 a",
  "pip install --user --index-url https://a.example a",
  "pip install --prefix=/usr/local a",
  "pip install --root / a",
  "pip install --user --root / a",
  "pip install --python /usr/bin/python3 a",
  "PYTHONUSERBASE=/usr/local pip install --user a",
  "PIP_TARGET=/usr/local pip install a",
  "export PIP_TARGET=/usr/local; pip install a",
  "pip install --user git+https://a.example/b",
  ". .venv/bin/activate && pip install a",
  "uv pip install --system a",
  "uv tool install a",
  "cargo install --root /usr/local a",
  "cargo install --roo /usr/local a",
  "cargo install --git https://a.example/b",
  "cargo install --path /elsewhere",
  "cargo install --config source.crates-io.replace-with='b' a",
  "CARGO_INSTALL_ROOT=/usr/local cargo install a",
  "cargo install a && cargo publish",
  "go install",
  "go install ./...",
  "go install a.example/b",
  "go install -toolexec=./x a.example/b@v1",
  "go install --toolexec=./x a.example/b@v1",
  "go install -ldflags=-extld=./x a.example/b@v1",
  "go install -C /elsewhere a.example/b@v1",
  "go install a.example/b@v1 && b",
  "go install a.example/b@v1 && make",
  "npm install -g a && go install a.example/b@v1",
  "GOBIN=/usr/local/bin go install a.example/b@v1",
  "export GOBIN=/usr/local/bin; go install a.example/b@v1",
  "GOFLAGS=-toolexec=./x go install a.example/b@v1",
  "gem install a",
];

test("an install into a place that is named, with more rights, or from elsewhere is asked about", async () => {
  const found = await decided(NOT_FOR_TOOLS, { forTools: ["pypi"] });
  expect(found).toEqual(NOT_FOR_TOOLS.map((command) => `${command} => asked`));
  const closed = ["npm install -g a", "pip install a", "cargo install a", "go install a.example/b@v1"];
  for (const given of [{ rehearses: false }, { policy: { box: { packages: [] } } }, { registries: {} }])
    expect(await decided(closed, { forTools: ["pypi"], ...given })).toEqual(closed.map((one) => `${one} => asked`));
});

test("of several installers with || between them, one that works in a box is enough", async () => {
  expect(await decided(["npm install -g a || brew install a", "pipx install a || pip install --user a"])).toEqual([
    "npm install -g a || brew install a => enough npm npm-tools",
    "pipx install a || pip install --user a => enough pypi pypi-tools",
  ]);
});

test("a policy closes kinds or names mirrors, inner files only close, and without a rehearsal nothing is installed", async () => {
  const npm = ["npm install"];
  const mirror = "https://npm.example/";
  expect(await decided(npm, { policy: { box: { packages: [] } } })).toEqual(["npm install => asked"]);
  expect(await decided(npm, { policy: { box: { packages: ["go"] } } })).toEqual(["npm install => asked"]);
  expect(await decided(npm, { policy: { box: { rehearse: "never" } } })).toEqual(["npm install => asked"]);
  expect(await decided(npm, { rehearses: false })).toEqual(["npm install => asked"]);
  expect(await decided(npm, { policy: { preset: "conservative" } })).toEqual(["npm install => asked"]);
  // The registry that is named is not replaced.
  expect(await decided(npm, { registries: { npm: [mirror] } })).toEqual(["npm install => asked"]);
  expect(await decided(npm, { registries: {} })).toEqual(["npm install => asked"]);
  const named = { policy: { box: { packages: { npm: "https://npm.example" } } } };
  expect(await decided(npm, { ...named, registries: { npm: [mirror] } })).toEqual(["npm install => enough npm"]);
  expect(await decided(npm, { ...named, registries: { npm: ["https://other.example/"] } })).toEqual([
    "npm install => asked",
  ]);
});

test("writing a file that can name a registry, or that a shell obeys in the folder, is asked about, other build files are not", async () => {
  const writing = (name: string) => `echo a > ${name}`;
  const asked = ["bunfig.toml", "pnpm-workspace.yaml", "mise.toml", ".mise.toml", "mise.dev.toml", ".mise.dev.toml"];
  const commands = [...asked, ".mise/config.toml", ".npmrc"].map(writing);
  expect(await decided(commands)).toEqual(commands.map((command) => `${command} => asked`));
  expect(await decided([writing("Makefile")])).toEqual(["echo a > Makefile => enough "]);
});

test("pip installs for the boxes of the project if it has no environment, and one call cannot do both", () => {
  mkdirSync(join(folder, ".venv/bin"), { recursive: true });
  for (const file of [".venv/bin/pip", ".venv/pyvenv.cfg"]) writeFileSync(join(folder, file), "");
  const pip = (program: string, forTools = false) => ({
    kind: "pypi" as const,
    program,
    words: ["install", "a"],
    folder,
    forTools,
  });
  const here = (...asked: ReturnType<typeof pip>[]) => packagesHere(asked, { home: folder, project: folder, env: {} });
  expect(here(pip(".venv/bin/pip"))).toEqual({ named: { pypi: [] }, forTools: [] });
  expect(here(pip("pip"))).toEqual({ named: { pypi: [] }, forTools: ["pypi"] });
  expect(here(pip(".venv/bin/pip", true))).toEqual({ named: { pypi: [] }, forTools: ["pypi"] });
  expect(here(pip("pip"), pip(".venv/bin/pip"))).toEqual({ named: {}, forTools: [] });
});

/** What the settings name, with these files below the folder; the project is `home/p`. */
function named(
  kind: PackageKind,
  files: { [path: string]: string },
  env: Record<string, string> = {},
  program: string = kind,
  words: readonly string[] = [],
) {
  const home = join(folder, "home");
  mkdirSync(join(home, "p/web"), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const found = packagesHere([{ kind, program, words, folder: join(home, "p/web"), forTools: false }], {
    home,
    project: join(home, "p"),
    env,
  }).named[kind];
  for (const path of Object.keys(files)) rmSync(join(home, path));
  return found;
}

test("registries in settings of npm, of the project and at home, are found, and those of scopes cannot be replaced", () => {
  const other = "registry = https://a.example/\n";
  expect(named("npm", {})).toEqual([]);
  expect(named("npm", { "p/.npmrc": "save-exact=true\n; registry=https://b.example\n" })).toEqual([]);
  for (const path of ["p/.npmrc", "p/web/.npmrc", ".npmrc", ".config/pnpm/rc"])
    expect(named("npm", { [path]: other })).toEqual(["https://a.example/"]);
  expect(named("npm", { ".npmrc": '"registry"="https://a.example/"' })).toEqual(["https://a.example/"]);
  expect(named("npm", {}, { npm_config_registry: "https://a.example/" })).toEqual(["https://a.example/"]);
  expect(named("npm", { ".npmrc": "@acme:registry=https://a.example" })).toBe(undefined);
  expect(named("npm", {}, { "npm_config_@acme:registry": "https://a.example" })).toBe(undefined);
  expect(named("npm", { "p/pnpm-workspace.yaml": "registries:\n  default: https://a.example\n" })).toBe(undefined);
  expect(named("npm", { other }, { npm_config_userconfig: join(folder, "home/other") })).toEqual([
    "https://a.example/",
  ]);
});

test("where a person has npm install for the machine says nothing about registries, but the settings there do", () => {
  const other = "registry = https://a.example/\n";
  for (const prefix of ["~/.npm-global", at(".npm-global")]) {
    expect(named("npm", { ".npmrc": `prefix=${prefix}\n` })).toEqual([]);
    const both = { ".npmrc": `prefix=${prefix}\n`, ".npm-global/etc/npmrc": other };
    expect(named("npm", both)).toEqual(["https://a.example/"]);
  }
  // Nobody knows where these lead, and a project has no place of its own for the machine.
  expect(named("npm", { ".npmrc": "prefix=$" + "{HOME}/.npm-global\n" })).toBe(undefined);
  expect(named("npm", { ".npmrc": "prefix=lib\n" })).toBe(undefined);
  expect(named("npm", { "p/.npmrc": `prefix=${at(".npm-global")}\n` })).toBe(undefined);
});

/** Where a file of `named` is. */
function at(path: string): string {
  return join(folder, "home", path);
}

const VENV = { "p/.venv/bin/pip": "", "p/.venv/pyvenv.cfg": "" };

test("a registry of pip or pnpm is found on the next line, and where variables say that settings are", () => {
  const pip = (files: { [path: string]: string }, env: Record<string, string> = {}) =>
    named("pypi", { ...VENV, ...files }, env, "../.venv/bin/pip");
  expect(pip({ ".pip/pip.conf": "[global]\ntimeout = 5\n" })).toEqual([]);
  for (const text of [
    "[global]\nindex-url =\n    https://a.example/simple\n",
    "[global]\nindex-url:\n    https://a.example/simple\n",
    "[global]\nextra-index-url =\n    https://a.example/simple\n",
    "[global]\nconstraint = c.txt\n",
  ])
    expect(pip({ ".pip/pip.conf": text })).toBe(undefined);
  const other = "[global]\nindex-url = https://a.example/\n";
  expect(pip({ "x/pip/pip.conf": other }, { XDG_CONFIG_HOME: at("x") })).toEqual(["https://a.example/"]);
  const shared = `/nowhere:${at("y")}`;
  expect(pip({ "y/pip/pip.conf": other }, { XDG_CONFIG_DIRS: shared })).toEqual(["https://a.example/"]);
  const pnpm = { "x/pnpm/rc": "registry=https://a.example/\n" };
  expect(named("npm", pnpm, { XDG_CONFIG_HOME: at("x") })).toEqual(["https://a.example/"]);
});

test("folders of this machine that settings of pip name beside the registry are no other registry", () => {
  const pip = (text: string, env: Record<string, string> = {}) =>
    named("pypi", { ...VENV, "wheels/a.whl": "", ".pip/pip.conf": text, "p/own/a.whl": "" }, env, "../.venv/bin/pip");
  const wheels = at("wheels");
  expect(pip(`[global]\nfind-links = ${wheels}\nextra-index-url = file://${wheels} file:///usr\n`)).toEqual([]);
  expect(pip("", { PIP_FIND_LINKS: `${wheels} /usr`, PIP_DEFAULT_TIMEOUT: "180", PIP_CERT: "/a.crt" })).toEqual([]);
  for (const value of [`${wheels} https://a.example/`, `${wheels}/missing`, "wheels", at("p/own"), "file://host/usr"]) {
    expect([value, pip(`[global]\nfind-links = ${value}\n`)]).toEqual([value, undefined]);
    expect([value, pip("", { PIP_EXTRA_INDEX_URL: value })]).toEqual([value, undefined]);
  }
  // A value may go on in the next line.
  for (const text of [`find-links = ${wheels}\n  https://a.example/`, `find-links =\n  ${wheels}`])
    expect([text, pip(`[global]\n${text}\n`)]).toEqual([text, undefined]);
});

test("a list of requirements must be in the project and name no registry and no other list", () => {
  const list = (text: string, words: readonly string[] = ["install", "-r", "r.txt"]) =>
    named("pypi", { ...VENV, "p/web/r.txt": text, "r.txt": "a" }, {}, "../.venv/bin/pip", words);
  const plain = "# -r other\na==1 \\\n  --hash=sha256:00\nb>=2 # --index-url x\n-e .\n--pre\n";
  const spelled = [
    "-r r.txt",
    "-rr.txt",
    "-qr r.txt",
    "-c r.txt",
    "--requirement=r.txt",
    "--req r.txt",
    "--constraint r.txt",
  ];
  for (const words of spelled) {
    expect(list(plain, ["install", ...words.split(" ")])).toEqual([]);
    expect(list("--extra-index-url https://a.example", ["install", ...words.split(" ")])).toBe(undefined);
  }
  for (const text of [
    "a\n  --index-url https://a.example\n",
    "-i https://a.example",
    "-ihttps://a.example",
    "--find-links=x",
    "-f x",
    "--trusted-host a.example",
    "-r other.txt",
    "-cother.txt",
    "--pre --extra-index-url https://a.example",
    "--pre '--extra-index-url' https://a.example",
    "--extra-ind\\\nex-url https://a.example",
    "# coding: utf-7\na",
    "\0a",
  ])
    expect(list(text)).toBe(undefined);
  for (const file of ["missing.txt", "../../r.txt", at("r.txt"), "https://a.example/r.txt", ".", ""])
    expect(list(plain, ["install", "-r", file])).toBe(undefined);
  expect(list(plain, ["install", "a"])).toEqual([]);
});

test("settings of Go, cargo and pip are found, and pip in an environment elsewhere installs there", () => {
  expect(named("go", {})).toEqual([]);
  expect(named("go", {}, { GOPROXY: "https://proxy.golang.org,direct" })).toEqual(["https://proxy.golang.org"]);
  expect(named("go", {}, { GOPROXY: "https://a.example,direct" })).toEqual(["https://a.example"]);
  for (const GOPROXY of ["direct", "off", "https://a.example|off", "https://proxy.golang.org,https://a.example"]) {
    expect(named("go", {}, { GOPROXY })).toBe(undefined);
    expect(named("go", { ".config/go/env": `GOPROXY=${GOPROXY}\n` })).toBe(undefined);
    expect(named("go", { "x/go/env": `GOPROXY=${GOPROXY}\n` }, { XDG_CONFIG_HOME: at("x") })).toBe(undefined);
  }
  expect(named("go", {}, { GOPRIVATE: "a.example/*" })).toBe(undefined);
  expect(named("go", { ".config/go/env": "GOPRIVATE=a.example\n" })).toBe(undefined);
  expect(named("crates", {})).toEqual([]);
  expect(named("crates", { "p/.cargo/config.toml": "[build]\njobs = 2\n" })).toEqual([]);
  for (const path of ["p/.cargo/config.toml", "p/web/.cargo/config", ".cargo/config.toml"])
    expect(named("crates", { [path]: '[source.crates-io]\nreplace-with = "other"\n' })).toBe(undefined);
  expect(named("crates", {}, { CARGO_REGISTRIES_A_INDEX: "https://a.example" })).toBe(undefined);
  expect(named("pypi", {}, {}, "/usr/bin/pip")).toEqual([]);
  expect(named("pypi", { "v/bin/pip": "", "v/pyvenv.cfg": "" }, {}, at("v/bin/pip"))).toBe(undefined);
  expect(named("pypi", {}, {}, "../.venv/bin/pip")).toBe(undefined);
  for (const name of ["PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_USER", "PIP_TARGET"])
    expect(named("pypi", VENV, { [name]: "a" }, "../.venv/bin/pip")).toBe(undefined);
  for (const path of [".pip/pip.conf", ".config/pip/pip.conf", "p/.venv/pip.conf"])
    expect(
      named("pypi", { ...VENV, [path]: "[global]\nextra-index-url = https://a.example\n" }, {}, "../.venv/bin/pip"),
    ).toBe(undefined);
});
