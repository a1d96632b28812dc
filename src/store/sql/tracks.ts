import type { EntryKind, Subject } from "../../core/ledger.ts";
import {
  CLOSING_KINDS,
  type CountedEntry,
  isCountedByBody,
  OPENING_KINDS,
  type TrustBook,
  trackedBy,
} from "../../core/trust/trust.ts";
import { indexAt } from "./places.ts";

// The track record of each agent, a row for each class and tool. Entries are counted when they are appended; changed
// rows are written once for all Changes of a transaction.

/** An entry that is appended now or was appended before. */
export type AppendedEntry = {
  place: number;
  atMs: number;
  kind: EntryKind;
  actor: string;
  subject: Subject;
  /** The body as text; undefined if it was erased. */
  text: string | null;
};

export function countedEntry({ place, atMs, kind, actor, subject, text }: AppendedEntry): CountedEntry {
  const body = text === null || !isCountedByBody(kind) ? {} : { body: { salt: "", json: JSON.parse(text) } };
  return { index: indexAt(place), atMs, kind, actor: actor as CountedEntry["actor"], subject, ...body };
}

/** An earlier entry about a question. */
export type AboutQuestion = { kind: EntryKind; atMs: number; subject: string };

/**
 * The state of a question is in the ledger. `before`: the entries about a question before the one that is counted now,
 * newest first.
 */
export function bookOver(
  before: (approval: string) => readonly AboutQuestion[],
  record: TrustBook["record"],
): TrustBook {
  return {
    record,
    openedMs: (approval) => {
      const last = before(approval).find(
        ({ kind, subject }) =>
          TURNING_KINDS.has(kind) && trackedBy({ kind, subject: JSON.parse(subject) }) !== undefined,
      );
      return last !== undefined && OPENING_KINDS.includes(last.kind) ? last.atMs : undefined;
    },
    refused: (approval) => {
      const [refusal] = before(approval).flatMap(({ kind, subject }) => {
        const told: Subject = kind === "call.decided" ? JSON.parse(subject) : {};
        return told.outcome === "denied" ? (trackedBy({ kind, subject: told }) ?? []) : [];
      });
      return refusal === undefined ? undefined : record(refusal);
    },
    open: NOTHING,
    close: NOTHING,
    refuse: NOTHING,
  };
}

const NOTHING = () => undefined;
const TURNING_KINDS: ReadonlySet<EntryKind> = new Set([...OPENING_KINDS, ...CLOSING_KINDS]);
