import { wrap } from "../values/text.ts";
import type { Card, CardPart } from "./card.ts";
import { partLine, type Section, type SheetPiece, sheetOf } from "./sheet.ts";

// The brackets around marked parts. They have no other meaning: if they are part of the text, they are written out.
const OPEN = "⟦";
const CLOSE = "⟧";

/**
 * The card as lines of text. What, its effect and who asks come first, whatever the agent wrote; nothing is left out
 * without saying so.
 */
export function renderText(card: Card, width: number): readonly string[] {
  const { title, lead, sentence, sections } = sheetOf(card);
  return [
    ...wrap(spelled(lead), width, "  "),
    ...wrap(spelled(sentence), width),
    ...wrap(spelled(title), width),
    ...sections.flatMap((section) => sectionLines(section, width)),
  ];
}

/** One of several programs and what it does, as on a card. */
export function partText(part: CardPart): string {
  return partLine(part).map(pieceText).join("");
}

/**
 * Every line of the agent's words is marked as a quotation, so that it cannot be mistaken for Leeway's words. A
 * section with one short line is on the same line as its title, because an ordinary card must fit a terminal of 24
 * rows.
 */
function sectionLines({ title, style, lines }: Section, width: number): readonly string[] {
  const [only] = lines;
  const beside = `${title}: ${(only ?? []).map(pieceText).join("")}`;
  if (style === "plain" && lines.length === 1 && [...beside].length <= width) return [beside];
  const indent = style === "quoted" ? "  > " : "  ";
  return [`${title}:`, ...lines.flatMap((pieces) => wrap(pieces.map(pieceText).join(""), width, indent))];
}

function pieceText({ text, marked }: SheetPiece): string {
  return marked === true ? OPEN + spelled(text) + CLOSE : spelled(text);
}

function spelled(text: string): string {
  return text.replaceAll(OPEN, "<U+27E6>").replaceAll(CLOSE, "<U+27E7>");
}
