import { expect, test } from "vitest";
import { commandCall, knowing } from "../../../test/cases/trying.ts";
import { classify } from "../classify/classify.ts";
import { PROGRAM_ROWS } from "../tables/programs/index.ts";
import { classFrom, optionsFrom } from "./program.ts";

/** What a try says: the command, the classes of its parts, and whether it is understood to the end. */
function expected(text: string, own: string): { command: string; classes: string[]; understood: string } {
  const [command = "", said] = text.split(" => ");
  const words = (said ?? own).split(" ");
  return {
    command,
    classes: words.filter((word) => word !== "?").sort(),
    understood: words.includes("?") ? "partly" : "fully",
  };
}

/** The classes of all parts. That something changes nothing is said only where nothing else is. */
function found(command: string): { command: string; classes: string[]; understood: string } {
  const call = commandCall(command);
  const { parts, understood } = classify(call, knowing(call));
  const classes = [...new Set<string>(parts.map((part) => part.class))].filter((name) => name !== "none").sort();
  return { command, classes: classes.length === 0 ? ["none"] : classes, understood };
}

for (const row of PROGRAM_ROWS) {
  test(`${row.run} does what its line in the table says`, () => {
    expect(row.tries.map((text) => found(text.split(" => ")[0] ?? ""))).toEqual(
      row.tries.map((text) => expected(text, row.class)),
    );
  });
}

test("a class that nobody knows is named together with its line", () => {
  const told = "the class fs.raed in the line of cat is not known";
  expect(() => classFrom("fs.raed", "cat")).toThrow(told);
  expect(() => optionsFrom("-n>fs.raed", "cat")).toThrow(told);
});

test("every line of the table is tried, and no program has two lines", () => {
  expect(PROGRAM_ROWS.filter((row) => row.tries.length === 0).map((row) => row.run)).toEqual([]);
  const names = PROGRAM_ROWS.flatMap((row) => row.run.split(",").map((name) => name.trim()));
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
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
