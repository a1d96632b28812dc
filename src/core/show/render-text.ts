import { wrap } from "../values/text.ts";
import type { Card, CardPart } from "./card.ts";
import { partLine, type Section, type SheetPiece, sheetOf } from "./sheet.ts";

// Around what is marked. They stand for nothing else: where somebody wrote one, it is spelled out.
const OPEN = "⟦";
const CLOSE = "⟧";

/** The card as lines of text. What, what it does, and who asks stand first, whatever the agent wrote; nothing is left out in silence. */
export function renderText(card: Card, width: number): readonly string[] {
  const { title, lead, sentence, sections } = sheetOf(card);
  return [
    ...wrap(spelled(lead), width, "  "),
    ...wrap(spelled(sentence), width),
    ...wrap(spelled(title), width),
    ...sections.flatMap((section) => sectionLines(section, width)),
  ];
}

/** One program of several and what it does, as it stands on a card. */
export function partText(part: CardPart): string {
  return partLine(part).map(pieceText).join("");
}

/**
 * Every line of the agent's words is marked as a quotation, so that none can pass for the gate's. A section of one short
 * line stands beside its title: an ordinary card has to fit a terminal of 24 rows.
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
