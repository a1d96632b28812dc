import type { Card } from "./card.ts";
import { escaped } from "./escape.ts";
import { type Section, type SheetPiece, sheetOf } from "./sheet.ts";

/**
 * The card as HTML, from the same sheet as the text. Everything from a call is plain text between tags: it cannot
 * create a tag, an attribute or a link, and it can be read without styles.
 */
export function renderHtml(card: Card): string {
  const { title, lead, sentence, sections } = sheetOf(card);
  return [
    '<article class="leeway-card" dir="ltr">',
    `<h2><code>${written(lead)}</code></h2>`,
    `<p>${written(sentence)}</p>`,
    `<p>${written(title)}</p>`,
    ...sections.map(sectionHtml),
    "</article>",
  ].join("\n");
}

function sectionHtml({ title, style, lines }: Section): string {
  const items = lines.map((pieces) => {
    const text = lineHtml(pieces);
    return `<li>${style === "literal" ? `<code>${text}</code>` : text}</li>`;
  });
  const list = `<ul>\n${items.join("\n")}\n</ul>`;
  return `<section>\n<h3>${written(title)}</h3>\n${style === "quoted" ? `<blockquote>\n${list}\n</blockquote>` : list}\n</section>`;
}

/** One line of a card, escaped; marked parts are in `mark`. */
export function lineHtml(pieces: readonly SheetPiece[]): string {
  return pieces.map(pieceHtml).join("");
}

function pieceHtml({ text, marked }: SheetPiece): string {
  return marked === true ? `<mark>${written(text)}</mark>` : written(text);
}

/** Text without spaces may wrap after this many letters, so that nothing is cut off on a narrow screen. */
const UNBROKEN_MAX = 20;

/** Repeated spaces are kept, so that two commands that differ in a space do not look alike. */
function written(text: string): string {
  const kept = text.replaceAll("  ", ` ${KEPT_SPACE}`).replace(/^ | $/g, KEPT_SPACE);
  return kept
    .split(" ")
    .map((word) => [...word.matchAll(RUN)].map(([run]) => escaped(run).replaceAll(KEPT_SPACE, "&#160;")).join("<wbr>"))
    .join(" ");
}

const RUN = new RegExp(`.{1,${UNBROKEN_MAX}}`, "gsu");
const KEPT_SPACE = "\u00a0";
