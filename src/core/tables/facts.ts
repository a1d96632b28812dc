import { nearest } from "../values/nearest.ts";

/**
 * A table of knowledge as text, one for each family of programs or tools. Paragraphs are separated by an empty line. A
 * paragraph begins with what it is about: one name, or several separated by commas. Each line below begins with two
 * spaces and is one fact: a word for the kind of fact, and the rest. A line that begins with `#` is a comment.
 *
 *     git log, git whatchanged
 *       class fs.read
 *       options -n,--max-count= LOG
 *       try git log --oneline -5
 *
 * A paragraph `group LOG` contains what several others have in common; `LOG` in a fact stands for it. A group belongs to
 * its table, or to a table of groups that several tables name as their `groups`.
 *
 * Loading a text takes almost no time, and a paragraph is parsed only when one of its names is looked up, so a command needs
 * time only for the programs that it names. The text begins in the first line of its file, so that a fault names the right
 * line.
 */
export type FactTable = { readonly file: string; readonly text: string; readonly groups?: FactTable };

/** A paragraph that is not parsed yet, and its position in the text of its table. */
export type Paragraph = { readonly table: FactTable; readonly start: number; readonly text: string };

export type Fact = { readonly word: string; readonly rest: string; readonly from: Paragraph; readonly at: number };

const GROUP = "group ";

/** Every paragraph about something; neither groups nor separate comments. */
export function paragraphsOf(table: FactTable): Paragraph[] {
  const found: Paragraph[] = [];
  let start = 1;
  for (const text of table.text.slice(1, -1).split("\n\n")) {
    const paragraph = { table, start, text };
    const [first] = namesIn(paragraph);
    if (first !== undefined && !first.startsWith(GROUP)) found.push(paragraph);
    start += text.length + 2;
  }
  return found;
}

/** The paragraphs with a name that begins with this word. Searching the text is faster than parsing all names. */
export function paragraphsNaming(table: FactTable, word: string): Paragraph[] {
  const { text } = table;
  const starts = new Set<number>();
  if (/[\s,]/.test(word)) return [];
  for (const before of ["\n", ", "]) {
    const sought = before + word;
    for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + 1)) {
      if (!ENDS_WORD.has(text[at + sought.length] ?? "")) continue;
      const line = before === "\n" ? at + 1 : text.lastIndexOf("\n", at) + 1;
      if (!holdsNames(text, line)) continue;
      const gap = text.lastIndexOf("\n\n", at);
      starts.add(gap === -1 ? 1 : gap + 2);
    }
  }
  return [...starts].sort((a, b) => a - b).map((start) => paragraphAt(table, start));
}

const ENDS_WORD: ReadonlySet<string> = new Set([" ", ",", "\n"]);

function paragraphAt(table: FactTable, start: number): Paragraph {
  const gap = table.text.indexOf("\n\n", start);
  return { table, start, text: table.text.slice(start, gap === -1 ? -1 : gap) };
}

/** Facts are indented, and comments begin with their character. */
function holdsNames(text: string, line: number): boolean {
  const first = text[line];
  return first !== " " && first !== "#" && first !== "\n" && !text.startsWith(GROUP, line);
}

/** What a paragraph is about. A line of names that ends with a comma continues in the next one. */
export function namesIn({ text }: Paragraph): string[] {
  const facts = text.indexOf("\n  ");
  return (facts === -1 ? text : text.slice(0, facts))
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .flatMap((line) => line.replace(/,$/, "").split(", "));
}

/**
 * How a fact may occur in a paragraph: its word `alone`; with a value `once` or `often`; with or without a value `maybe`
 * once or `any` number of times.
 */
export type Form = { readonly [word: string]: "alone" | "once" | "often" | "maybe" | "any" };

/** The facts of a paragraph in order. An unknown or repeated one is a fault. */
export function factsIn(paragraph: Paragraph, form: Form): Fact[] {
  const facts = linesIn(paragraph);
  const seen = new Set<string>();
  for (const fact of facts) {
    const { word, rest } = fact;
    const stands = Object.hasOwn(form, word) ? form[word] : undefined;
    if (stands === undefined) throw faultOf(fact, withNearest(`unknown fact \`${word}\``, word, Object.keys(form)));
    if (seen.has(word) && stands !== "often" && stands !== "any")
      throw faultOf(fact, `the fact \`${word}\` is given twice`);
    if (rest !== "" && stands === "alone") throw faultOf(fact, `\`${word}\` takes no value`);
    if (rest === "" && (stands === "once" || stands === "often")) throw faultOf(fact, `\`${word}\` needs a value`);
    seen.add(word);
  }
  return facts;
}

function linesIn(from: Paragraph): Fact[] {
  const found: Fact[] = [];
  let at = from.start;
  for (const line of from.text.split("\n")) {
    if (line.startsWith("  ")) {
      const space = line.indexOf(" ", 2);
      const word = line.slice(2, space === -1 ? undefined : space);
      if (word !== "#") found.push({ word, rest: space === -1 ? "" : line.slice(space + 1), from, at });
    } else if (found.length > 0) {
      throw faultAt(
        from,
        at,
        "this line follows facts and is not indented; begin it with two spaces, or leave an empty line above it",
      );
    }
    at += line.length + 1;
  }
  return found;
}

/** The value of a fact, with each group replaced by its content. The facts of a group all have this word. */
export function withGroups(fact: Fact, word: string): string {
  if (!GROUP_NAME.test(fact.rest)) return fact.rest;
  return fact.rest
    .split(" ")
    .map((part) => (GROUP_NAME.test(part) ? groupCalled(part, fact, word) : part))
    .join(" ");
}

const GROUP_NAME = /(?<![^ ])[A-Z]{2,}(?![^ ])/;

function groupCalled(name: string, user: Fact, word: string): string {
  const group = groupIn(user.from.table, name);
  if (group === undefined) throw faultOf(user, `there is no \`group ${name}\` in this file`);
  return factsIn(group, { [word]: "often" })
    .map(({ rest }) => rest)
    .join(" ");
}

function groupIn(table: FactTable, name: string): Paragraph | undefined {
  const found = table.text.indexOf(`\n${GROUP}${name}\n`);
  if (found !== -1) return paragraphAt(table, found + 1);
  return table.groups === undefined ? undefined : groupIn(table.groups, name);
}

/** A value that is one of a few words. */
export function oneOf<T extends string>(fact: Fact, words: readonly T[]): T {
  const found = words.find((word) => word === fact.rest);
  if (found === undefined) {
    throw faultOf(fact, withNearest(`unknown value \`${fact.rest}\` for \`${fact.word}\``, fact.rest, words));
  }
  return found;
}

/** A fault about an unknown word, with the nearest known one. */
function withNearest(fault: string, word: string, words: readonly string[]): string {
  const meant = nearest(word, words);
  return meant === undefined ? fault : `${fault}; did you mean \`${meant}\`?`;
}

export function faultOf({ from, at }: Fact, says: string): Error {
  return faultAt(from, at, says);
}

/** What is wrong with a table, with its file and line. */
export function faultAt({ table }: Paragraph, at: number, says: string): Error {
  const line = table.text.slice(0, at).split("\n").length;
  return new Error(`src/core/tables/${table.file}:${line}: ${says}`);
}

/** A pattern that is too long for one line: line breaks and leading spaces of a line are not part of it. */
export function patternOf(lines: string, flags = ""): RegExp {
  return new RegExp(lines.replace(/\n */g, ""), flags);
}
