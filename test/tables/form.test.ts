import { expect, test } from "vitest";
import { CLOUD_TABLES } from "../../src/core/tables/cloud-reads.ts";
import { type FactTable, paragraphsNaming, paragraphsOf } from "../../src/core/tables/facts.ts";
import { PROGRAM_TABLES, rowsOf } from "../../src/core/tables/programs/index.ts";
import { TOOL_TABLES, toolFrom } from "../../src/core/tables/tools.ts";
import { lineFaults, namedTwice, programFaults } from "./form.ts";

test("every table of programs has the right form, and no program is in two places", () => {
  expect(programFaults(PROGRAM_TABLES)).toEqual([]);
});

test("the tables of tools and of read-only cloud commands have the right form", () => {
  expect([...TOOL_TABLES, ...CLOUD_TABLES].flatMap((table) => lineFaults(table))).toEqual([]);
  const groups = new Set(TOOL_TABLES.flatMap((table) => table.groups ?? []));
  expect([...groups].flatMap((table) => lineFaults(table, TOOL_TABLES))).toEqual([]);
  const tools = TOOL_TABLES.flatMap(paragraphsOf);
  expect(namedTwice(tools, (name) => name)).toEqual([]);
  expect(tools.map(toolFrom).length).toBeGreaterThan(100);
});

/** A table of programs with these lines; the first of them is line 2 of its file, as in all tables. */
function table(...lines: readonly string[]): FactTable {
  return { file: "programs/new.ts", text: `\n${lines.join("\n")}\n` };
}

function toldOf(...lines: readonly string[]): string[] {
  return programFaults([table(...lines)]);
}

const SOUND = ["mow", "  class fs.read", "  takes read...", "  try mow a"];

test("a valid table has no faults", () => {
  expect(toldOf(...SOUND)).toEqual([]);
});

test("a line with an unknown fact is reported with its file and line, and with the nearest word", () => {
  expect(toldOf("mow", "  clas fs.read", "  try mow")).toEqual([
    "src/core/tables/programs/new.ts:3: unknown fact `clas`; did you mean `class`?",
  ]);
  expect(toldOf("mow", "  class fs.raed", "  try mow")).toEqual([
    "src/core/tables/programs/new.ts:3: unknown value `fs.raed` for `class`; did you mean `fs.read`?",
  ]);
  expect(toldOf("mow", "  class fs.read", "  check gti", "  try mow")).toEqual([
    "src/core/tables/programs/new.ts:4: unknown value `gti` for `check`; did you mean `git`?",
  ]);
});

test("a role or an option that cannot be parsed is reported with its file and line", () => {
  expect(toldOf(...SOUND, "", "rake", "  class fs.read", "  takes raed", "  try rake")).toEqual([
    "src/core/tables/programs/new.ts:9: unknown role `raed`",
  ]);
  expect(toldOf("mow", "  class fs.read", "  options -a", "  options -b --out=wirte lawn", "  try mow")).toEqual([
    "src/core/tables/programs/new.ts:5: unknown role `wirte`",
    "src/core/tables/programs/new.ts:5: invalid option `lawn`",
  ]);
});

test("a line that is too long is reported with its file and line", () => {
  expect(toldOf(...SOUND, `  try mow ${"a".repeat(151)}`)).toEqual([
    "src/core/tables/programs/new.ts:6: the line has 161 characters; at most 160 are allowed",
  ]);
});

test("a program without an example, or without a class, is reported with its file and line", () => {
  expect(toldOf(...SOUND, "", "rake, hoe", "  class fs.read")).toEqual([
    "src/core/tables/programs/new.ts:7: `rake, hoe` has no `try`",
  ]);
  expect(toldOf("rake", "  try rake")).toEqual(["src/core/tables/programs/new.ts:2: `rake` has no `class`"]);
});

test("a tool without an example, or with one that is not an object, is reported with its file and line", () => {
  const read = (...lines: readonly string[]) => paragraphsOf(table("mow", ...lines)).map(toolFrom);
  expect(() => read("  class fs.read")).toThrow("src/core/tables/programs/new.ts:2: `mow` has no `example`");
  expect(() => read("  class fs.read", "  example [1]")).toThrow(
    "src/core/tables/programs/new.ts:4: an example must be a JSON object with the arguments of a call",
  );
});

test("a repeated fact is reported with its file and line", () => {
  expect(toldOf("mow", "  class fs.read", "  class fs.write", "  try mow")).toEqual([
    "src/core/tables/programs/new.ts:4: the fact `class` is given twice",
  ]);
  expect(toldOf("mow", "  class fs.read", "  try mow", "  try mow")).toEqual([
    "src/core/tables/programs/new.ts:5: the example `mow` is given twice",
  ]);
  expect(toldOf("mow", "  class fs.read", "  options -a,--all", "  options --all= -b", "  try mow")).toEqual([
    "src/core/tables/programs/new.ts:5: the option `--all` is named twice",
  ]);
  const other: FactTable = { file: "programs/other.ts", text: "\nrake, mow\n  class none\n  try mow\n" };
  expect(programFaults([table(...SOUND), other])).toEqual([
    "src/core/tables/programs/other.ts:2: `mow` is already described in src/core/tables/programs/new.ts:2",
  ]);
});

test("a fact without its value, or with a value that it must not have, is reported with its file and line", () => {
  expect(toldOf("mow", "  class", "  try mow")).toEqual(["src/core/tables/programs/new.ts:3: `class` needs a value"]);
  expect(toldOf(...SOUND, "  free yes")).toEqual(["src/core/tables/programs/new.ts:6: `free` takes no value"]);
});

test("a group that does not exist, or that nothing uses, is reported with its file and line", () => {
  expect(toldOf(...SOUND, "  options LAWN")).toEqual([
    "src/core/tables/programs/new.ts:6: there is no `group LAWN` in this file",
  ]);
  expect(toldOf("# Unused.", "group LAWN", "  options -a", "", ...SOUND)).toEqual([
    "src/core/tables/programs/new.ts:3: `group LAWN` is never used",
  ]);
});

test("wrong indentation, and paragraphs without a blank line between them, are reported with file and line", () => {
  expect(toldOf("mow", " class fs.read", "  class fs.read", "  try mow")).toEqual([
    "src/core/tables/programs/new.ts:3: a fact begins with exactly two spaces",
  ]);
  expect(toldOf(...SOUND, "rake", "  class none", "  try rake")).toEqual([
    "src/core/tables/programs/new.ts:6: this line follows facts and is not indented; begin it with two spaces, or leave an empty line above it",
  ]);
  expect(toldOf(...SOUND, "", "", "rake", "  class none", "  try rake")).toEqual([
    "src/core/tables/programs/new.ts:7: there are two empty lines; one is enough",
  ]);
});

test("a program is found by each of its names, and not by other words", () => {
  const garden = table(
    "# mow, and what else cuts",
    "mow, mower,",
    "scythe, sickle cut",
    "  class fs.read",
    "  try mow, sickle",
    "",
    "sickle",
    "  # sickle",
    "  class none",
    "  try sickle",
  );
  const starts = (word: string) => paragraphsNaming(garden, word).map(({ start }) => start);
  const [first = 0, second = 0] = paragraphsOf(garden).map(({ start }) => start);
  expect(
    ["mow", "mower", "scythe", "sickle", "cut", "sick", "class", "try", "#", "", "mow,", "group"].map(starts),
  ).toEqual([[first], [first], [first], [first, second], ...Array.from({ length: 8 }, () => [])]);
});

test("a program is the same whether the text is searched or the index of all programs is used", () => {
  const programs = ["git", "ls", "kubectl", "[", "no-such-program"];
  const searched = programs.map((name) => PROGRAM_TABLES.flatMap((one) => paragraphsNaming(one, name)).length);
  // More programs than are searched for before the index is made.
  for (let i = 0; i < 20; i++) rowsOf(`program-${i}`);
  expect(programs.map((name) => rowsOf(name).length)).toEqual(searched);
  expect(searched.map((count) => count > 0)).toEqual([true, true, true, true, false]);
});
