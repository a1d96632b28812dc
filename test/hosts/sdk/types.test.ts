import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("the adapters, their tests and their examples compile against the types of the real packages", () => {
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  const { stdout, status } = spawnSync("npx", ["tsc", "-p", "test/hosts/sdk/tsconfig.json"], {
    cwd: root,
    encoding: "utf8",
  });
  expect([stdout, status]).toEqual(["", 0]);
});
