import type { SqlValue } from "./columns.ts";

/**
 * Text as a column keeps it. One engine cuts text at a NUL and another refuses it, so two names could become one. NUL
 * is escaped in a way that keeps the order.
 */
export function storedText(text: string): string {
  if (!text.isWellFormed()) throw new TypeError("text with half of a surrogate pair cannot be stored");
  return isOdd(text) ? text.replaceAll("\u0001", "\u0001\u0002").replaceAll("\0", "\u0001\u0001") : text;
}

/** The original text, for columns that contain text from outside. */
export function textFrom(column: SqlValue | undefined): string {
  const kept = String(column);
  return isOdd(kept)
    ? kept.replace(/\u0001([\u0001\u0002])/g, (_, kind) => (kind === "\u0001" ? "\0" : "\u0001"))
    : kept;
}

function isOdd(text: string): boolean {
  return text.includes("\0") || text.includes("\u0001");
}
