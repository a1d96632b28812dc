import { expect, test } from "vitest";
import { foundFor, promisedBy } from "../../../test/tables/examples.ts";
import { paragraphsOf } from "../tables/facts.ts";
import { PROGRAM_TABLES } from "../tables/programs/index.ts";
import { rowFrom } from "../tables/programs/read-row.ts";
import { classFrom, optionsFrom } from "./program.ts";

const PROGRAM_ROWS = PROGRAM_TABLES.flatMap(paragraphsOf).map(rowFrom);

for (const row of PROGRAM_ROWS) {
  test(`${row.run} does what its line in the table says`, () => {
    expect(row.tries.map(foundFor)).toEqual(row.tries.map((text) => promisedBy(text, row.class)));
  });
}

test("a class that nobody knows is named together with its line", () => {
  const told = "the class fs.raed in the line of cat is not known";
  expect(() => classFrom("fs.raed", "cat")).toThrow(told);
  expect(() => optionsFrom("-n>fs.raed", "cat")).toThrow(told);
});

test("a group that only looks takes no word that no line names, because the word may be a subcommand that does more", () => {
  const names = PROGRAM_ROWS.flatMap((row) => row.run.split(",").map((name) => name.trim()));
  const looks = PROGRAM_ROWS.filter((row) => /^(none|(fs|db|network|browser)\.read)$/.test(row.class));
  const groups = looks
    .filter((row) => row.takes !== undefined && row.check === undefined)
    .flatMap((row) => row.run.split(",").map((name) => name.trim()))
    .filter((group) => names.some((name) => name.startsWith(`${group} `)));
  // These take files or names of things, and every subcommand they have has a line.
  expect(groups).toEqual(["biome", "ruff", "getent", "bat", "batcat"]);
});
