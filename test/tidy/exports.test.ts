import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportedNames, importsOf, projectFiles, root, type Source, sources } from "./sources.ts";

const files = projectFiles();
const shipped = sources(files).filter(
  ({ path }) => path.startsWith("src/") && !path.endsWith(".test.ts") && !path.includes("/conformance/"),
);

/** What programs import: everything that these files export is for them. */
const DOORS: readonly string[] = [
  "src/index.ts",
  "src/testing.ts",
  "src/client/index.ts",
  "src/cli/main.ts",
  ...["ai-sdk", "claude-agent-sdk", "langchain", "openai-agents"].map((name) => `src/adapters/${name}.ts`),
];

/** What nothing in the product uses, each with the reason why it is there all the same. */
const SEAMS: Readonly<Record<string, string>> = {
  "src/core/ledger.ts: bodyHashOf":
    "the hash of a body as docs/ledger.md defines it, with which tests check what stores wrote",
  "src/core/policy/document.ts: policySchema": "what schema/policy.json must be; a test compares and writes that file",
  "src/core/tables/cloud-reads.ts: CLOUD_TABLES": "the tables as text, whose form a test checks",
};

/** Programs that are not part of the package load compiled files by their names. */
const others = files
  .filter((path) => /^(bench|tools|bin|examples)\/.*\.(mjs|cjs|ts)$/.test(path))
  .map((path) => readFileSync(join(root, path), "utf8"))
  .join("\n");

const tests = sources(files).filter(({ path }) => !shipped.some((source) => source.path === path));

/** The texts of the files that import a file. */
function usersIn(all: readonly Source[]): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  for (const source of all)
    for (const path of importsOf(source)) users.set(path, [...(users.get(path) ?? []), source.text]);
  return users;
}

const [inProduct, inTests] = [usersIn(shipped), usersIn(tests)];

/** Without its comments, which may name what the code does not use. */
function codeOf({ text }: Source): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
}

function uses(texts: readonly string[], name: string): boolean {
  return texts.some((text) => new RegExp(`\\b${name}\\b`).test(text));
}

const exported = shipped
  .filter(({ path }) => !DOORS.includes(path))
  .flatMap((source) => exportedNames(source).map((name) => ({ source, name })))
  .filter(({ source, name }) => !uses([...(inProduct.get(source.path) ?? []), others], name));

test("nothing is exported that the product does not use, except the seams that are listed", () => {
  const dead = exported.filter(({ source, name }) => codeOf(source).split(new RegExp(`\\b${name}\\b`)).length === 2);
  expect(dead.map(({ source, name }) => `${source.path}: ${name}`).sort()).toEqual(Object.keys(SEAMS).sort());
});

test("a value is exported only if another file uses it", () => {
  const alone = exported.filter(({ source, name }) => {
    // A type belongs to the function that names it, and is exported with it.
    const isType = new RegExp(`^export (type|interface) ${name}\\b`, "m").test(source.text);
    return !isType && !uses(inTests.get(source.path) ?? [], name);
  });
  expect(alone.map(({ source, name }) => `${source.path}: ${name}`)).toEqual([]);
});
