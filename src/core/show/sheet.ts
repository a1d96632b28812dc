import { visibleLines } from "../values/text.ts";
import type { Card, CardPart } from "./card.ts";
import { byGravity } from "./doings.ts";
import { fold } from "./fold.ts";
import type { Mark } from "./marks.ts";

/** A piece of text; what is marked is where the eye should stop. */
export type Piece = { text: string; marked?: true };

/** What a section tells, for whoever lays them out in another way or says their titles in another language. */
export type SectionName =
  | "targets"
  | "parts"
  | "exactly"
  | "holdsFor"
  | "why"
  | "understood"
  | "record"
  | "answerBy"
  | "inFull"
  | "says";

/** `literal` lines are shown letter by letter, `quoted` ones are the agent's own words. */
export type Section = {
  of: SectionName;
  title: string;
  style: "plain" | "literal" | "quoted";
  lines: readonly (readonly Piece[])[];
};

/** A card as it is laid out, whatever it is printed on. Who, what and where stand first and have a bounded size. */
export type Sheet = { title: string; sentence: string; sections: readonly Section[] };

const SENTENCE_MAX = 200;
const COMMAND_MAX = 60;
const SHOWN_MAX = 6;

export function sheetOf(card: Card): Sheet {
  const { targets, parts } = card;
  const brief = parts.length > SHOWN_MAX ? gravestOf(parts) : parts;
  const sections = [
    section("targets", "targets", bounded(targets.slice(0, SHOWN_MAX).map(fold1), targets.length)),
    section("parts", "parts", bounded(brief.map(partFolded), parts.length)),
    exactly(card),
    section("holdsFor", "a yes holds only while these stay as they are", card.holdsFor.map(line)),
    section("why", "why it is asked", card.why.map(line)),
    section("understood", "understood", card.understanding.map(line)),
    section("record", "record", card.record === undefined ? [] : [line(card.record)]),
    section("answerBy", "answer by", [line(card.deadline), line(card.quorum)]),
    section("inFull", "in full", foldedOf(card)),
    quoted(card.says),
  ];
  return {
    title: card.title,
    sentence: fold(card.sentence, SENTENCE_MAX),
    sections: sections.filter(({ lines }) => lines.length > 0),
  };
}

type Pieces = readonly Piece[];

function line(text: string): Pieces {
  return [{ text }];
}

function fold1(text: string): Pieces {
  return line(fold(text));
}

function section(of: SectionName, title: string, lines: readonly Pieces[]): Section {
  return { of, title, style: "plain", lines };
}

function bounded(shown: readonly Pieces[], count: number): readonly Pieces[] {
  return count > shown.length ? [...shown, line(`and ${count - shown.length} more, in full below`)] : shown;
}

/** As many as fit, none left out that is graver than one that is shown; in their order. */
function gravestOf(parts: readonly CardPart[]): readonly CardPart[] {
  const kept = new Set([...parts].sort((a, b) => byGravity(a.class, b.class)).slice(0, SHOWN_MAX));
  return parts.filter((part) => kept.has(part));
}

function partFolded(part: CardPart): Pieces {
  return partLine({
    ...part,
    command: fold(part.command, COMMAND_MAX),
    where: fold(part.where),
    does: fold(part.does),
  });
}

/** The words never hold a backtick, so what stands between them is the command and nothing else. */
export function partLine({ command, where, does, grave }: CardPart): Pieces {
  return [{ text: "`" }, grave ? { text: command, marked: true } : { text: command }, { text: `\`${where} - ${does}` }];
}

function exactly(card: Card): Section {
  return { of: "exactly", title: "exactly", style: "literal", lines: [...exactLines(card), line(card.size)] };
}

/** Letter by letter what would run, the grave pieces marked. */
export function exactLines({ exact, marks }: Card): readonly Pieces[] {
  return exact.map((text, i) =>
    cutAt(
      text,
      marks.filter((mark) => mark.line === i),
    ),
  );
}

function cutAt(text: string, marks: readonly Mark[]): Pieces {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { from, to } of marks) {
    pieces.push({ text: text.slice(at, from) }, { text: text.slice(from, to), marked: true });
    at = to;
  }
  return [...pieces, { text: text.slice(at) }].filter((piece) => piece.text !== "");
}

/** What the first screen had no room for. */
function foldedOf({ sentence, targets, parts }: Card): readonly Pieces[] {
  const folds = [fold(sentence, SENTENCE_MAX) !== sentence, isFolded(targets), arePartsFolded(parts)];
  const full = [[line(sentence)], targets.map(line), parts.map(partLine)];
  return folds.includes(true) ? full.flat() : [];
}

function isFolded(texts: readonly string[]): boolean {
  return texts.length > SHOWN_MAX || texts.some((text) => fold(text) !== text);
}

function arePartsFolded(parts: readonly CardPart[]): boolean {
  return (
    parts.length > SHOWN_MAX ||
    parts.some(
      ({ command, where, does }) =>
        fold(command, COMMAND_MAX) !== command || fold(where) !== where || fold(does) !== does,
    )
  );
}

function quoted(says: string | undefined): Section {
  return {
    of: "says",
    title: "the agent's own words, not checked by anybody",
    style: "quoted",
    lines: says === undefined ? [] : visibleLines(says).map(line),
  };
}
