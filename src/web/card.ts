import type { Card } from "../core/show/card.ts";
import { lineHtml } from "../core/show/render-html.ts";
import { type Language, sayIn } from "../core/show/say/say.ts";
import { exactLines, type Piece, type Section, type SectionName, sheetOf } from "../core/show/sheet.ts";
import { stretchesOf } from "../core/show/stretches.ts";
import type { View } from "./frame.ts";
import { type Html, html, trusted } from "./html.ts";

/** Behind a fold: what helps to be sure, and is seldom what decides. Never the exact bytes. */
const FOLDED: readonly SectionName[] = ["targets", "holdsFor", "record", "answerBy"];

/**
 * The card for a page: the sentence, each command with what it does, the exact bytes, then why; the rest folds. `rest`
 * stands where the exact bytes go on.
 */
export function cardHtml(card: Card, { words, language }: View, { facts, rest }: { facts: Html; rest?: Html }): Html {
  const say = sayIn(language);
  const { title, sentence, sections } = sheetOf(card, say);
  const isPlain = card.understanding.length === 1 && card.understanding[0] === say.understood.fully;
  const folded = sections.filter(({ of }) => FOLDED.includes(of) || (of === "understood" && isPlain));
  const shown = sections.filter((one) => !folded.includes(one) && one.of !== "exactly");
  const parts = shown.filter(({ of }) => of === "parts");
  return html`<article class="leeway-card" dir="ltr">
<h2>${line([{ text: title }])}</h2>
<p class="sentence">${line([{ text: sentence }])}</p>
${facts}
${parts.map(sectionHtml)}
<section class="exactly"><h3>${say.sections.exactly}</h3>${exactHtml(card, language, rest)}</section>
${shown.filter((one) => !parts.includes(one)).map(sectionHtml)}
<details class="more"><summary>${words.moreFacts}</summary>
${folded.map(sectionHtml)}
<section><h3>${words.sectionSize}</h3><p><code>${card.size}</code></p></section></details>
</article>`;
}

/** Every byte, line by line; a change in its colours, what stays in it behind a fold. */
export function exactHtml(card: Card, language: Language, rest?: Html): Html {
  const lines = exactLines(card);
  const classes = new Map(card.changes.flatMap(({ is, from, to }) => places(from, to).map((at) => [at, is] as const)));
  const rows = (from: number, to: number) =>
    places(from, to).map((at) => html`<li class="${classes.get(at) ?? ""}"><code>${line(lines[at] ?? [])}</code></li>`);
  return html`<ul class="exact">${stretchesOf(card).map(({ from, to, isFolded }) =>
    isFolded
      ? html`<li class="fold"><details><summary>${sayIn(language).stays(to - from)}</summary><ul>${rows(from, to)}</ul></details></li>`
      : rows(from, to),
  )}${rest}</ul>`;
}

function places(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

function sectionHtml({ of, title, style, lines }: Section): Html {
  const list = html`<ul>${lines.map((pieces) => html`<li>${of === "parts" ? partHtml(pieces) : line(pieces)}</li>`)}</ul>`;
  return html`<section class="${of}"><h3>${title}</h3>${style === "quoted" ? html`<blockquote>${list}</blockquote>` : list}</section>`;
}

/** What stands between backticks on a screen of letters alone is a piece of code here. */
function partHtml(pieces: readonly Piece[]): Html {
  const [tick, command, rest] = pieces;
  if (tick?.text !== "`" || command === undefined || rest === undefined) return line(pieces);
  return html`<code>${line([command])}</code>${line([{ text: rest.text.replace("`", "") }])}`;
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

/** Rows that a small phone has room for beside the heading and the answer, and letters of a row there. */
const NEAR = { rows: 13, letters: 34 } as const;

/**
 * Whether everything down to the last exact byte is on one screen together with the answer to it. Where it is not, the
 * answer stands at the end: whoever comes to it has passed everything.
 */
export function isNear({ sentence, parts, exact }: Card): boolean {
  const lines = [sentence, ...parts.map(({ command, does, where }) => `${command} - ${does} ${where}`), ...exact];
  const rows = lines.map(({ length }) => Math.max(1, Math.ceil(length / NEAR.letters)));
  return rows.reduce((sum, count) => sum + count, 0) <= NEAR.rows;
}

/** The beginning of a card, and how much of what would run is missing from it. */
type Cut = { card: Card; lines: number; letters: number };

const CUT = { lines: 40, letters: 2_000 } as const;

export function shortened(card: Card): Cut {
  const exact = card.exact.slice(0, CUT.lines).map((text) => text.slice(0, CUT.letters));
  const end = exact.length;
  const shown = card.exact.slice(0, CUT.lines).join("").length;
  return {
    card: {
      ...card,
      exact,
      marks: card.marks.filter(({ line: at, to }) => to <= (exact[at]?.length ?? 0)),
      changes: card.changes.flatMap((one) => (one.from < end ? [{ ...one, to: Math.min(one.to, end) }] : [])),
    },
    lines: card.exact.length - end,
    letters: shown - exact.join("").length,
  };
}

/** How much more there is, in the place where it would be. */
export function restHtml({ words }: View, { lines, letters }: Cut, whole: string): Html {
  const more = [
    ...(letters > 0 ? [`${letters} ${words.moreLetters}`] : []),
    ...(lines > 0 ? [`${lines} ${words.moreLines}`] : []),
  ];
  return html`<li class="fold rest">… ${more.join(", ")}: <a href="${whole}">${words.showAll}</a></li>`;
}
