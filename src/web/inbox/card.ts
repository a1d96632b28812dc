import type { Approval } from "../../core/approval.ts";
import type { EffectClass } from "../../core/effect.ts";
import type { Language } from "../../core/messages/text.ts";
import { sayIn } from "../../core/say/languages.ts";
import type { Say, SectionName } from "../../core/say/say.ts";
import type { Card, CardStep } from "../../core/show/card.ts";
import type { CardFile } from "../../core/show/changes/changed-files.ts";
import { lineHtml } from "../../core/show/render-html.ts";
import { exactLines, type Section, type SheetPiece, sheetOf } from "../../core/show/sheet.ts";
import { type Stretch, stretchesOf } from "../../core/show/stretches.ts";
import { type Html, html, type Part, trusted } from "../page/html.ts";
import type { View } from "../page/view.ts";
import { wordsOf } from "../words/words.ts";

/** Folded sections: useful details that seldom decide. Never the exact content. */
const FOLDED: readonly SectionName[] = ["targets", "holdsFor", "record", "answerBy"];

type CardOptions = { facts: Html; tool: Html | undefined; rest?: Html };

/**
 * The card for a page: the command or tool in one line, what would happen, who asks, each command with its effect,
 * the exact content, what an unknown tool is, then why; the rest is folded. `rest` is shown where the exact content
 * continues.
 */
export function cardHtml(card: Card, { words, language }: View, given: CardOptions): Html {
  const { facts, tool, rest } = given;
  const say = sayIn(language);
  const { title, lead, sentence, sections } = sheetOf(card, say);
  const isPlain = card.understanding.length === 1 && card.understanding[0] === say.understood.fully;
  const folded = sections.filter(({ of }) => FOLDED.includes(of) || (of === "understood" && isPlain));
  const apart: readonly SectionName[] = ["exactly", "steps", "files"];
  const shown = sections.filter((one) => !folded.includes(one) && !apart.includes(one.of));
  const parts = shown.filter(({ of }) => of === "parts");
  return html`<article class="leeway-card" dir="ltr">
<h2 class="first-line"><code>${lead}</code></h2>
<p class="sentence">${line([{ text: sentence }])}</p>
<p class="asker">${line([{ text: title }])}</p>
${facts}
${card.blocked !== undefined && html`<p class="blocked" role="alert">${line([{ text: card.blocked }])}</p>`}
${parts.map(sectionHtml)}
${card.steps !== undefined && stepsHtml(card.steps, say.sections.steps)}
${card.files !== undefined && filesHtml(card.files, say)}
<section class="exactly"><h3>${say.sections.exactly}</h3>${exactHtml(card, language, { rest })}</section>
${tool}
${shown.filter((one) => !parts.includes(one)).map((one) => (one.of === "understood" ? understoodHtml(one, say) : sectionHtml(one)))}
<details class="more"><summary>${words.moreFacts}</summary>
${folded.map(sectionHtml)}
<section><h3>${words.sectionSize}</h3><p><code>${card.size}</code></p></section></details>
</article>`;
}

/** Every step of a plan, in its order: what it is, what it would do, and what becomes of it. */
function stepsHtml(steps: readonly CardStep[], title: string): Html {
  const items = steps.map(
    ({ command, does, is, becomes, class: effectClass, grave }) =>
      html`<li class="step ${is}${grave && " grave"}"><code>${line([{ text: command }])}</code> <span class="class ${gravity(effectClass)}">${effectClass}</span><p>${line([{ text: does }])}</p><p class="becomes">${line([{ text: becomes }])}</p></li>`,
  );
  return html`<section class="steps"><h3>${title}</h3><ol>${items}</ol></section>`;
}

/** The changed files, the gravest first. */
export function filesHtml(files: readonly CardFile[], say: Say): Html {
  const item = ({ path, does, grave }: CardFile) =>
    html`<li class="${grave && "grave"}"><code>${line([{ text: path }])}</code> <span>${line([{ text: does }])}</span></li>`;
  return html`<section class="files"><h3>${say.sections.files}</h3><ul>${files.map(item)}</ul></section>`;
}

/** Lines of a change that are shown at once; the rest is on the page too, folded. It has to be opened before the call can be approved. */
const CHANGE_SHOWN = 40;

type Showing = {
  /** Shown where the exact content continues. */
  rest?: Html | undefined;
  /** Very long lines show only their beginning and can be opened. Never where somebody answers. */
  foldsLong?: true;
};

/**
 * The exact content, line by line; a change in colours, with unchanged lines and the end of a long change folded. The
 * steps of a plan are all shown.
 */
export function exactHtml(card: Card, language: Language, { rest, foldsLong }: Showing = {}): Html {
  const say = sayIn(language);
  const lines = exactLines(card);
  const classes = new Map(card.changes.flatMap(({ is, from, to }) => places(from, to).map((at) => [at, is] as const)));
  const rows = (from: number, to: number) =>
    places(from, to).map((at) => {
      const shown =
        foldsLong === true ? longLine(lines[at] ?? [], language) : html`<code>${line(lines[at] ?? [])}</code>`;
      return html`<li class="${classes.get(at) ?? ""}">${shown}</li>`;
    });
  const folded = (summary: string, held: Part, isEnd = false) =>
    html`<li class="fold${isEnd && " end"}"><details><summary>${summary}</summary><ul>${held}</ul></details></li>`;
  const stretch = ({ from, to, isFolded }: Stretch) =>
    isFolded ? folded(say.stays(to - from), rows(from, to)) : rows(from, to);
  const { first, more } = cutAfter(
    stretchesOf(card),
    card.changes.length === 0 || card.steps !== undefined ? Number.POSITIVE_INFINITY : CHANGE_SHOWN,
  );
  const count = more.reduce((sum, { from, to }) => sum + to - from, 0);
  return html`<ul class="exact${card.files !== undefined && " by-file"}">${first.map(stretch)}${count > 0 && folded(say.moreLines(count), more.map(stretch), true)}${rest}</ul>`;
}

/** A line with more letters than this would fill a phone; its beginning is enough to recognise it. */
const LONG_LINE = { letters: 200, shown: 120 } as const;

function longLine(pieces: readonly SheetPiece[], language: Language): Html {
  const count = pieces.reduce((sum, { text }) => sum + text.length, 0);
  if (count <= LONG_LINE.letters) return html`<code>${line(pieces)}</code>`;
  const [first, later]: [SheetPiece[], SheetPiece[]] = [[], []];
  let room: number = LONG_LINE.shown;
  for (const piece of pieces) {
    // A letter of two code units is not cut in two.
    const end = /[\ud800-\udbff]/.test(piece.text.charAt(room - 1)) ? room - 1 : room;
    if (end > 0) first.push({ ...piece, text: piece.text.slice(0, end) });
    if (end < piece.text.length) later.push({ ...piece, text: piece.text.slice(Math.max(0, end)) });
    room = Math.max(0, room - piece.text.length);
  }
  const more = `… ${count - LONG_LINE.shown} ${wordsOf(language).moreLetters}`;
  return html`<details class="long"><summary><code>${line(first)}</code> ${more}</summary><code>${line(later)}</code></details>`;
}

/** The stretches that fit into so many lines, and the rest; a fold takes one line. */
function cutAfter(stretches: readonly Stretch[], max: number): { first: readonly Stretch[]; more: readonly Stretch[] } {
  const [first, more]: [Stretch[], Stretch[]] = [[], []];
  let room = max;
  for (const one of stretches) {
    const end = one.isFolded || one.to - one.from <= room ? one.to : one.from + room;
    if (room > 0) first.push({ ...one, to: end });
    if (room <= 0) more.push(one);
    else if (end < one.to) more.push({ ...one, from: end });
    room -= one.isFolded ? 1 : end - one.from;
  }
  return { first, more };
}

function places(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

function sectionHtml({ of, title, style, lines }: Section): Html {
  const list = html`<ul>${lines.map((pieces) => html`<li>${of === "parts" ? partHtml(pieces) : line(pieces)}</li>`)}</ul>`;
  return html`<section class="${of}"><h3>${title}</h3>${style === "quoted" ? html`<blockquote>${list}</blockquote>` : list}</section>`;
}

/** How far the call is understood, and what to note about it. That it is fully understood is not part of the warning. */
function understoodHtml(section: Section, say: Say): Html {
  const [first, ...notes] = section.lines;
  const isFully = first?.length === 1 && first[0]?.text === say.understood.fully;
  if (!isFully) return sectionHtml(section);
  return html`<section class="understood"><h3>${section.title}</h3><p>${line(first)}</p><ul>${notes.map((note) => html`<li>${line(note)}</li>`)}</ul></section>`;
}

/** Text between backticks is shown as code. */
function partHtml(pieces: readonly SheetPiece[]): Html {
  const [tick, command, rest] = pieces;
  if (tick?.text !== "`" || command === undefined || rest === undefined) return line(pieces);
  return html`<code>${line([command])}</code>${line([{ text: rest.text.replace("`", "") }])}`;
}

function line(pieces: readonly SheetPiece[]): Html {
  return trusted(lineHtml(pieces));
}

/** Lines of the call that are shown at once; to approve a longer call, all of it must be shown. */
const LINES_MAX = 400;
const LETTERS_MAX = 40_000;

export function isLong({ exact }: Card): boolean {
  return exact.length > LINES_MAX || exact.join("").length > LETTERS_MAX;
}

/** The beginning of a card, and how much of the call is missing. */
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

/** Says how much more there is, in its place. */
export function restHtml({ words }: View, { lines, letters }: Cut, whole: string): Html {
  const more = [
    ...(letters > 0 ? [`${letters} ${words.moreLetters}`] : []),
    ...(lines > 0 ? [`${lines} ${words.moreLines}`] : []),
  ];
  return html`<li class="fold rest">… ${more.join(", ")}: <a href="${whole}">${words.showAll}</a></li>`;
}

/** The class of the effect, coloured by its danger. A plan has no effect of its own. */
export function classHtml({ words }: View, { class: effectClass, plan }: Pick<Approval, "class" | "plan">): Html {
  if (plan !== undefined) return html`<span class="class middle">${words.planWord}</span>`;
  return html`<span class="class ${gravity(effectClass)}">${effectClass}</span>`;
}

/** The colour of a class by its danger; the text next to it says what it is. */
function gravity(effectClass: EffectClass): "grave" | "middle" | "mild" {
  if (/delete|payments|secrets|permissions|deploy/.test(effectClass)) return "grave";
  return /read|none|metadata/.test(effectClass) ? "mild" : "middle";
}
