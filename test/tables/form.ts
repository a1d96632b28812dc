import { optionsFrom, slotsFrom } from "../../src/core/shell/program.ts";
import { type FactTable, faultAt, namesIn, type Paragraph, paragraphsOf } from "../../src/core/tables/facts.ts";
import { rowFrom } from "../../src/core/tables/programs/read-row.ts";

export const LINE_MAX = 160;

/** What is wrong with the form of a table's lines. `users` are the tables that may use its groups. */
export function lineFaults(table: FactTable, users: readonly FactTable[] = [table]): string[] {
  const whole: Paragraph = { table, start: 0, text: table.text };
  const faults: string[] = [];
  let at = 0;
  for (const line of table.text.split("\n")) {
    const says = lineFault(line);
    if (says !== undefined) faults.push(faultAt(whole, at, says).message);
    at += line.length + 1;
  }
  const gap = table.text.indexOf("\n\n\n");
  if (gap !== -1) faults.push(faultAt(whole, gap + 2, "there are two empty lines; one is enough").message);
  for (const [used, name = ""] of table.text.matchAll(/^group (\S+)$/gm)) {
    const isUsed = users.some(({ text }) => new RegExp(`^  .* ${name}( |$)`, "m").test(text));
    if (!isUsed) faults.push(faultAt(whole, table.text.indexOf(used), `\`${used}\` is never used`).message);
  }
  return faults;
}

function lineFault(line: string): string | undefined {
  if (line.length > LINE_MAX) return `the line has ${line.length} characters; at most ${LINE_MAX} are allowed`;
  if (line.includes("\t")) return "there is a tab; use spaces";
  if (line !== line.trimEnd()) return "the line ends with a space";
  if (/^( | {3,})\S/.test(line)) return "a fact begins with exactly two spaces";
  return undefined;
}

/** What is wrong with tables of programs, each fault with its file and line. */
export function programFaults(tables: readonly FactTable[]): string[] {
  const paragraphs = tables.flatMap(paragraphsOf);
  return [
    ...tables.flatMap((table) => lineFaults(table)),
    ...paragraphs.flatMap(faultsOfProgram),
    ...namedTwice(paragraphs, (name) => name),
  ];
}

function faultsOfProgram(paragraph: Paragraph): string[] {
  try {
    const { run, takes = "", options = "", tries } = rowFrom(paragraph);
    const again = tries.filter((command, i) => tries.indexOf(command) !== i);
    return [
      ...complaints(paragraph, "takes", () => slotsFrom(takes)),
      ...options.split(" ").flatMap((one) => complaints(paragraph, one, () => optionsFrom(one, run))),
      ...optionsTwice(paragraph),
      ...again.map((command) => told(paragraph, `try ${command}`, `the example \`${command}\` is given twice`)),
    ];
  } catch (fault) {
    return [messageOf(fault)];
  }
}

/** Options that the facts of a paragraph name twice. An option of a group may be named again: the later one applies. */
function optionsTwice(paragraph: Paragraph): string[] {
  const facts = paragraph.text.matchAll(/^ {2}options (.*)$/gm);
  const given = [...facts].flatMap(([, rest = ""]) => rest.split(" ").filter((one) => /^[-+]/.test(one)));
  const names = given.flatMap((one) => one.replace(/[=?<>*!].*$/, "").split(","));
  return names
    .filter((name, i) => names.indexOf(name) !== i)
    .map((name) => told(paragraph, name, `the option \`${name}\` is named twice`));
}

function complaints(paragraph: Paragraph, near: string, read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (fault) {
    return [told(paragraph, near, messageOf(fault))];
  }
}

/** The last line of the paragraph with this text, which may be in a group instead. */
function told(paragraph: Paragraph, near: string, says: string): string {
  const at = paragraph.text.lastIndexOf(near);
  return faultAt(paragraph, paragraph.start + Math.max(at, 0), says).message;
}

function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}

/** Names that two paragraphs have, or one paragraph has twice. */
export function namedTwice(paragraphs: readonly Paragraph[], keyOf: (name: string) => string): string[] {
  const seen = new Map<string, Paragraph>();
  return paragraphs.flatMap((paragraph) =>
    namesIn(paragraph).flatMap((name) => {
      const before = seen.get(keyOf(name));
      seen.set(keyOf(name), paragraph);
      if (before === undefined) return [];
      const first = faultAt(before, before.start, "").message.slice(0, -2);
      return [faultAt(paragraph, paragraph.start, `\`${name}\` is already described in ${first}`).message];
    }),
  );
}
