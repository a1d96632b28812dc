import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isFully, unseen } from "./compare.ts";
import { traceAll } from "./sandbox.ts";
import { scriptsFrom } from "./scripts.ts";

const SCRIPTS = process.env["LEEWAY_PROVE"] === undefined ? 700 : 20_000;
const SEED = 20_261_116;

/** Scripts on which the parser and bash once disagreed. */
const found = readFileSync(new URL("found.jsonl", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => (JSON.parse(line) as { script: string }).script);

/** If a script is not fully understood, a person is asked, so what bash does is no surprise. */
async function surprises(scripts: readonly string[]) {
  const fully = scripts.filter(isFully);
  const traces = await traceAll(fully);
  const wrong = fully.flatMap((script, i) => {
    const trace = traces[i];
    const why = trace === undefined ? ["it left no trace"] : unseen(script, trace);
    return why.length === 0 ? [] : [{ script, why }];
  });
  const starting = traces.filter(({ starts }) => starts.length > 0).length;
  return { wrong, starting, writing: traces.filter(({ wrote }) => wrote.length > 0).length };
}

test("for a script that is fully understood, bash starts and writes only what the parser found", async () => {
  const { wrong, starting, writing } = await surprises([...new Set(scriptsFrom(SEED, SCRIPTS))]);
  expect(wrong).toEqual([]);
  // If nearly everything were in doubt, or nothing ran, this would prove nothing.
  expect(starting).toBeGreaterThan(SCRIPTS / 10);
  expect(writing).toBeGreaterThan(SCRIPTS / 100);
});

test("scripts for which the parser and bash once disagreed now agree", async () => {
  expect((await surprises(found)).wrong).toEqual([]);
});

test("the test notices a program that the parser did not find", async () => {
  const [trace] = await traceAll(["p1 a; cd d && p2 b > new"]);
  if (trace === undefined) throw new Error("the script left no trace");
  expect(unseen("p1 a; cd d && p2 b > new", trace)).toEqual([]);
  expect(unseen("p1 a", trace)).toHaveLength(2);
  expect(unseen("p1 a; p2 b > new", trace)).toHaveLength(2);
});
