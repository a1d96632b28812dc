import { refused } from "../../core/codes.ts";
import { say } from "../../core/messages/message.ts";
import { StoreUnavailable } from "../../ports.ts";

/**
 * Reads what a column has. Only the gate writes there, so what cannot be read was damaged, or changed by somebody. `row`: which
 * one it is, for the person who looks at it.
 */
export function readingRow<T>(row: () => string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isMalformed(error)) throw error;
    const told = say("refusal.row_unreadable", { row: row(), why: error.message });
    throw new StoreUnavailable(refused("LEEWAY_TAMPERED", told, say("hint.verify_and_restore")), { cause: error });
  }
}

/** Neither JSON nor what a row looks like. */
function isMalformed(error: unknown): error is Error {
  return error instanceof SyntaxError || error instanceof TypeError;
}

/** One unreadable row must not stop the others from being processed. It stays where it is. */
export function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isMalformed(error) || (error instanceof StoreUnavailable && isMalformed(error.cause))) return undefined;
    throw error;
  }
}

/** The id of a row, from its column or from its damaged text. */
export function rowName(kind: string, id: unknown, text?: unknown): string {
  const named = typeof id === "string" ? id : /"(?:id|name)":"([^"]{1,100})"/.exec(String(text))?.[1];
  return named === undefined ? `${kind} (without a readable id)` : `${kind} ${named}`;
}

/** A row in force, as it stands in its table. */
export function standingRow(table: string, text: string): object {
  return readingRow(
    () => rowName(table, undefined, text),
    () => objectIn(text),
  );
}

/** The object in a text that only the gate writes. */
export function objectIn(text: unknown): Record<string, unknown> {
  const row: unknown = JSON.parse(String(text));
  if (typeof row !== "object" || row === null || Array.isArray(row)) throw new TypeError("it is not an object");
  return row as Record<string, unknown>;
}
