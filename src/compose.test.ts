import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openGate } from "./compose.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "leeway-compose-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const open = (env: Record<string, string> = {}) =>
  openGate({ env: { XDG_STATE_HOME: home, HOME: home, ...env }, policy: { tiers: { "fs.read": "auto" } } });

test("a missing key is not replaced while the database contains data encrypted with it", async () => {
  const [key, away] = [join(home, "leeway", "leeway.key"), join(home, "away")];
  const gate = await open();
  await gate.submit({ agent: "coder", tool: "read_file", args: { path: "a.ts" } });
  await gate.close();
  renameSync(key, away);
  await expect(open()).rejects.toMatchObject({
    code: "LEEWAY_BAD_INPUT",
    reason: `${key} is missing, and what ${join(home, "leeway", "leeway.db")} holds is sealed with it`,
    hint: "restore it from a backup or set LEEWAY_KEY; to start again, move the database away",
  });
  expect(existsSync(key)).toBe(false);
  renameSync(away, key);
  await (await open()).close();
});

test("a key is created next to an empty database", async () => {
  await (await open()).close();
  rmSync(join(home, "leeway", "leeway.key"));
  await (await open()).close();
  expect(existsSync(join(home, "leeway", "leeway.key"))).toBe(true);
});

test("gates that are opened for the first time at the same time use the same key", async () => {
  const gates = await Promise.all([open(), open(), open()]);
  for (const gate of gates) await gate.submit({ agent: "coder", tool: "read_file", args: { path: "a.ts" } });
  for (const gate of gates) await gate.close();
  const again = await open();
  expect((await again.ledger.verify()).ok).toBe(true);
  await again.close();
});
