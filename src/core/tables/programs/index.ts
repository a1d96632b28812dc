import { once } from "../../values/once.ts";
import { type FactTable, namesIn, type Paragraph, paragraphsNaming, paragraphsOf } from "../facts.ts";
import { ARCHIVE_PROGRAMS } from "./archives.ts";
import { CLOUD_PROGRAMS } from "./cloud.ts";
import { DATA_PROGRAMS } from "./data.ts";
import { DEV_PROGRAMS } from "./dev.ts";
import { FILE_PROGRAMS } from "./files.ts";
import { GIT_PROGRAMS } from "./git.ts";
import { MACHINE_PROGRAMS } from "./machine.ts";
import { NETWORK_PROGRAMS } from "./network.ts";
import { rowFrom } from "./read-row.ts";
import type { ProgramRow } from "./row.ts";
import { SHELL_PROGRAMS } from "./shells.ts";
import { SYSTEM_PROGRAMS } from "./system.ts";
import { UTILITY_PROGRAMS } from "./utilities.ts";

/** The tables of programs, one for each family. */
export const PROGRAM_TABLES: readonly FactTable[] = [
  { file: "programs/data.ts", text: DATA_PROGRAMS },
  { file: "programs/cloud.ts", text: CLOUD_PROGRAMS },
  { file: "programs/dev.ts", text: DEV_PROGRAMS },
  { file: "programs/archives.ts", text: ARCHIVE_PROGRAMS },
  { file: "programs/machine.ts", text: MACHINE_PROGRAMS },
  { file: "programs/system.ts", text: SYSTEM_PROGRAMS },
  { file: "programs/files.ts", text: FILE_PROGRAMS },
  { file: "programs/git.ts", text: GIT_PROGRAMS },
  { file: "programs/network.ts", text: NETWORK_PROGRAMS },
  { file: "programs/shells.ts", text: SHELL_PROGRAMS },
  { file: "programs/utilities.ts", text: UTILITY_PROGRAMS },
];

/** Programs and subcommands that share a row, which is parsed on first use. */
export type NamedRow = { readonly names: readonly string[]; readonly row: () => ProgramRow };

/** What the tables say about a program and its subcommands. */
export function rowsOf(program: string): NamedRow[] {
  return paragraphsOfProgram(program).map((paragraph) => ({
    names: namesIn(paragraph),
    row: once(() => rowFrom(paragraph)),
  }));
}

/** A command names few programs, and searching the texts is faster than building the index. A server names many. */
const SEARCHED_MAX = 16;
let searched = 0;

function paragraphsOfProgram(program: string): readonly Paragraph[] {
  if (searched >= SEARCHED_MAX) return index().get(program) ?? [];
  searched++;
  return PROGRAM_TABLES.flatMap((table) => paragraphsNaming(table, program));
}

const index = once(() => {
  const made = new Map<string, Paragraph[]>();
  for (const paragraph of PROGRAM_TABLES.flatMap(paragraphsOf)) {
    for (const program of new Set(namesIn(paragraph).map((name) => name.split(" ", 1)[0] ?? ""))) {
      const held = made.get(program);
      if (held === undefined) made.set(program, [paragraph]);
      else held.push(paragraph);
    }
  }
  return made;
});
