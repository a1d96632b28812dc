import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { conditionalSpreads, exportedNames, functionsOf, importsOf, projectFiles, root, sources } from "./sources.ts";

const files = projectFiles();
const all = sources(files);
const shipped = all.filter((source) => source.path.startsWith("src/") && !isTest(source.path));

function isTest(path: string): boolean {
  return path.endsWith(".test.ts") || path.includes("/conformance/");
}

/** Which folders may import which: doors call verbs, verbs know core and ports, adapters implement ports. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  core: ["core"],
  ports: ["core"],
  "observer-port": ["core"],
  observe: ["core", "observer-port", "observe"],
  "seals-port": ["core"],
  gate: ["core", "ports", "box-port", "observer-port", "seals-port", "gate"],
  store: ["core", "ports", "observer-port", "store"],
  "box-port": ["core"],
  box: ["core", "ports", "box-port", "config", "programs", "runners", "box"],
  programs: ["core"],
  runners: ["core", "ports", "box-port", "programs", "runners"],
  importers: ["core", "importers"],
  system: ["core", "ports"],
  config: ["core", "ports", "seals-port", "programs", "config"],
  service: ["core", "ports", "gate", "service"],
  library: ["core", "ports", "gate", "service", "library"],
  http: ["core", "ports", "gate", "service", "http"],
  client: ["core", "ports", "gate", "service", "library", "http", "system", "client"],
  web: ["core", "ports", "gate", "service", "http", "web"],
  channels: ["core", "ports", "runners", "channels"],
  hooks: ["core", "ports", "box-port", "gate", "service", "hooks"],
  adapters: ["core", "service", "library", "adapters"],
  mcp: ["core", "ports", "box-port", "gate", "service", "runners", "http", "mcp"],
  workspaces: ["core", "gate", "config"],
  serve: ["core", "box", "gate", "service", "config", "compose", "channels", "http", "web", "workspaces", "observe"],
  cli: [
    "core",
    "ports",
    "box-port",
    "observer-port",
    "box",
    "programs",
    "gate",
    "service",
    "library",
    "importers",
    "hooks",
    "mcp",
    "config",
    "open",
    "compose",
    "database-rights",
    "move-store",
    "http",
    "client",
    "serve",
    "index",
    "cli",
    "system",
  ],
  "database-rights": ["store", "config"],
  "move-store": ["core", "ports", "gate", "store", "config", "system"],
  open: [
    "core",
    "ports",
    "box-port",
    "observer-port",
    "box",
    "gate",
    "service",
    "library",
    "store",
    "config",
    "system",
  ],
  compose: [
    "core",
    "ports",
    "box-port",
    "box",
    "gate",
    "service",
    "library",
    "client",
    "store",
    "runners",
    "config",
    "system",
    "open",
    "observe",
  ],
  index: ["core", "ports", "gate", "service", "library", "compose", "config"],
  testing: [
    "core",
    "ports",
    "gate",
    "service",
    "library",
    "store",
    "runners",
    "config",
    "system",
    "compose",
    "testing",
  ],
};

/** `src/core/tier.ts` belongs to `core`, `src/ports.ts` to `ports`. */
function areaOf(path: string): string {
  const [, first = ""] = path.split("/");
  return first.replace(/\.ts$/, "");
}

test("imports go only in the directions that the architecture allows", () => {
  const wrong = shipped.flatMap((source) =>
    importsOf(source)
      .filter((name) => name.startsWith("src/"))
      .filter((name) => !(MAY_IMPORT[areaOf(source.path)] ?? []).includes(areaOf(name)))
      .map((name) => `${source.path} imports ${name}`),
  );
  expect(wrong).toEqual([]);
});

/** The doors. What they show and do is done by verbs of `gate` and `service`. */
const DOORS = ["cli", "web", "http", "library", "client"];

test("no door reads the store directly: it uses verbs", () => {
  const doors = shipped.filter(({ path }) => DOORS.includes(areaOf(path)));
  expect(doors.length).toBeGreaterThan(100);
  expect(doors.filter(({ text }) => /\bstore\??\.read\b/.test(text)).map(({ path }) => path)).toEqual([]);
});

/**
 * The folders of core, each of which may use those before it. `nouns` are the files beside the folders, and those in
 * `rows/` and `standing/`.
 */
const CORE_ROOMS = [
  "letters",
  "messages",
  "values",
  "nouns",
  "say",
  "tables",
  "masking",
  "shell",
  "classify",
  "decide",
  "policy",
  "steps",
  "record",
  "trust",
  "show",
];

function roomOf(path: string): number {
  const [, , room = "", file] = path.split("/");
  const isNoun = file === undefined || room === "rows" || room === "standing";
  return CORE_ROOMS.indexOf(isNoun ? "nouns" : room);
}

test("inside core, imports of values and types go only to earlier folders", () => {
  const core = shipped.filter((source) => source.path.startsWith("src/core/"));
  expect(core.filter(({ path }) => roomOf(path) === -1).map(({ path }) => path)).toEqual([]);
  const wrong = core.flatMap((source) =>
    importsOf(source)
      .filter((name) => name.startsWith("src/core/") && roomOf(name) > roomOf(source.path))
      .map((name) => `${source.path} imports ${name}`),
  );
  expect(wrong).toEqual([]);
});

test("core is pure: no clock, randomness, file, network or library", () => {
  const core = shipped.filter((source) => source.path.startsWith("src/core/"));
  const imports = core.flatMap((source) =>
    importsOf(source)
      .filter((name) => !name.startsWith("src/core/"))
      .filter((name) => !(source.path === "src/core/values/hash.ts" && name === "node:crypto"))
      // A grammar is a pure function too.
      .filter((name) => !(source.path.startsWith("src/core/shell/") && name === "unbash"))
      .map((name) => `${source.path} imports ${name}`),
  );
  const impure =
    /\b(Date\.now|Math\.random|new Date\(\)|performance\.now|\bprocess\.(env|argv|cwd|hrtime|pid|std)|setTimeout|setInterval|fetch\()/;
  const calls = core.filter((source) => impure.test(source.text)).map((source) => source.path);
  expect([...imports, ...calls]).toEqual([]);
});

test("files stay under 400 lines and functions under 50", () => {
  const long = shipped.flatMap((source) => {
    const lines = source.text.split("\n").length - 1;

    return [
      ...(lines > 400 ? [`${source.path} has ${lines} lines`] : []),
      ...functionsOf(source)
        .filter((fn) => fn.lines > 50)
        .map((fn) => `${source.path}: ${fn.name} has ${fn.lines} lines`),
    ];
  });
  expect(long).toEqual([]);
});

test("no line of a table is longer than 160 characters, so that facts and their changes can be read", () => {
  const tables = shipped.filter(({ path }) => path.startsWith("src/core/tables/"));
  const long = tables.flatMap(({ path, text }) =>
    text
      .split("\n")
      .flatMap((line, i) => (line.length > 160 ? [`${path}:${i + 1} has ${line.length} characters`] : [])),
  );
  expect(long).toEqual([]);
});

test("a table of text begins in the first line of its file, because faults are reported with their line", () => {
  const texts = shipped.filter(({ path, text }) => path.startsWith("src/core/tables/") && /String\.raw`\n/.test(text));
  expect(texts.length).toBeGreaterThan(10);
  const later = texts.filter(({ text }) => !/^export const [A-Z_]+ = String\.raw`\n/.test(text));
  expect(later.map(({ path }) => path)).toEqual([]);
});

/** The code that every call goes through when it is submitted and settled. */
const ON_EVERY_CALL = [
  "src/core/change.ts",
  "src/core/ledger.ts",
  "src/core/receipt.ts",
  "src/core/rows/stored-call.ts",
  "src/core/record/replay.ts",
  "src/core/steps/recording.ts",
  "src/core/steps/running.ts",
  "src/core/steps/starting.ts",
  "src/core/steps/submission.ts",
  "src/gate/calls/claim.ts",
  "src/gate/commit.ts",
  "src/gate/calls/judging.ts",
  "src/gate/calls/own-calls.ts",
  "src/gate/calls/submit.ts",
  "src/gate/calls/submit.ts",
  "src/gate/people/token-proof.ts",
  "src/http/server.ts",
  "src/store/grouping.ts",
  "src/store/sqlite/changes/apply.ts",
  "src/store/sql/prepare.ts",
  "src/store/sqlite/changes/quiet.ts",
  "src/store/sqlite/changes/rights.ts",
  "src/store/sqlite/seals.ts",
];

/** Functions in those files that only few calls reach. */
const OFF_THE_PATH = ["callbackGrant", "callOf", "claim", "linkOf", "listen", "newAgent", "standingOf", "whereItLed"];

test("code that runs for every call adds optional members one by one, because conditional spreads are slow", () => {
  const found = shipped
    .filter(({ path }) => ON_EVERY_CALL.includes(path))
    .flatMap((source) => conditionalSpreads(source).filter(({ name }) => !OFF_THE_PATH.includes(name)))
    .map(({ name, path }) => `${path}: ${name}`);
  expect(found).toEqual([]);
  expect(ON_EVERY_CALL.filter((path) => !shipped.some((source) => source.path === path))).toEqual([]);
});

/** Words that the glossary forbids for one thing and that we need for another, each with that other thing. */
const OTHER_MEANINGS: Record<string, string> = {
  action: "what Flynn's own door returns",
  log: "the command that prints the ledger",
  mode: "of a screen",
  verdict: "of a review: approve or deny",
  workspace: "refused only for a project",
  level: "what a target is touched with: read, write, execute",
  signature: "of a checkpoint, which is one",
  state: "a state of a union",
  result: "what a call returned",
  user: "the operating system's",
  request: "of HTTP",
  task: "of MCP: a call that its client asks about again",
};

test("exported names use the words of the glossary", () => {
  const [ofTheDomain = ""] = readFileSync(join(root, "GLOSSARY.md"), "utf8").split("\n## ");
  const rows = ofTheDomain.matchAll(/^\| \*\*.*\|([^|]*)\|$/gm);
  const refused = [...rows].flatMap((row) => (row[1] ?? "").split(",").map((word) => word.trim().toLowerCase()));
  const words = refused.filter((word) => /^[a-z]+$/.test(word) && OTHER_MEANINGS[word] === undefined);
  expect(words.length).toBeGreaterThan(20);
  const found = shipped
    .filter((source) => !source.path.startsWith("src/importers/"))
    .flatMap((source) => exportedNames(source).map((name) => ({ name, path: source.path })))
    .filter(({ name }) => wordsIn(name).some((word) => words.includes(word)))
    .map(({ name, path }) => `${path}: ${name}`);
  expect(found).toEqual([]);
});

/** `claimRefusal` is claim and refusal, `EntryKind` entry and kind. */
function wordsIn(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .split(/[ _]/)
    .map((word) => word.toLowerCase());
}

test("a type that ten or more files import is in the glossary", () => {
  const glossary = readFileSync(join(root, "GLOSSARY.md"), "utf8");
  const users = new Map<string, number>();
  for (const source of shipped) {
    const imports = source.text.matchAll(/^import( type)? \{([^}]*)\} from "\./gm);
    const names = [...imports].flatMap(([, allTypes, list = ""]) =>
      list
        .split(",")
        .map((one) => one.trim())
        .filter((one) => one !== "" && (allTypes !== undefined || one.startsWith("type ")))
        .map((one) => one.replace(/^type /, "").replace(/ as .*$/, "")),
    );
    for (const name of new Set(names)) users.set(name, (users.get(name) ?? 0) + 1);
  }
  const common = [...users].flatMap(([name, count]) => (count >= 10 ? [name] : []));
  expect(common.length).toBeGreaterThan(50);
  expect(common.filter((name) => !new RegExp(`\\*\\*${name}\\*\\*`).test(glossary))).toEqual([]);
});

test("every shipped file is reached from a door", () => {
  const byPath = new Map(shipped.map((source) => [source.path, source]));
  const reached = new Set<string>();
  const visit = (path: string) => {
    const source = byPath.get(path);
    if (source === undefined || reached.has(path)) return;
    reached.add(path);
    for (const name of importsOf(source)) visit(name);
  };
  const adapters = ["ai-sdk", "claude-agent-sdk", "langchain", "openai-agents"].map(
    (name) => `src/adapters/${name}.ts`,
  );
  for (const door of ["src/index.ts", "src/testing.ts", "src/cli/main.ts", ...adapters]) visit(door);
  const dead = shipped.filter((source) => !reached.has(source.path)).map((source) => source.path);
  expect(dead).toEqual([]);
});

test("there are no import cycles, by values or by types", () => {
  const edges = new Map(shipped.map((source) => [source.path, importsOf(source)]));
  const cycles: string[] = [];
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]) => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(" > "));
    if (trail.includes(path) || done.has(path)) return;
    for (const next of edges.get(path) ?? []) walk(next, [...trail, path]);
    done.add(path);
  };
  for (const path of edges.keys()) walk(path, []);
  expect(cycles).toEqual([]);
});

test("everything that the benchmarks load from the product exists", () => {
  const byPath = new Map(shipped.map((source) => [source.path, source]));
  const loads = files
    .filter((path) => /^bench\/[^/]+\.mjs$/.test(path))
    .flatMap((path) =>
      [...readFileSync(join(root, path), "utf8").matchAll(/const \{([^}]+)\} = await load\("([^"]+)\.js"\)/g)].map(
        ([, names = "", module = ""]) => ({ path, module, names: names.split(",").map((name) => name.trim()) }),
      ),
    );
  expect(loads.length).toBeGreaterThan(20);
  const missing = loads.flatMap(({ path, module, names }) => {
    const source = byPath.get(`src/${module}.ts`);
    const given = source === undefined ? "" : source.text;
    return names
      .filter((name) => !new RegExp(`^export [^;=(]*\\b${name}\\b`, "m").test(given))
      .map((name) => `${path}: ${name} of ${module}`);
  });
  expect(missing).toEqual([]);
});

test("the dependencies are exactly the listed ones", () => {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(Object.keys(manifest.dependencies)).toEqual([
    "@clack/prompts",
    "@marcbachmann/cel-js",
    "@photostructure/sqlite",
    "@simplewebauthn/server",
    "commander",
    "jsonc-parser",
    "openid-client",
    "picocolors",
    "re2js",
    "unbash",
    "yaml",
  ]);
  const pinned = Object.values({ ...manifest.dependencies, ...manifest.devDependencies }) as string[];
  expect(pinned.filter((version) => !/^(npm:[^@]+@)?\d+\.\d+\.\d+(-beta\.\d+)?$/.test(version))).toEqual([]);
});

test("the lockfile has the package of every platform, which `npm ci` needs, and no addresses", () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: { [path: string]: { optionalDependencies?: object; resolved?: string } };
  };
  const paths = Object.keys(packages);
  const isLocked = (name: string) => paths.some((path) => path.endsWith(`node_modules/${name}`));
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies));
  expect(wanted.length).toBeGreaterThan(20);
  expect(wanted.filter((name) => !isLocked(name))).toEqual([]);
  expect(paths.filter((path) => packages[path]?.resolved !== undefined)).toEqual([]);
});

test("no unfinished work is left in the code", () => {
  // Built from parts, so that this file does not find itself. A command that searches for such a word does not count.
  const words = ["TO" + "DO", "FIX" + "ME", "XX" + "X"].join("|");
  const open = new RegExp(
    [`(//|/\\*|^\\s*\\*).*\\b(${words})\\b`, "not imple" + "mented", "\\.sk" + "ip\\(", "\\.on" + "ly\\("].join("|"),
    "m",
  );
  expect(all.filter((source) => open.test(source.text)).map((source) => source.path)).toEqual([]);
});

test("a folder of src has at most twenty files beside its own folders", () => {
  const counts = new Map<string, number>();
  for (const { path } of shipped) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  expect([...counts].filter(([, files]) => files > 20)).toEqual([]);
});
