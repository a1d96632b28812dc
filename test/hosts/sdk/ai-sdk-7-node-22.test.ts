import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
// @ts-expect-error: a script of this repository, without types
import { installedNode } from "../../../tools/installed-node.mjs";

// Version 7 of the AI SDK says that it needs Node 22. It also works with Node 20, where `ai-sdk-7.test.ts` runs it; this
// file runs the same suite with the version that it asks for.

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "leeway-node-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isNew = Number(process.versions.node.split(".")[0]) >= 22;

test.skipIf(isNew)("the suite of AI SDK 7 passes with Node 22", () => {
  const node: string = installedNode("22", folder);
  const args = ["run", "-c", "test/hosts/vitest.config.ts", "test/hosts/sdk/ai-sdk-7.test.ts"];
  const { status, stdout } = spawnSync(node, ["node_modules/vitest/vitest.mjs", ...args], {
    cwd: root,
    encoding: "utf8",
  });
  expect([status, status === 0 ? "" : stdout]).toEqual([0, ""]);
});
