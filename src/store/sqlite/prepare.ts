import { type Change, idOf, type Need, put, type Write } from "../../core/change.ts";
import type { ChangeId, WorkspaceId } from "../../core/ids.ts";
import { bodyTextHashOf, type EntryDraft, type Link, type Subject } from "../../core/ledger.ts";
import { decides } from "../../core/record/decided-call.ts";
import { canonical } from "../../core/values/canonical.ts";
import type { Json } from "../../core/values/json.ts";
import { type ReadyCall, type ReadyPut, readyCall, readyPut } from "./tables.ts";

/** A draft with its texts and its body's hash made; only its place in the chain is missing. */
export type ReadyEntry = Pick<Link, "kind" | "actor" | "subject" | "bodyHash"> & {
  about: Subject;
  salt: string;
  text: string;
};

export type ReadyWrite =
  | ReadyPut
  | ReadyCall
  | { do: "lead"; call: string; to: string }
  | { do: "add"; counter: string; by: number; untilMs: number }
  | { do: "turn" }
  | { do: "mark"; mark: string }
  | { do: "erase"; index: number };

/** A Change with everything done to it that needs no lock: the lock is one for all processes, and is held shorter. */
export type Ready = {
  id: ChangeId;
  workspace: WorkspaceId;
  atMs: number;
  needs: readonly Need[];
  /** Had it been applied before, one of its needs would fail: whoever finds that they hold need not look for it. */
  once: boolean;
  writes: readonly ReadyWrite[];
  entries: readonly ReadyEntry[];
  /** Nothing of what it erases may stay behind in the file. */
  erases: boolean;
  /** About how much it adds to the write-ahead log. */
  bytes: number;
};

export function prepare(change: Change): Ready {
  const writes = change.writes.map((write) => readyWrite(write, change.entries));
  const entries = change.entries.map(readyEntry);
  return {
    id: change.id,
    workspace: change.workspace,
    atMs: change.atMs,
    needs: change.needs,
    once: change.needs.some((need) => change.writes.some((write) => isBroken(need, write))),
    writes,
    entries,
    erases: change.writes.some((write) => write.do === "erase"),
    bytes:
      writes.reduce((sum, write) => sum + ("bytes" in write ? write.bytes : 0), 0) +
      entries.reduce((sum, entry) => sum + entry.text.length, 0),
  };
}

function readyWrite(write: Write, entries: readonly EntryDraft[]): ReadyWrite {
  if (write.do === "notice") return readyPut(put("notices", write.notice));
  if (write.do !== "put") return write;
  if (write.table !== "calls") return readyPut(write);
  const entry = entries.findIndex((one) => decides(one, write.row.id));
  return readyCall(write.row, entry === -1 ? undefined : entry);
}

/** A row's version never comes again. Keys may, when a row gives its key up; a call keeps its own. */
function isBroken(need: Need, write: Write): boolean {
  if (write.do !== "put") return false;
  if (need.is === "version") return write.table === need.ref.table && idOf(write) === need.ref.id;
  return need.is === "unique" && need.table === "calls" && write.table === "calls" && write.row.key === need.key;
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
