import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectFiles, root } from "./sources.ts";

// The package is not on a registry yet, so whoever registers its name there decides what a command that fetches it runs.

/** Everything that a person reads or that Leeway writes. Tests classify such commands as calls of agents. */
const read = projectFiles().filter(
  (path) => /\.(md|ts|mts|mjs|cjs|js|json|ya?ml|html|sh|py|toml)$|Containerfile$/.test(path) && !isTest(path),
);

function isTest(path: string): boolean {
  return path.startsWith("test/") || path.endsWith(".test.ts");
}

const FETCHING = [
  // Programs that load a package which is not installed.
  String.raw`\b(npx|pnpx|bunx|uvx|npm (exec|x)|pnpm dlx|yarn dlx|bun x|pipx run)\b( -\S+)* leeway\b`,
  // Installing by the bare name, and not a packed file.
  String.raw`\b(npm|pnpm|yarn|bun|pip|pipx|uv)( -\S+)* (install|i|add)\b( -\S+)* (leeway)(@\S+)?(?![\w./-])`,
  String.raw`\bnpm (create|init) leeway\b`,
].map((one) => new RegExp(one));

const words = (line: string) => FETCHING.some((one) => one.test(line));

test("nothing that people read or that Leeway writes fetches the package by its name", () => {
  const found = read.flatMap((path) =>
    readFileSync(join(root, path), "utf8")
      .split("\n")
      .flatMap((line, at) => (words(line) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});

test.each([
  ["npx leeway init", true],
  ["`npx -y leeway mcp`", true],
  ["npm install -g leeway", true],
  ["npm i leeway@1.0.0", true],
  ["npm exec leeway up", true],
  ["npm install -g ./leeway-0.1.0.tgz", false],
  ["npm install pg where leeway is installed", false],
  ["npm install --global --omit=dev --ignore-scripts /tmp/leeway.tgz pg@8", false],
])("%s counts as fetching it: %s", (line, is) => {
  expect(words(line)).toBe(is);
});

test("the commands of the README stand in the order in which they work from a clone", () => {
  const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
  const lines = blocks.flatMap((text) =>
    text
      .trim()
      .split("\n")
      .map((line) => line.replace(/ +#.*$/, "")),
  );
  const first = lines.slice(
    0,
    lines.findIndex((line) => line.startsWith("leeway ")),
  );
  expect(first).toEqual([
    "npm start",
    "npm ci",
    "npm pack --loglevel=error",
    `npm install -g ./${name}-${version}.tgz`,
  ]);
});

test("the package cannot be published by accident", () => {
  expect(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).private).toBe(true);
});
