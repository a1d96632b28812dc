import { badInput } from "../service/refusal.ts";
import { type Check, maybe, text } from "../service/shape.ts";

// A cursor is a place in a list that only ever grows at its top: where the last page ended, whatever came in since.

const LIMIT = 50;
const LIMIT_MAX = 500;

const limit: Check = (value, path) => {
  if (/^\d{1,3}$/.test(String(value)) && Number(value) >= 1 && Number(value) <= LIMIT_MAX) return;
  throw badInput(path, "that is not how many to list", `give a number from 1 to ${LIMIT_MAX}`);
};

export const PAGE_QUERY = { cursor: maybe(text), limit: maybe(limit) };

export function limitOf(query: Readonly<Record<string, string>>): number {
  return Number(query["limit"] ?? LIMIT);
}

export function cursorText(ms: number, id: string): string {
  return Buffer.from(`${ms} ${id}`).toString("base64url");
}

export function cursorOf(cursor: string | undefined): { ms: number; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const [, ms, id] = /^(\d{1,15}) (\S+)$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (ms !== undefined && id !== undefined) return { ms: Number(ms), id };
  throw badInput("cursor", "that is not a cursor of this list", "use `next` of the page before");
}
