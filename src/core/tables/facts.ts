import { nearest } from "../values/nearest.ts";

/**
 * A table of knowledge as text, one for each family of programs or tools. Paragraphs have an empty line between them. A
 * paragraph begins with what it is about, several names with commas between them. Each line below begins with two
 * spaces and is one fact: a word that says which kind of fact it is, and the rest. A line that begins with `#` is a remark.
 *
 *     git log, git whatchanged
 *       class fs.read
 *       options -n,--max-count= LOG
 *       try git log --oneline -5
 *
 * A paragraph `group LOG` holds what several others of the same table have in common; `LOG` in a fact stands for that.
 *
 * A text costs next to nothing to load, and a paragraph is taken apart only when somebody asks for one of its names: a command
 * pays for the programs that it names and for no others. The text begins in the first line of its file, so that
 * a fault names the right line.
 */
export type FactTable = { readonly file: string; readonly text: string };

/** A paragraph that is not taken apart yet, and where it begins in the text of its table. */
export type Paragraph = { readonly table: FactTable; readonly start: number; readonly text: string };

export type Fact = { readonly word: string; readonly rest: string; readonly from: Paragraph; readonly at: number };

const GROUP = "group ";

/** Every paragraph that is about something; neither groups nor remarks that stand alone. */
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

/** The paragraphs with a name that begins with this word. Searching the text takes less time than taking all names apart. */
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

/** Facts are indented, and remarks have their sign. */
function holdsNames(text: string, line: number): boolean {
  const first = text[line];
  return first !== " " && first !== "#" && first !== "\n" && !text.startsWith(GROUP, line);
}

/** What a paragraph is about. A line of names that ends with a comma goes on in the next one. */
export function namesIn({ text }: Paragraph): string[] {
  const facts = text.indexOf("\n  ");
  return (facts === -1 ? text : text.slice(0, facts))
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .flatMap((line) => line.replace(/,$/, "").split(", "));
}

/**
 * How a fact stands in a paragraph: its word `alone`; with something behind it `once` or `often`; alone or with something
 * behind it `maybe` once or `any` number of times.
 */
export type Form = { readonly [word: string]: "alone" | "once" | "often" | "maybe" | "any" };

/** The facts of a paragraph in their order. One that the form does not know, or that is said twice, is a fault. */
export function factsIn(paragraph: Paragraph, form: Form): Fact[] {
  const facts = linesIn(paragraph);
  const seen = new Set<string>();
  for (const fact of facts) {
    const { word, rest } = fact;
    const stands = Object.hasOwn(form, word) ? form[word] : undefined;
    if (stands === undefined) throw faultOf(fact, unknownWord(word, word, Object.keys(form)));
    if (seen.has(word) && stands !== "often" && stands !== "any") throw faultOf(fact, `\`${word}\` is said twice`);
    if (rest !== "" && stands === "alone") throw faultOf(fact, `nothing may stand behind \`${word}\``);
    if (rest === "" && (stands === "once" || stands === "often"))
      throw faultOf(fact, `something must stand behind \`${word}\``);
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

/** The rest of a fact, with what each group in it stands for. The facts of a group all have this word. */
export function withGroups(fact: Fact, word: string): string {
  if (!GROUP_NAME.test(fact.rest)) return fact.rest;
  return fact.rest
    .split(" ")
    .map((part) => (GROUP_NAME.test(part) ? groupCalled(part, fact, word) : part))
    .join(" ");
}

const GROUP_NAME = /(?<![^ ])[A-Z]{2,}(?![^ ])/;

function groupCalled(name: string, user: Fact, word: string): string {
  const { table } = user.from;
  const found = table.text.indexOf(`\n${GROUP}${name}\n`);
  if (found === -1) throw faultOf(user, `there is no \`group ${name}\` in this file`);
  return factsIn(paragraphAt(table, found + 1), { [word]: "often" })
    .map(({ rest }) => rest)
    .join(" ");
}

/** The rest of a fact that is one of a few words. */
export function oneOf<T extends string>(fact: Fact, words: readonly T[]): T {
  const found = words.find((word) => word === fact.rest);
  if (found === undefined) throw faultOf(fact, unknownWord(`${fact.word} ${fact.rest}`, fact.rest, words));
  return found;
}

/** That something is not known, and what was most likely meant. */
function unknownWord(said: string, word: string, words: readonly string[]): string {
  const meant = nearest(word, words);
  return `\`${said}\` is not known${meant === undefined ? "" : `; did you mean \`${meant}\`?`}`;
}

export function faultOf({ from, at }: Fact, says: string): Error {
  return faultAt(from, at, says);
}

/** What is wrong with a table, with its file and line. */
export function faultAt({ table }: Paragraph, at: number, says: string): Error {
  const line = table.text.slice(0, at).split("\n").length;
  return new Error(`src/core/tables/${table.file}:${line}: ${says}`);
}
