import { expect, test } from "vitest";
import { understand } from "./understand.ts";

const namesIn = (line: string) => understand({ line }).lines.map(({ name }) => name);

test("in a very long pipeline every different command is checked once", () => {
  const found = understand({ line: `${"ls|".repeat(4_000)}cat` });
  expect(found.readable).toBe(false);
  expect(found.lines.length).toBeLessThan(10);
});

test("a command that differs is seen wherever it stands in a long pipeline", () => {
  expect(namesIn(`${"ls|".repeat(2_000)}rm x|${"ls|".repeat(2_000)}cat`)).toContain("rm");
});

test("a command that is handed something else is another one", () => {
  const found = namesIn(`${"ls|".repeat(2_000)}cat;find a|xargs rm;find b|xargs rm;find a|xargs rm`);
  expect(found.filter((name) => name === "rm")).toHaveLength(2);
});
