import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { parsePolicyText } from "../../src/config/policy/policy-text.ts";
import { CODES } from "../../src/core/codes.ts";
import { RECEIPT } from "../../src/http/schemas.ts";
import * as leeway from "../../src/index.ts";
import type { Shape } from "../../src/service/shape.ts";
import { createTestGate } from "./gates.ts";
import { snippetsOf, typeFaults, written } from "./snippets.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
/** Lists of words, and building blocks, which need no explanation. */
const BESIDES = ["EFFECT_CLASSES", "TIERS", "createGate"];
const page = (name: string) => join(root, name);

test("docs/codes.md lists every code correctly, and no removed code", () => {
  const rows = readFileSync(page("docs/codes.md"), "utf8")
    .split("\n")
    .flatMap((line) => /^\| `(LEEWAY_\w+)` \| (yes|no) \| (.+) \|$/.exec(line)?.slice(1) ?? []);
  expect(rows).toEqual(
    Object.entries(CODES).flatMap(([code, { retryable, means }]) => [code, retryable ? "yes" : "no", means]),
  );
});

test("docs/library.md names every export of the package and every verb of the gate", () => {
  const text = readFileSync(page("docs/library.md"), "utf8");
  const verbs = Object.entries(createTestGate().gate).flatMap(([name, value]) =>
    typeof value === "function" ? [`gate.${name}`] : Object.keys(value).map((inner) => `gate.${name}.${inner}`),
  );
  const values = Object.keys(leeway).filter((name) => !BESIDES.includes(name));
  expect(
    [...verbs, ...values].filter((name) => !new RegExp(`\\b${name.replaceAll(".", "\\.")}\\b`).test(text)),
  ).toEqual([]);
});

test("docs/library.md has a row for every field of a receipt, in the order of the API, and marks those that may be missing", () => {
  const [, table = ""] = readFileSync(page("docs/library.md"), "utf8").split("### The fields of a receipt");
  const rows = [
    ...table
      .split("\n## ", 1)
      .join("")
      .matchAll(/^\| `(\w+\??)` \| .+ \|$/gm),
  ].map(([, field]) => field);
  const fields = Object.entries<Shape<unknown>>(RECEIPT.keys);
  expect(rows).toEqual(fields.map(([name, { optional }]) => (optional === true ? `${name}?` : name)));
});

test("every policy on the pages loads, including the recipes", () => {
  const policies = [page("README.md"), page("docs/policy.md")].flatMap((name) =>
    [...readFileSync(name, "utf8").matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, text = ""]) => text),
  );
  const loaded = policies.map((text) => parsePolicyText(text, "leeway.yaml", { root: "/project", home: "/home/ana" }));
  expect(loaded.flatMap((one) => (one.ok ? [] : one.faults))).toEqual([]);
  const names = loaded.flatMap((one) => (one.ok ? one.policy.rules.map((rule) => rule.name) : []));
  expect(names).toEqual(expect.arrayContaining(["src-is-free", "infra-is-ours", "money-takes-two"]));
});

test("src/index.ts lists every public name, without star exports", () => {
  expect(readFileSync(page("src/index.ts"), "utf8")).not.toMatch(/export \*/);
});

test("every TypeScript snippet of docs/library.md is marked to run", () => {
  const idle = snippetsOf(page("docs/library.md")).filter((snippet) => snippet.info !== "ts run");
  expect(idle.map((snippet) => snippet.line)).toEqual([]);
});

describe("snippets", () => {
  const files = written(
    [page("README.md"), page("docs/library.md")].flatMap(snippetsOf).filter((snippet) => snippet.info === "ts run"),
  );
  const folders = files.slice(0, 1).map(({ file }) => dirname(file));
  const before = { cwd: process.cwd(), env: { ...process.env } };

  // Each snippet has its own machine: no state, no policy, an empty folder.
  beforeEach(() => {
    const home = mkdtempSync(join(tmpdir(), "leeway-home-"));
    folders.push(home);
    process.chdir(home);
    Object.assign(process.env, {
      HOME: home,
      XDG_STATE_HOME: join(home, "state"),
      XDG_CONFIG_HOME: join(home, "config"),
    });
  });
  afterAll(() => {
    process.chdir(before.cwd);
    Object.assign(process.env, before.env);
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  test("type-check without changes", () => {
    expect(typeFaults(root, files)).toEqual([]);
  });

  for (const { page: name, line, file } of files) {
    test(`${name.slice(root.length + 1)}:${line} runs`, async () => {
      await import(file);
    });
  }
});
