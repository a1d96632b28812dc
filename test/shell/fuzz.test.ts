import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { classify } from "../../src/core/classify/classify.ts";
import { TEXT_MAX } from "../../src/core/shell/script.ts";
import { commandCall, knowing } from "../cases/trying.ts";
import { random } from "../model/random.ts";
import { isFully } from "./compare.ts";
import { inputsFrom, LARGE } from "./inputs.ts";

const INPUTS = process.env["LEEWAY_PROVE"] === undefined ? 10_000 : 100_000;
const SEED = 20_261_117;

test("no text makes the reader throw, and none that bash refuses is fully understood", () => {
  const fully = [...new Set(inputsFrom(random(SEED), INPUTS).filter(isFully))];
  expect(refusedByBash(fully)).toEqual([]);
  // Were everything refused, nothing would have been compared.
  expect(fully.length).toBeGreaterThan(INPUTS / 200);
});

test("what is large, deep or crowded is not understood, and its parts stay in proportion to its length", () => {
  for (const [name, text] of Object.entries(LARGE)) {
    const call = commandCall(text);
    const { parts, understood } = classify(call, knowing(call));
    const targets = parts.reduce((sum, part) => sum + part.targets.length, 0);
    expect(understood, name).toBe("not");
    expect(targets, name).toBeLessThanOrEqual(TEXT_MAX);
  }
});

/** Bash reads each text without running it. */
function refusedByBash(texts: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "leeway-fuzz-"));
  try {
    for (const [i, text] of texts.entries()) writeFileSync(join(folder, String(i)), text);
    const each = `for ((i = 0; i < ${texts.length}; i++)); do /bin/bash -O extglob -n "$i" 2>&- || echo "$i"; done`;
    const { stdout, status } = spawnSync("/bin/bash", ["-c", each], { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error("bash could not be asked");
    return stdout.split("\n").flatMap((line) => (line === "" ? [] : [texts[Number(line)] ?? ""]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
