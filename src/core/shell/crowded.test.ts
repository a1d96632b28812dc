import { expect, test } from "vitest";
import { understand } from "./understand.ts";

const namesIn = (line: string) => understand({ line }).lines.map(({ name }) => name);

test("in a very long pipeline, equal commands are checked only once", () => {
  const found = understand({ line: `${"ls|".repeat(4_000)}cat` });
  expect(found.readable).toBe(false);
  expect(found.lines.length).toBeLessThan(10);
});

test("a different command is found anywhere in a long pipeline", () => {
  expect(namesIn(`${"ls|".repeat(2_000)}rm x|${"ls|".repeat(2_000)}cat`)).toContain("rm");
});

test("a command with another input counts as a different command", () => {
  const found = namesIn(`${"ls|".repeat(2_000)}cat;find a|xargs rm;find b|xargs rm;find a|xargs rm`);
  expect(found.filter((name) => name === "rm")).toHaveLength(2);
});
