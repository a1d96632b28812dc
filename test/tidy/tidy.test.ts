import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { functionsOf, importsOf, projectFiles, root, sources } from "./sources.ts";

const files = projectFiles();
const all = sources(files);
const shipped = all.filter((source) => source.path.startsWith("src/") && !isTest(source.path));

function isTest(path: string): boolean {
  return path.endsWith(".test.ts") || path === "src/store/conformance.ts" || path === "src/channels/conformance.ts";
}

/** Which folders may import which. Read: doors call verbs, verbs know core and ports, adapters implement ports. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  core: ["core"],
  ports: ["core"],
  gate: ["core", "ports", "gate"],
  store: ["core", "ports", "store"],
  runners: ["core", "ports", "runners"],
  channels: ["core", "ports", "channels"],
  importers: ["core", "importers"],
  system: ["core", "ports"],
  config: ["core", "ports", "config"],
  library: ["core", "ports", "gate", "library"],
  cli: ["core", "ports", "gate", "library", "importers", "config", "compose", "index", "cli", "system"],
  compose: ["core", "ports", "gate", "library", "store", "runners", "channels", "config", "system"],
  index: ["core", "ports", "gate", "library", "compose", "config"],
  testing: ["core", "ports", "gate", "library", "store", "runners", "config", "system", "compose"],
};

/** `src/core/tier.ts` is of `core`, `src/ports.ts` of `ports`. */
function areaOf(path: string): string {
  const [, first = ""] = path.split("/");
  return first.replace(/\.ts$/, "");
}

test("imports only go the way the architecture says", () => {
  const wrong = shipped.flatMap((source) =>
    importsOf(source)
      .filter((name) => name.startsWith("src/"))
      .filter((name) => !(MAY_IMPORT[areaOf(source.path)] ?? []).includes(areaOf(name)))
      .map((name) => `${source.path} imports ${name}`),
  );
  expect(wrong).toEqual([]);
});

test("core is pure: no clock, chance, file, network or library", () => {
  const core = shipped.filter((source) => source.path.startsWith("src/core/"));
  const imports = core.flatMap((source) =>
    importsOf(source)
      .filter((name) => !name.startsWith("src/core/"))
      .filter((name) => !(source.path === "src/core/hash.ts" && name === "node:crypto"))
      .map((name) => `${source.path} imports ${name}`),
  );
  const impure =
    /\b(Date\.now|Math\.random|new Date\(\)|performance\.now|\bprocess\.(env|argv|cwd|hrtime|pid|std)|setTimeout|setInterval|fetch\()/;
  const calls = core.filter((source) => impure.test(source.text)).map((source) => source.path);
  expect([...imports, ...calls]).toEqual([]);
});

test("files stay under 300 lines and functions under 50", () => {
  const long = shipped.flatMap((source) => {
    const lines = source.text.split("\n").length - 1;
    const data = source.path.startsWith("src/core/tables/");
    return [
      ...(lines > 300 && !data ? [`${source.path} has ${lines} lines`] : []),
      ...functionsOf(source)
        .filter((fn) => fn.lines > 50)
        .map((fn) => `${source.path}: ${fn.name} has ${fn.lines} lines`),
    ];
  });
  expect(long).toEqual([]);
});

test("the glossary's words are the only ones", () => {
  // Left: what must not be said. Only identifiers count, so that prose and foreign formats may name foreign things.
  const avoid =
    /\b\w*(Fingerprint|Verdicts|RiskScore|Allowlist|Ticket|Tenant|Principal|Integration|Alert|Repository|UnitOfWork|EngineManager|Executor)\w*\b/;
  const found = shipped
    .filter((source) => !source.path.startsWith("src/importers/"))
    .flatMap((source) =>
      source.text
        .split("\n")
        .filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line))
        .flatMap((line) => avoid.exec(line)?.[0] ?? [])
        .map((word) => `${source.path}: ${word}`),
    );
  expect(found).toEqual([]);
});

test("no file is dead: everything shipped is reached from a door", () => {
  const byPath = new Map(shipped.map((source) => [source.path, source]));
  const reached = new Set<string>();
  const visit = (path: string) => {
    const source = byPath.get(path);
    if (source === undefined || reached.has(path)) return;
    reached.add(path);
    for (const name of importsOf(source)) visit(name);
  };
  for (const door of ["src/index.ts", "src/testing.ts", "src/cli/main.ts"]) visit(door);
  const suites = all.filter((source) => isTest(source.path) || source.path.startsWith("test/"));
  const dead = shipped
    .filter((source) => !reached.has(source.path))
    .map((source) => source.path)
    .filter((path) => !suites.some((suite) => importsOf(suite).includes(path) && path.endsWith("conformance.ts")));
  expect(dead).toEqual([]);
});

test("no cycles of values between files", () => {
  const edges = new Map(
    shipped.map((source) => [
      source.path,
      [...source.text.matchAll(/^import (?!type)[^;]*? from "(\.[^"]+)";/gm)].map((match) =>
        join(source.path, "..", match[1] ?? ""),
      ),
    ]),
  );
  const cycles: string[] = [];
  const walk = (path: string, trail: readonly string[]) => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(" > "));
    else for (const next of edges.get(path) ?? []) if (trail.length < 20) walk(next, [...trail, path]);
  };
  for (const path of edges.keys()) walk(path, []);
  expect([...new Set(cycles)].slice(0, 5)).toEqual([]);
});

test("dependencies are exactly the ones that were decided upon", () => {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(Object.keys(manifest.dependencies)).toEqual([
    "@clack/prompts",
    "@marcbachmann/cel-js",
    "@photostructure/sqlite",
    "commander",
    "picocolors",
    "re2js",
    "yaml",
  ]);
  const pinned = Object.values({ ...manifest.dependencies, ...manifest.devDependencies }) as string[];
  expect(pinned.filter((version) => !/^(npm:[^@]+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test("nothing is left open in the code", () => {
  // Built from parts, so that this file does not find itself.
  const open = new RegExp(
    ["TO" + "DO", "FIX" + "ME", "XX" + "X", "not imple" + "mented", "\\.sk" + "ip\\(", "\\.on" + "ly\\("].join("|"),
  );
  expect(all.filter((source) => open.test(source.text)).map((source) => source.path)).toEqual([]);
});
