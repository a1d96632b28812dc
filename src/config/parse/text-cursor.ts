import { type Message, say } from "../../core/messages/message.ts";
import type { Faults } from "../../core/policy/shape.ts";
import type { Position } from "../../core/policy.ts";

/** A place in a text that is being read, for readers that report the line and column of everything. */
export type Cursor = {
  readonly text: string;
  readonly file: string;
  next: number;
};

export function positionOf({ text, file }: Cursor, at: number): Position {
  const before = text.slice(0, at);
  return { file, line: before.split("\n").length, column: at - (before.lastIndexOf("\n") + 1) + 1 };
}

/** The text that the expression finds exactly here, and goes on after it. The expression must be sticky. */
export function take(cursor: Cursor, sticky: RegExp): string | undefined {
  sticky.lastIndex = cursor.next;
  const [found] = sticky.exec(cursor.text) ?? [];
  if (found !== undefined) cursor.next += found.length;
  return found;
}

export function notRead(cursor: Cursor, faults: Faults, message: Message): undefined {
  faults.add(positionOf(cursor, cursor.next), message, say("text.check_signs"));
  return undefined;
}

const ESCAPED: Readonly<Record<string, string>> = {
  b: "\b",
  t: "\t",
  n: "\n",
  f: "\f",
  r: "\r",
  e: "\u001b",
  '"': '"',
  "'": "'",
  "\\": "\\",
};

/** The text that a quoted text with escapes stands for; undefined if an escape is unknown. */
export function unescaped(raw: string): string | undefined {
  let isKnown = true;
  const text = raw.replace(
    /\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]{2})|([\s\S]))/g,
    (_, u, U, x, one) => {
      const code = u ?? U ?? x;
      const made = code === undefined ? ESCAPED[one] : characterOf(Number.parseInt(code, 16));
      if (made === undefined) isKnown = false;
      return made ?? "";
    },
  );
  return isKnown ? text : undefined;
}

function characterOf(code: number): string | undefined {
  return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? undefined : String.fromCodePoint(code);
}
