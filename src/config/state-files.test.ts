import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SettingError } from "./environment.ts";
import { loadKey } from "./key-file.ts";
import { openSeals, openSigner } from "./signer.ts";

function errorFrom(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

test("keys that cannot be created in their folder are a setting to correct, not a bug", () => {
  // Nobody can create files there, not even root.
  const folder = "/proc/self";
  for (const act of [() => loadKey(join(folder, "leeway.key")), () => openSigner(folder)]) {
    const error = errorFrom(act);
    expect(error).toBeInstanceOf(SettingError);
    expect(String(error)).toMatch(
      /\/proc\/self\/leeway\.(key|sign) cannot be created \(E[A-Z]+\); make its folder writable/,
    );
  }
});

test("if the checkpoints cannot be listed, this is an error and does not count as having none", async () => {
  const folder = mkdtempSync(join(tmpdir(), "leeway-seals-"));
  const seals = openSeals(folder);
  expect(await seals.kept("default")).toEqual([]);
  writeFileSync(join(folder, "checkpoints"), "");
  await expect(seals.kept("default")).rejects.toBeInstanceOf(SettingError);
  await expect(seals.newest("default")).rejects.toBeInstanceOf(SettingError);
  rmSync(folder, { recursive: true });
});
