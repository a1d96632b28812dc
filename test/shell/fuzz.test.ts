import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { classify } from "../../src/core/classify/classify.ts";
import { readCall } from "../../src/core/classify/reading.ts";
import { STEPS_MAX, TEXT_MAX } from "../../src/core/shell/script.ts";
import { understand } from "../../src/core/shell/understand.ts";
import { commandCall, knowing } from "../cases/trying.ts";
import { random } from "../model/random.ts";
import { isFully } from "./compare.ts";
import { hostileTexts } from "./hostile.ts";
import { inputsFrom, LARGE } from "./inputs.ts";

const INPUTS = process.env["LEEWAY_PROVE"] === undefined ? 1_000 : 100_000;
const SEED = 20_261_117;
/** Only every n-th of the hostile texts is read. */
const EVERY = process.env["LEEWAY_PROVE"] === undefined ? 16 : 1;

test("no text makes the parser throw, and no text that bash refuses is fully understood", () => {
  const fully = [...new Set(inputsFrom(random(SEED), INPUTS).filter(isFully))];
  expect(refusedByBash(fully)).toEqual([]);
  // If everything were refused, nothing would have been compared.
  expect(fully.length).toBeGreaterThan(INPUTS / 200);
});

test("a text that is too large, deep or crowded is not understood, and its number of parts is in proportion to its length", () => {
  for (const [name, text] of Object.entries(LARGE)) {
    const call = commandCall(text);
    const { parts, understood } = classify(readCall(call), knowing(call));
    const targets = parts.reduce((sum, part) => sum + part.targets.length, 0);
    expect(understood, name).toBe("not");
    expect(targets, name).toBeLessThanOrEqual(TEXT_MAX);
  }
});

test("the number of parsing steps is in proportion to the text, and a text that takes too many is not understood", () => {
  const texts = [...hostileTexts(), ...Object.entries(LARGE)].filter((_, i) => i % EVERY === 0);
  for (const [name, text] of texts) {
    const { steps } = understand({ line: text });
    expect(steps, name).toBeLessThanOrEqual(STEPS_MAX + 6 * text.length);
    if (steps <= STEPS_MAX) continue;
    const call = commandCall(text);
    expect(classify(readCall(call), knowing(call)).understood, name).toBe("not");
  }
});

test("a script of several hundred ordinary commands is understood completely", () => {
  const lines = Array.from({ length: 60 }, (_, i) => [
    `N${i}=part-${i}; echo "reading $N${i}"`,
    `for f in a b; do grep -n "TODO ${i}" src/$f.ts; done`,
    `cat src/part-${i}.ts | sort | uniq -c | head -20`,
  ]).flat();
  expect(isFully(lines.join("\n"))).toBe(true);
});

test("values that double and endless folders do not make the parser throw", () => {
  const doubled = `a=xx; ${"a=$a$a; ".repeat(1_500)}cat $a`;
  const deeper = `${"cd ../a && ".repeat(1_200)}rm x`;
  for (const text of [doubled, deeper]) expect(isFully(text)).toBe(false);
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
