import { expect, test } from "vitest";
import { policyChangeLines } from "./policy-change.ts";

test("a policy file that was never accepted is shown completely", () => {
  expect(policyChangeLines(undefined, "version: 1\ntier: ask\n")).toEqual(["  version: 1", "  tier: ask"]);
});

test("of a changed policy file, the changed lines are shown with the lines around them", () => {
  const lines = Array.from({ length: 20 }, (_, at) => `line${at}`);
  const changed = lines.with(10, "tier: auto");
  expect(policyChangeLines(lines.join("\n"), `${changed.join("\n")}\n`)).toEqual([
    "  …",
    "  line7",
    "  line8",
    "  line9",
    "- line10",
    "+ tier: auto",
    "  line11",
    "  line12",
    "  line13",
    "  …",
  ]);
});

test("a policy file that is accepted again unchanged says so", () => {
  expect(policyChangeLines("tier: ask\n", "tier: ask")).toEqual(["  nothing has changed since it was accepted"]);
});
