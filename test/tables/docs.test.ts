import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type FactTable, paragraphsOf } from "../../src/core/tables/facts.ts";
import { rowsOf } from "../../src/core/tables/programs/index.ts";
import { PROGRAM_FORM, rowFrom } from "../../src/core/tables/programs/read-row.ts";
import { ROLES } from "../../src/core/tables/programs/row.ts";
import { foundFor, promisedBy } from "./examples.ts";
import { programFaults } from "./form.ts";

const PAGE = readFileSync(join(import.meta.dirname, "..", "..", "docs", "adding-a-program.md"), "utf8");
const [EXAMPLE = "", FAULT = "", GROUP = ""] = [...PAGE.matchAll(/^```text\n([\s\S]*?)^```$/gm)].map(
  ([, text]) => text,
);

/** A table of programs with only what the page shows. */
function shown(text: string): FactTable {
  return { file: "programs/new.ts", text: `\n${text}` };
}

test("the example paragraph of the page is valid, its examples are correct, and the table contains it", () => {
  expect(programFaults([shown(EXAMPLE)])).toEqual([]);
  const [row] = paragraphsOf(shown(EXAMPLE)).map(rowFrom);
  if (row === undefined) throw new Error("the page shows no paragraph");
  expect(row.tries.map(foundFor)).toEqual(row.tries.map((text) => promisedBy(text, row.class)));
  expect(rowsOf("shuf").map((one) => one.row())).toEqual([row]);
});

test("the fault on the page has exactly this text", () => {
  expect(`${programFaults([shown(EXAMPLE.replace("class", "clas"))])[0]}\n`).toBe(FAULT);
});

test("the group on the page is valid", () => {
  expect(programFaults([shown(`${GROUP}\n${EXAMPLE.replace("options", "options QUIET")}`)])).toEqual([]);
});

/** What is in backquotes at the start of the rows below a heading. */
function firstCells(heading: string): string[] {
  const [, section = ""] = PAGE.split(`\n## ${heading}\n`);
  const rows = (section.split("\n## ")[0] ?? "").matchAll(/^\| (`.*?`) \|/gm);
  return [...rows].flatMap(([, cell = ""]) => [...cell.matchAll(/`([^` ]+)[^`]*`/g)].map(([, word = ""]) => word));
}

test("the page explains every fact and every role of a word, and no others", () => {
  expect(firstCells("Facts").sort()).toEqual(Object.keys(PROGRAM_FORM).sort());
  expect(firstCells("What words are").sort()).toEqual([...ROLES].sort());
});
