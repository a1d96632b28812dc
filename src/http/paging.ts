import { say } from "../core/messages/message.ts";
import { badInput } from "../service/refusal.ts";
import { maybe, oneOf, type Shape, shapeOf, text } from "../service/shape.ts";

// A cursor is a place in a list to which new rows are only added at the top: the end of the last page.

export const LISTED = 50;
const LIMIT_MAX = 500;

const limit: Shape<number> = shapeOf({ type: "integer", minimum: 1, maximum: LIMIT_MAX }, (value, path) => {
  if (/^\d{1,3}$/.test(String(value)) && Number(value) >= 1 && Number(value) <= LIMIT_MAX) return Number(value);
  throw badInput(path, say("refusal.not_a_limit"), say("hint.number_to", { max: LIMIT_MAX }));
});

/** The place in a list, and how many rows to return. */
export const PAGE_QUERY = { cursor: maybe(text), limit: maybe(limit) };

/** True or false, written in an address. */
export const yesOrNo: Shape<boolean> = shapeOf({ type: "string", enum: ["true", "false"] }, (value, path, source) => {
  return WORDS.read(value, path, source) === "true";
});
const WORDS = oneOf(["true", "false"]);

export function cursorText(ms: number, id: string): string {
  return Buffer.from(`${ms} ${id}`).toString("base64url");
}

export function cursorOf(cursor: string | undefined): { ms: number; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const [, ms, id] = /^(\d{1,15}) (\S+)$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (ms !== undefined && id !== undefined) return { ms: Number(ms), id };
  throw badInput("cursor", say("refusal.not_a_cursor"), say("hint.use_next"));
}
