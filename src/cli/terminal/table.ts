import { stripVTControlCharacters } from "node:util";
import { visible, visibleOnScreen } from "../../core/values/text.ts";
import type { Colours, Out } from "./io.ts";

/** Columns are as wide as their widest cell; if the table is too wide, one flexible column is cut. */
export function table(
  out: Pick<Out, "width" | "colours">,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  giveWay = headings.length - 1,
): string {
  const widths = headings.map((heading, at) =>
    Math.max(heading.length, ...rows.map((row) => shown(guarded(row[at] ?? "")))),
  );
  const gaps = 2 * (headings.length - 1);
  const over = widths.reduce((sum, width) => sum + width, 0) + gaps - out.width;
  const giving = widths[giveWay];
  if (over > 0 && giving !== undefined) widths[giveWay] = Math.max(12, giving - over);
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => fitted(guarded(cell), widths[at] ?? 0))
      .join("  ")
      .trimEnd();
  const title = line(headings.map((heading) => out.colours.dim(heading)));
  return [title, ...rows.map(line)].join("\n");
}

/** Only our own colours are kept; other control characters come from names that somebody chose, and are escaped. */
function guarded(cell: string): string {
  return eachText(cell, visible);
}

/** As `guarded`, for a whole answer. Where we use no colours, every colour is somebody else's. */
export function drawn(text: string, { isColorSupported }: Pick<Colours, "isColorSupported">): string {
  return isColorSupported ? eachText(text, visibleOnScreen) : visibleOnScreen(text);
}

function eachText(text: string, shown: (text: string) => string): string {
  return text
    .split(COLOUR)
    .map((piece, at) => (at % 2 === 1 ? piece : shown(piece)))
    .join("");
}

/** What our colours consist of; to hide text or to let it blink is not among them. */
const COLOUR = /(\x1b\[(?:[012347]|2[2-7]|3[0-79]|4[0-79]|9[0-7])m)/;

/** Names on the left, values on the right, aligned, and wrapped between words at the width of the screen. */
export function facts(
  out: Pick<Out, "width" | "colours">,
  rows: readonly (readonly [name: string, value: string])[],
): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  const room = out.width - width - 2;
  return rows
    .map(([name, value]) => {
      const [head = "", ...rest] = value.split("\n").flatMap((line) => wrap(line, room).split("\n"));
      const tail = rest.map((line) => `\n${" ".repeat(width + 2)}${line}`).join("");
      return `${out.colours.dim(name.padEnd(width))}  ${head}${tail}`;
    })
    .join("\n");
}

function shown(cell: string): number {
  return columnsOf(stripVTControlCharacters(cell));
}

const WIDE =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\u3000-\u303F\uFF01-\uFF60]/u;

/** How many columns a terminal gives to this text. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const letter of text) columns += WIDE.test(letter) ? 2 : 1;
  return columns;
}

/** The start of a text that fits, and what is left. */
export function splitAt(text: string, columns: number): readonly [head: string, rest: string] {
  let used = 0;
  let at = 0;
  for (const letter of text) {
    used += columnsOf(letter);
    if (used > columns && at > 0) return [text.slice(0, at), text.slice(at)];
    at += letter.length;
  }
  return [text, ""];
}

/** Cuts a text to a width, with a visible mark. */
export function cut(text: string, columns: number): string {
  return columnsOf(text) <= columns ? text : `${splitAt(text, Math.max(1, columns - 1))[0]}…`;
}

function fitted(cell: string, width: number): string {
  const plain = stripVTControlCharacters(cell);
  const columns = columnsOf(plain);
  return columns <= width ? cell + " ".repeat(width - columns) : cut(plain, width);
}

/** Breaks at spaces, so that nothing is lost on a narrow terminal. */
export function wrap(text: string, width: number, indent = ""): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && shown(line) + 1 + shown(word) > width - indent.length) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].map((part) => indent + part).join("\n");
}

/** Wraps a line; the following lines are indented two columns more. */
export function wrapBelow(line: string, width: number, broken = ""): string {
  const indent = /^ */.exec(line)?.[0] ?? "";
  const room = width - indent.length - 2 - broken.length;
  const parts = shown(line) <= width ? [line.trimStart()] : wrap(line.trimStart(), room).split("\n");
  return parts.map((part, at) => `${indent}${at === 0 ? "" : "  "}${part}`).join(`${broken}\n`);
}

/** Wraps a command so that it can still be copied: only outside of quotes, with a backslash. */
export function wrapCommand(line: string, width: number): string {
  // Spaces inside quotes are replaced while wrapping, so that the line does not break there.
  const whole = line.replaceAll(/'[^']*'/g, (quoted) => quoted.replaceAll(" ", "\0"));
  return wrapBelow(whole, width, " \\").replaceAll("\0", " ");
}

/** Each tier has one colour everywhere. */
export function tierColour(out: Pick<Out, "colours">, tier: string): string {
  const { red, magenta, cyan, yellow, blue, green } = out.colours;
  const paint = { deny: red, shadow: magenta, suggest: cyan, ask: yellow, notify: blue, auto: green }[tier];
  return paint === undefined ? tier : paint(tier);
}
