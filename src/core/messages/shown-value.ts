import { nameText } from "../letters/name-text.ts";
import { named, visible, visibleOnOneLine, visibleText } from "../letters/visible.ts";

// Somebody chose the values of a sentence: the author of a project or of an MCP server, an agent, a person. Whatever they chose,
// readers must see where the value begins and where it ends.

/** Where a value stands: its slot, and the sentence around it. */
export type Place = { slot: string; sentence: string; index: number; end: number };

/** Slots with names. A name that is more than one word is quoted, so that its words are not read as ours. */
const NAMES: ReadonlySet<string> = new Set(
  (
    "account address agent by channel command domain file folder holder host id issuer key link machine maker name option " +
    "path person preset program rule server session setting shell tag to tool url variable workspace"
  ).split(" "),
);

/** Slots with JSON for a program or a model: to change a letter of it would change what it says. */
const DATA: ReadonlySet<string> = new Set(["args", "asked", "ran", "result"]);

/** Longer names are cut in the middle, because the end of a path says more than its middle. */
const NAME_LETTERS_MAX = 600;
/** Longer than the notes and replies of people may be. */
const WORDS_LETTERS_MAX = 4_000;

/** A name that was put into quotation marks before. */
const QUOTED = /^(?:"(?:[^"\\]|\\.)*"|'[^'`]*')$/;

/** A value of a sentence for readers: on one line, with what is invisible written out, and not endlessly long. */
export function shownValue(text: string, place: Place): string {
  if (DATA.has(place.slot)) return text;
  const isName = NAMES.has(place.slot);
  const max = isName ? NAME_LETTERS_MAX : WORDS_LETTERS_MAX;
  const around = quotesAround(place);
  if (around !== "") return bounded(without(visible(text), around), max);
  if (isName) return bounded(QUOTED.test(text) ? visible(text) : nameText(text), max);
  return bounded(isWhole(place) ? visibleText(text) : visibleOnOneLine(text), max);
}

/** A sentence that is nothing but its value keeps the value's lines. */
function isWhole({ sentence, index, end }: Place): boolean {
  return index === 0 && end > 0 && end === sentence.length;
}

/** The quotation marks of the sentence in which the value stands; none if it stands in the open. */
function quotesAround({ sentence, index }: Place): "" | "`" | "“”" {
  const before = sentence.slice(0, index);
  if (before.split("`").length % 2 === 0) return "`";
  return before.lastIndexOf("“") > before.lastIndexOf("”") ? "“”" : "";
}

/** What would end the quotation is written out. */
function without(text: string, marks: string): string {
  return [...marks].reduce((left, mark) => left.replaceAll(mark, named), text);
}

/** The start and the end of a text that is too long; what is left out is counted. */
function bounded(text: string, max: number): string {
  if (text.length <= max) return text;
  const letters = [...text];
  if (letters.length <= max) return text;
  const kept = Math.floor((max - 40) / 2);
  return `${letters.slice(0, kept).join("")}… (${letters.length - 2 * kept} characters) …${letters.slice(-kept).join("")}`;
}
