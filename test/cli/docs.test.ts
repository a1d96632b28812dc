import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { allCommands } from "../../src/cli/commands.ts";

const COMMANDS = await allCommands();
const page = readFileSync(new URL("../../docs/cli.md", import.meta.url), "utf8");
const sections = new Map(
  page
    .split("\n### leeway ")
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf("\n")), section]),
);

test("the page has a section for every command and no other sections", () => {
  expect([...sections.keys()]).toEqual(COMMANDS.map((spec) => spec.name));
});

test.each(COMMANDS.map((spec) => [spec.name, spec] as const))(
  "%s is documented with every option and example",
  (name, spec) => {
    const section = sections.get(name) ?? "";
    const missing = [...(spec.options ?? []).map(([flags]) => flags), ...spec.examples].filter(
      (text) => !section.includes(text),
    );
    expect(missing).toEqual([]);
  },
);
