import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { CODES } from "../../src/core/codes.ts";
import { snippetsOf, typeFaults, written } from "./snippets.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const page = (name: string) => join(root, name);

test("docs/codes.md lists every code as it is, and none that is gone", () => {
  const rows = readFileSync(page("docs/codes.md"), "utf8")
    .split("\n")
    .flatMap((line) => /^\| `(LEEWAY_\w+)` \| (yes|no) \| (.+) \|$/.exec(line)?.slice(1) ?? []);
  expect(rows).toEqual(
    Object.entries(CODES).flatMap(([code, { retryable, means }]) => [code, retryable ? "yes" : "no", means]),
  );
});

test("every TypeScript snippet of docs/library.md is one that runs", () => {
  const idle = snippetsOf(page("docs/library.md")).filter((snippet) => snippet.info !== "ts run");
  expect(idle.map((snippet) => snippet.line)).toEqual([]);
});

describe("snippets", () => {
  const files = written(
    [page("README.md"), page("docs/library.md")].flatMap(snippetsOf).filter((snippet) => snippet.info === "ts run"),
  );
  const before = { cwd: process.cwd(), env: { ...process.env } };

  // Each snippet has a machine of its own: no state, no policy, an empty folder.
  beforeEach(() => {
    const home = mkdtempSync(join(tmpdir(), "leeway-home-"));
    process.chdir(home);
    Object.assign(process.env, { HOME: home, XDG_STATE_HOME: join(home, "state"), XDG_CONFIG_HOME: join(home, "config") });
  });
  afterAll(() => {
    process.chdir(before.cwd);
    Object.assign(process.env, before.env);
  });

  test("type-check as they stand", () => {
    expect(typeFaults(root, files)).toEqual([]);
  });

  for (const { page: name, line, file } of files) {
    test(`${name.slice(root.length + 1)}:${line} runs`, async () => {
      await import(file);
    });
  }
});
