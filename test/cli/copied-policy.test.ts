import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { setUpAna } from "./person.ts";
import { leeway, machine } from "./program.ts";

test("a copy of an accepted policy in another folder is not called accepted", async () => {
  const on = machine();
  const text = "version: 1\npreset: standard\n";
  await setUpAna(on, text);
  const other = join(on.home, "other");
  mkdirSync(other);
  writeFileSync(join(other, "leeway.yaml"), text);
  const here = (await leeway(on, ["status"])).stdout;
  const there = (await leeway({ ...on, project: other }, ["status"])).stdout;
  on.remove();
  expect([here.includes("accepted by ana"), there.includes("accepted by ana")]).toEqual([true, false]);
});
