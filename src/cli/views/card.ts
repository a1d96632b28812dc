import type { Card } from "../../core/show/card.ts";
import { renderText } from "../../core/show/render-text.ts";
import type { Out } from "../terminal/io.ts";
import { splitAt } from "../terminal/table.ts";

/** The whole card. Letters that take two columns are counted as two, so that no line is wider than the screen. */
export function cardLines(card: Card, columns: number): readonly string[] {
  return renderText(card, columns).flatMap((line) => folded(line, columns));
}

function folded(line: string, columns: number): string[] {
  const [head, rest] = splitAt(line, columns);
  return rest === "" ? [head] : [head, ...folded(rest, columns)];
}

export function cardText(out: Out, card: Card): string {
  return cardLines(card, out.width).join("\n");
}
