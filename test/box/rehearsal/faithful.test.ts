import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundle } from "./bundle.ts";
import { anyCase, checkFaithful } from "./faithful.ts";

const RUNS = process.env["LEEWAY_PROVE"] === undefined ? 12 : 400;
let folder = "";
let checker = "";
let operator = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "leeway-child-"));
  chmodSync(folder, 0o755);
  checker = await bundle("checker", folder);
  operator = await bundle("operator", folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a rehearsed program sees and leaves the same files as one that runs directly, and undo puts everything back", async () => {
  let changes = 0;
  const property = fc.asyncProperty(anyCase, async (one) => {
    changes += await checkFaithful(operator, one);
  });
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
  expect(changes).toBeGreaterThan(RUNS * 5);
});

test.runIf(process.getuid?.() === 0)("an ordinary user can rehearse, apply and undo as root can", () => {
  const args = [checker, process.env["LEEWAY_SEED"] ?? "1", String(RUNS), operator];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    uid: 65534,
    gid: 65534,
    encoding: "utf8",
    cwd: "/",
    env: {},
  });
  expect(stderr).toBe("");
  expect(Number(stdout)).toBeGreaterThan(RUNS * 5);
});
