import { type Change, type Need, put } from "../../core/change.ts";
import type { ChangeId, WorkspaceId } from "../../core/ids.ts";
import { bodyTextHashOf, type EntryDraft, type Link, type Subject } from "../../core/ledger.ts";
import { canonical } from "../../core/values/canonical.ts";
import type { Json } from "../../core/values/json.ts";
import { type ReadyPut, readyPut } from "./tables.ts";

/** A draft with its texts and its body's hash made; only its place in the chain is missing. */
export type ReadyEntry = Pick<Link, "kind" | "actor" | "subject" | "bodyHash"> & {
  about: Subject;
  salt: string;
  text: string;
};

export type ReadyWrite =
  | ReadyPut
  | { do: "add"; counter: string; by: number; untilMs: number }
  | { do: "turn" }
  | { do: "erase"; index: number };

/** A Change with everything done to it that needs no lock: the lock is one for all processes, and is held shorter. */
export type Ready = {
  id: ChangeId;
  workspace: WorkspaceId;
  atMs: number;
  needs: readonly Need[];
  writes: readonly ReadyWrite[];
  entries: readonly ReadyEntry[];
  /** About how much it adds to the write-ahead log. */
  bytes: number;
};

export function prepare(change: Change): Ready {
  const writes = change.writes.map((write): ReadyWrite => {
    if (write.do === "put") return readyPut(write);
    return write.do === "notice" ? readyPut(put("notices", write.notice)) : write;
  });
  const entries = change.entries.map(readyEntry);
  return {
    id: change.id,
    workspace: change.workspace,
    atMs: change.atMs,
    needs: change.needs,
    writes,
    entries,
    bytes:
      writes.reduce((sum, write) => sum + (write.do === "put" ? write.bytes : 0), 0) +
      entries.reduce((sum, entry) => sum + entry.text.length, 0),
  };
}

function readyEntry(draft: EntryDraft): ReadyEntry {
  const text = canonical(draft.body);
  return {
    kind: draft.kind,
    actor: draft.actor,
    subject: canonical(draft.subject as { [key: string]: Json }),
    about: draft.subject,
    bodyHash: bodyTextHashOf(draft.salt, text),
    salt: draft.salt,
    text,
  };
}
