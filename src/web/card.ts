import type { Card } from "../core/show/card.ts";
import { lineHtml } from "../core/show/render-html.ts";
import { exactLines, type Piece, type Section, type SectionName, sheetOf } from "../core/show/sheet.ts";
import { type Html, html, trusted } from "./html.ts";
import type { Words } from "./words.ts";

/** Behind a fold: what helps to be sure, and is seldom what decides. Never the exact bytes. */
const FOLDED: readonly SectionName[] = ["targets", "holdsFor", "record", "answerBy"];

/** The card for a page: the sentence and the exact bytes first, then why; the rest folds. */
export function cardHtml(card: Card, words: Words): Html {
  const { title, sentence, sections } = sheetOf(card);
  const isPlain = card.understanding.length === 1 && card.understanding[0] === PLAIN;
  const folded = sections.filter(({ of }) => FOLDED.includes(of) || (of === "understood" && isPlain));
  const shown = sections.filter((one) => !folded.includes(one) && one.of !== "exactly");
  return html`<article class="leeway-card" dir="ltr">
<h2>${line([{ text: title }])}</h2>
<p class="sentence">${line([{ text: sentence }])}</p>
<section class="exactly"><h3>${words.exactly}</h3>${exactHtml(card)}</section>
${shown.map((section) => sectionHtml(section, words))}
<details class="more"><summary>${words.moreFacts}</summary>
${folded.map((section) => sectionHtml(section, words))}
<section><h3>${words.sectionSize}</h3><p><code>${card.size}</code></p></section></details>
</article>`;
}

const PLAIN = "fully understood";

/** Every byte, line by line; a change in its colours. */
export function exactHtml(card: Card): Html {
  return html`<ul class="exact">${exactLines(card).map((pieces) => html`<li class="${changeOf(pieces)}"><code>${line(pieces)}</code></li>`)}</ul>`;
}

/** Lines of a change begin so. It is a colour and no more: the letters say the same. */
function changeOf([first]: readonly Piece[]): string {
  if (first?.text.startsWith("+ ")) return "added";
  return first?.text.startsWith("- ") ? "removed" : "";
}

const TITLES: { readonly [N in SectionName]: keyof Words } = {
  targets: "sectionTargets",
  parts: "sectionParts",
  exactly: "exactly",
  holdsFor: "sectionHoldsFor",
  why: "sectionWhy",
  understood: "sectionUnderstood",
  record: "sectionRecord",
  answerBy: "sectionAnswerBy",
  inFull: "sectionInFull",
  says: "sectionSays",
};

function sectionHtml({ of, style, lines }: Section, words: Words): Html {
  const list = html`<ul>${lines.map((pieces) => html`<li>${line(pieces)}</li>`)}</ul>`;
  return html`<section class="${of}"><h3>${words[TITLES[of]]}</h3>${style === "quoted" ? html`<blockquote>${list}</blockquote>` : list}</section>`;
}

function line(pieces: readonly Piece[]): Html {
  return trusted(lineHtml(pieces));
}

/** Lines of what would run that are shown at once; approving more needs the whole on the screen. */
const LINES_MAX = 400;
const LETTERS_MAX = 40_000;

export function isLong({ exact }: Card): boolean {
  return exact.length > LINES_MAX || exact.join("").length > LETTERS_MAX;
}

export function shortened(card: Card): Card {
  const lines = card.exact.slice(0, LINES_MAX).map((text) => text.slice(0, LETTERS_MAX / 10));
  return { ...card, exact: lines, marks: card.marks.filter(({ line: at, to }) => to <= (lines[at]?.length ?? 0)) };
}
