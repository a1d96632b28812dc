import type { ToolCall } from "../call.ts";
import { maskText } from "../masking/redact.ts";
import type { Line } from "../shell/path-uses.ts";
import { type Span, TEXT_MAX } from "../shell/script.ts";
import { understand } from "../shell/understand.ts";
import { visible } from "../values/text.ts";
import { type Doing, isGrave } from "./doings.ts";
import type { ExactLine } from "./exact.ts";

/** A part of a line that the card highlights. */
export type Mark = { line: number; from: number; to: number };

/** The exact lines as shown, and the marks in them for what makes the call dangerous or doubtful. */
export function shownExactly(
  call: ToolCall,
  lines: readonly ExactLine[],
  doings: readonly Doing[],
): { lines: readonly string[]; marks: readonly Mark[] } {
  const marks: Mark[] = [];
  const spans = new Map<string, readonly Span[]>();
  const shown = lines.map(({ text, of }, line) => {
    if (of === undefined) return lettered(text);
    if (!spans.has(of.key)) spans.set(of.key, riskyIn(call.args[of.key], lines, of.key, doings));
    let done = "";
    let at = 0;
    for (const span of spans.get(of.key) ?? []) {
      const from = Math.max(span.from - of.at + of.lead, of.lead);
      const to = Math.min(span.to - of.at + of.lead, text.length);
      if (to <= from) continue;
      done += lettered(text.slice(at, from));
      const piece = lettered(text.slice(from, to));
      marks.push({ line, from: done.length, to: done.length + piece.length });
      done += piece;
      at = to;
    }
    return done + lettered(text.slice(at));
  });
  return { lines: shown, marks };
}

const TAB = "⇥";

/** Tabs are shown with their own sign, because code uses them; other invisible characters are written out. */
function lettered(text: string): string {
  return visible(text.replaceAll(TAB, "<U+21E5>").replaceAll("\t", `${TAB}   `));
}

/** The positions of dangerous parts of an argument in the text that is shown. */
function riskyIn(raw: unknown, lines: readonly ExactLine[], key: string, doings: readonly Doing[]): readonly Span[] {
  if (typeof raw !== "string") return [];
  const found = riskySpans(raw, doings);
  const text = lines.flatMap((line) => (line.of?.key === key ? [line.text.slice(line.of.lead)] : [])).join("\n");
  if (text === raw) return found;
  // Masking changed the positions, so the part is searched for in the masked text.
  let after = 0;
  return found.flatMap(({ from, to }) => {
    const piece = maskText(raw.slice(from, to));
    const at = text.indexOf(piece, after);
    if (at === -1) return [];
    after = at + piece.length;
    return [{ from: at, to: after }];
  });
}

/** The commands in a text that do more than read, or that are not understood; none if that is the whole text. */
function riskySpans(text: string, doings: readonly Doing[]): readonly Span[] {
  if (text.length > TEXT_MAX || doings.every(({ commands }) => commands.length === 0)) return [];
  const { lines } = understand({ line: text });
  const known = new Map(doings.flatMap((doing) => doing.commands.map(({ words }) => [keyOf(words), isGrave(doing)])));
  if (!lines.some((line) => known.has(keyOf(wordsOf(line))))) return [];
  const risky = lines.filter(
    (line) =>
      line.doubts.size > 0 ||
      known.get(keyOf(wordsOf(line))) === true ||
      (line.simple.words.length === 0 && line.simple.redirects.some(({ writes }) => writes)),
  );
  const spans = merged(risky.flatMap(({ simple }) => (simple.span === undefined ? [] : [simple.span])));
  const [only] = spans;
  const isAll = only !== undefined && text.slice(only.from, only.to).trim() === text.trim();
  return isAll ? [] : spans;
}

function wordsOf({ simple }: Line): readonly string[] {
  return simple.words.map((word) => word.text);
}

function keyOf(words: readonly string[]): string {
  return words.join("\0");
}

function merged(spans: readonly Span[]): readonly Span[] {
  const held: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = held.at(-1);
    if (last !== undefined && span.from <= last.to) held[held.length - 1] = { ...last, to: Math.max(last.to, span.to) };
    else held.push(span);
  }
  return held;
}
