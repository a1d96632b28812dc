import { expect, test } from "vitest";
import { foundFor, promisedBy } from "../../../test/tables/examples.ts";
import { paragraphsOf } from "../tables/facts.ts";
import { PROGRAM_TABLES } from "../tables/programs/index.ts";
import { rowFrom } from "../tables/programs/read-row.ts";
import { classFrom, optionsFrom } from "./program.ts";

const PROGRAM_ROWS = PROGRAM_TABLES.flatMap(paragraphsOf).map(rowFrom);

for (const row of PROGRAM_ROWS) {
  test(`${row.run} has the effects that its line in the table states`, () => {
    expect(row.tries.map(foundFor)).toEqual(row.tries.map((text) => promisedBy(text, row.class)));
  });
}

test("an unknown class in a table is reported with the program", () => {
  const told = "unknown class `fs.raed` in the paragraph of `cat`";
  expect(() => classFrom("fs.raed", "cat")).toThrow(told);
  expect(() => optionsFrom("-n>fs.raed", "cat")).toThrow(told);
});

test("a group that only reads accepts no word that is not in the table, because it may be a subcommand that does more", () => {
  const names = PROGRAM_ROWS.flatMap((row) => row.run.split(",").map((name) => name.trim()));
  const looks = PROGRAM_ROWS.filter((row) => /^(none|(fs|db|network|browser)\.read)$/.test(row.class));
  const groups = looks
    .filter((row) => row.takes !== undefined && row.check === undefined)
    .flatMap((row) => row.run.split(",").map((name) => name.trim()))
    .filter((group) => names.some((name) => name.startsWith(`${group} `)));
  // These take files or names of objects, and every subcommand they have is in the table.
  expect(groups).toEqual(["biome", "ruff", "bat", "batcat", "getent"]);
});
