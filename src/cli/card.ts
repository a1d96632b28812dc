import type { Card } from "../core/show/card.ts";
import { renderText } from "../core/show/render-text.ts";
import type { Out } from "./io.ts";
import { splitAt } from "./table.ts";

/** The whole card. Letters that are two columns wide take two, so that no line runs over and pushes another away. */
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
