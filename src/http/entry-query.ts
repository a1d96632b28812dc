import { ENTRY_KINDS, type EntryKind, type Subject } from "../core/ledger.ts";
import type { EntryFilter } from "../ports.ts";
import { badInput } from "../service/refusal.ts";
import { type Check, maybe, oneOf, text, textOf } from "../service/shape.ts";

// Which entries of the ledger are wanted, as an address says it.

const SUBJECTS: readonly (keyof Subject)[] = [
  "agent",
  "tool",
  "class",
  "tier",
  "outcome",
  "call",
  "approval",
  "execution",
  "grant",
  "person",
  "token",
  "session",
  "run",
  "trace",
  "entry",
];

const number: Check = (value, path) => {
  if (!/^\d{1,15}$/.test(String(value))) throw badInput(path, "that is not a whole number", "write it in digits");
};
const kinds: Check = (value, path) => {
  for (const kind of textOf(value, path).split(",")) oneOf(ENTRY_KINDS)(kind, path);
};

export const ENTRY_QUERY: { readonly [name: string]: Check } = {
  kind: maybe(oneOf(ENTRY_KINDS)),
  kinds: maybe(kinds),
  actor: maybe(text),
  after: maybe(number),
  from: maybe(number),
  to: maybe(number),
  order: maybe(oneOf(["newest", "oldest"])),
  ...Object.fromEntries(SUBJECTS.map((name) => [name, maybe(text)])),
};

export function filterOf(query: Readonly<Record<string, string>>): EntryFilter {
  const { cursor, kind, actor, after, from, to } = query;
  const wanted = [...(kind === undefined ? [] : [kind]), ...(query["kinds"]?.split(",") ?? [])] as EntryKind[];
  const subject = Object.fromEntries(
    SUBJECTS.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
  );
  if (cursor !== undefined) number(cursor, "cursor");
  return {
    ...(cursor === undefined ? {} : { beforeIndex: Number(cursor) }),
    ...(after === undefined ? {} : { afterIndex: Number(after) }),
    ...(from === undefined ? {} : { fromMs: Number(from) }),
    ...(to === undefined ? {} : { toMs: Number(to) }),
    ...(wanted.length === 0 ? {} : { kinds: wanted }),
    ...(actor === undefined ? {} : { actor }),
    ...(Object.keys(subject).length === 0 ? {} : { subject }),
  };
}
