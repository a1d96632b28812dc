import { ENTRY_KINDS, type EntryKind, type Subject } from "../../core/ledger.ts";
import { say } from "../../core/messages/message.ts";
import type { EntryFilter } from "../../ports.ts";
import { badInput } from "../../service/refusal.ts";
import { maybe, object, oneOf, type Shape, shapeOf, type TypeOf, text, textOf } from "../../service/shape.ts";
import { SUBJECT } from "../../service/shapes/record.ts";
import { PAGE_QUERY } from "../paging.ts";

// The query of an address that selects entries of the ledger.

const number: Shape<number> = shapeOf({ type: "integer", minimum: 0 }, (value, path) => {
  if (/^\d{1,15}$/.test(String(value))) return Number(value);
  throw badInput(path, say("refusal.not_whole_number"), say("hint.in_digits"));
});

const kind = oneOf(ENTRY_KINDS);
/** Several kinds, separated by commas. */
const kinds: Shape<readonly EntryKind[]> = shapeOf({ type: "string" }, (value, path, source) =>
  textOf(value, path)
    .split(",")
    .map((one) => kind.read(one, path, source)),
);

export const ENTRY_QUERY = object({
  ...PAGE_QUERY,
  /** The index of the last entry of the previous page. */
  cursor: maybe(number),
  kind: maybe(kind),
  kinds: maybe(kinds),
  actor: maybe(text),
  after: maybe(number),
  from: maybe(number),
  to: maybe(number),
  order: maybe(oneOf(["newest", "oldest"])),
  ...SUBJECT.keys,
});
export type EntryQuery = TypeOf<typeof ENTRY_QUERY>;

export function filterOf(query: EntryQuery): EntryFilter {
  const { cursor, limit: _, kind: one, kinds: some = [], actor, after, from, to, order: __, ...rest } = query;
  const subject: Subject = rest;
  const wanted = one === undefined ? some : [one, ...some];
  return {
    ...(cursor === undefined ? {} : { beforeIndex: cursor }),
    ...(after === undefined ? {} : { afterIndex: after }),
    ...(from === undefined ? {} : { fromMs: from }),
    ...(to === undefined ? {} : { toMs: to }),
    ...(wanted.length === 0 ? {} : { kinds: wanted }),
    ...(actor === undefined ? {} : { actor }),
    ...(Object.keys(subject).length === 0 ? {} : { subject }),
  };
}
