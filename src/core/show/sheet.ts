import { EN } from "../say/en.ts";
import type { Say, SectionName } from "../say/say.ts";
import { visibleLines } from "../values/text.ts";
import type { Card, CardPart, CardStep } from "./card.ts";
import type { CardFile } from "./changes/changed-files.ts";
import { byGravity } from "./doings.ts";
import { fold } from "./fold.ts";
import type { Mark } from "./marks.ts";
import { stretchesOf } from "./stretches.ts";

/** A piece of text; a marked piece is highlighted. */
export type SheetPiece = { text: string; marked?: true };

/** `literal` lines are shown exactly; `quoted` lines are the agent's own words. */
export type Section = {
  of: SectionName;
  title: string;
  style: "plain" | "literal" | "quoted";
  lines: readonly (readonly SheetPiece[])[];
};

/** The layout of a card, independent of the output. Who, what and where come first and have a limited size. */
type Sheet = { title: string; lead: string; sentence: string; sections: readonly Section[] };

const LEAD_MAX = 200;
const SENTENCE_MAX = 200;
const COMMAND_MAX = 60;
const SHOWN_MAX = 6;
const FILES_MAX = 40;

export function sheetOf(card: Card, say: Say = EN): Sheet {
  const { targets, parts } = card;
  const brief = parts.length > SHOWN_MAX ? gravestOf(parts) : parts;
  const section = (of: SectionName, lines: readonly Pieces[], style: Section["style"] = "plain"): Section => ({
    of,
    title: say.sections[of],
    style,
    lines,
  });
  const bounded = (shown: readonly Pieces[], count: number) =>
    count > shown.length ? [...shown, line(say.moreBelow(count - shown.length))] : shown;
  const firstTargets = targets.slice(0, SHOWN_MAX).map((text) => line(fold(text, say)));
  const sections = [
    section("targets", bounded(firstTargets, targets.length)),
    section(
      "parts",
      bounded(
        brief.map((part) => partFolded(part, say)),
        parts.length,
      ),
    ),
    section(
      "steps",
      (card.steps ?? []).map((step) => stepLine(step, say)),
    ),
    section("files", bounded((card.files ?? []).slice(0, FILES_MAX).map(fileLine), card.files?.length ?? 0)),
    section("exactly", [...exactFolded(card, say), line(card.size)], "literal"),
    section("holdsFor", card.holdsFor.map(line)),
    section("why", card.why.map(line)),
    section("understood", card.understanding.map(line)),
    section("record", card.record === undefined ? [] : [line(card.record)]),
    section("answerBy", [line(card.deadline), line(card.quorum)]),
    section("inFull", foldedOf(card, say)),
    section("says", card.says === undefined ? [] : visibleLines(card.says).map(line), "quoted"),
  ];
  return {
    title: card.title,
    lead: fold(card.lead, say, LEAD_MAX),
    sentence: fold(card.sentence, say, SENTENCE_MAX),
    sections: sections.filter(({ lines }) => lines.length > 0),
  };
}

type Pieces = readonly SheetPiece[];

function line(text: string): Pieces {
  return [{ text }];
}

/** As many parts as fit, in their order; no part is left out that is more dangerous than one that is shown. */
function gravestOf(parts: readonly CardPart[]): readonly CardPart[] {
  const kept = new Set([...parts].sort((a, b) => byGravity(a.class, b.class)).slice(0, SHOWN_MAX));
  return parts.filter((part) => kept.has(part));
}

function partFolded(part: CardPart, say: Say): Pieces {
  return partLine({
    ...part,
    command: fold(part.command, say, COMMAND_MAX),
    where: fold(part.where, say),
    does: fold(part.does, say),
  });
}

/** All steps of a plan are listed; what is folded here is below in full. */
function stepLine({ number, command, does, becomes, grave }: CardStep, say: Say): Pieces {
  const text = fold(command, say, COMMAND_MAX);
  return [
    { text: `${number}. \`` },
    grave ? { text, marked: true } : { text },
    { text: `\` - ${fold(does, say)} - ${fold(becomes, say)}` },
  ];
}

/** A file, and what would happen to it. */
function fileLine({ path, does, grave }: CardFile): Pieces {
  return [{ text: "`" }, grave ? { text: path, marked: true } : { text: path }, { text: `\` - ${does}` }];
}

/** The words never contain a backtick, so the text between backticks is exactly the command. */
export function partLine({ command, where, does, grave }: CardPart): Pieces {
  return [{ text: "`" }, grave ? { text: command, marked: true } : { text: command }, { text: `\`${where} - ${does}` }];
}

/** Unchanged lines of a change are folded, except those around changed lines. */
function exactFolded(card: Card, say: Say): readonly Pieces[] {
  const lines = exactLines(card);
  return stretchesOf(card).flatMap(({ from, to, isFolded }) =>
    isFolded ? [line(say.staysBelow(to - from))] : lines.slice(from, to),
  );
}

/** The exact text that would run, with dangerous parts marked. */
export function exactLines({ exact, marks }: Card): readonly Pieces[] {
  return exact.map((text, i) =>
    cutAt(
      text,
      marks.filter((mark) => mark.line === i),
    ),
  );
}

function cutAt(text: string, marks: readonly Mark[]): Pieces {
  const pieces: SheetPiece[] = [];
  let at = 0;
  for (const { from, to } of marks) {
    pieces.push({ text: text.slice(at, from) }, { text: text.slice(from, to), marked: true });
    at = to;
  }
  return [...pieces, { text: text.slice(at) }].filter((piece) => piece.text !== "");
}

/** What did not fit on the first screen, and the unchanged lines of a change. */
function foldedOf(card: Card, say: Say): readonly Pieces[] {
  const { sentence, targets, parts } = card;
  const isLong = (text: string, max?: number) => fold(text, say, max) !== text;
  const folds =
    isLong(sentence, SENTENCE_MAX) ||
    targets.length > SHOWN_MAX ||
    targets.some((text) => isLong(text)) ||
    parts.length > SHOWN_MAX ||
    parts.some(({ command, where, does }) => isLong(command, COMMAND_MAX) || isLong(where) || isLong(does));
  const lines = exactLines(card);
  const staying = stretchesOf(card).flatMap(({ from, to, isFolded }) => (isFolded ? lines.slice(from, to) : []));
  return [...(folds ? [line(sentence), ...targets.map(line), ...parts.map(partLine)] : []), ...staying];
}
