import type { Digest } from "../../core/call.ts";
import { type Change, erasingLast, idOf, type Need, needOf, put, queuesWork, type Write } from "../../core/change.ts";
import type { Execution } from "../../core/execution.ts";
import type { CallId, ChangeId, WorkspaceId } from "../../core/ids.ts";
import { bodyTextHashOf, type EntryDraft, type Link, type Subject } from "../../core/ledger.ts";
import { lapseAlarmMs } from "../../core/rows/rows.ts";
import { decidedBy, keptCall, keptRight, staysWithCall } from "../../core/rows/stored-call.ts";
import type { Secret } from "../../core/secret.ts";
import { canonical } from "../../core/values/canonical.ts";
import type { Json } from "../../core/values/json.ts";
import { type ReadyPut, readyPut } from "./columns.ts";

/** A draft with its texts and the hash of its body; only its index is missing. */
export type ReadyEntry = Pick<Link, "kind" | "actor" | "subject" | "bodyHash"> & {
  about: Subject;
  salt: string;
  text: string;
};

/** A stored call. `entry`: which entry of the Change decides it. `execution`: the execution stored with it. */
export type ReadyStart = {
  do: "start";
  id: CallId;
  from: number;
  key: string;
  atMs: number;
  row: string;
  args: Secret;
  digest: Digest;
  entry: number;
  execution: string | null;
  wakeMs: number | null;
  bytes: number;
};

/** An execution in its next state. `execution`: its form for storing with its call, if possible. */
export type ReadyStep = {
  do: "step";
  right: Execution;
  from: number;
  execution: string | undefined;
  wakeMs: number | null;
  bytes: number;
};

export type ReadyWrite =
  | ReadyPut
  | ReadyStart
  | ReadyStep
  | { do: "lead"; call: string; to: string }
  | { do: "add"; counter: string; by: number; untilMs: number }
  | { do: "turn" }
  | { do: "mark"; mark: string }
  | { do: "erase"; index: number };

/**
 * A Change with all work done that needs no lock, so that the lock, which all processes share, is held for a shorter
 * time.
 */
export type Ready = {
  id: ChangeId;
  workspace: WorkspaceId;
  atMs: number;
  needs: readonly Need[];
  /** The write that checks by itself that its starting row is unchanged; it is applied first. */
  proving: { write: ReadyStart | ReadyStep; need: Need } | undefined;
  /** The call that this Change creates: an entry about it proves that the Change was applied. */
  starts: CallId | undefined;
  /** If it had been applied before, one of its needs would fail; so if they hold, no lookup is needed. */
  once: boolean;
  writes: readonly ReadyWrite[];
  entries: readonly ReadyEntry[];
  /** Erased data must not stay in the file. */
  erases: boolean;
  /** An agent without waiting rows may have one now. */
  wakesAgents: boolean;
  /** The gate has something to send or to run after it. */
  queues: boolean;
  /** About how much it adds to the write-ahead log. */
  bytes: number;
};

type Versioned = Extract<Write, { do: "start" | "step" }>;

export function prepare(change: Change): Ready {
  const versioned = change.writes.filter((write): write is Versioned => write.do === "start" || write.do === "step");
  const [only] = versioned.length === 1 ? versioned : [];
  const writes: ReadyWrite[] = [];
  let proving: Ready["proving"];
  for (const write of erasingLast(change.writes)) {
    const ready = readyWrite(write, change.entries);
    if (write === only) proving = { write: ready as ReadyStart | ReadyStep, need: needOf(only) };
    else writes.push(ready);
  }
  const entries = change.entries.map(readyEntry);
  return {
    id: change.id,
    workspace: change.workspace,
    atMs: change.atMs,
    needs: only === undefined && versioned.length > 0 ? [...change.needs, ...versioned.map(needOf)] : change.needs,
    proving,
    starts: startedBy(versioned),
    once: versioned.length > 0 || change.needs.some((need) => change.writes.some((write) => isBroken(need, write))),
    writes,
    entries,
    erases: change.writes.some((write) => write.do === "erase"),
    wakesAgents: change.writes.some(isWaking),
    queues: queuesWork(change),
    bytes: bytesOf(proving?.write) + sum(writes, bytesOf) + sum(entries, ({ text }) => text.length),
  };
}

function startedBy(writes: readonly Versioned[]): CallId | undefined {
  for (const write of writes) if (write.do === "start" && write.from === 0) return write.call.id;
  return undefined;
}

function sum<T>(list: readonly T[], of: (one: T) => number): number {
  let total = 0;
  for (const one of list) total += of(one);
  return total;
}

function bytesOf(write: ReadyWrite | undefined): number {
  return write !== undefined && "bytes" in write ? write.bytes : 0;
}

/** A question, or an execution that is not stored with its call. */
function isWaking(write: Write): boolean {
  if (write.do === "put") return write.table === "approvals";
  if (write.do === "start") return write.right !== undefined && !staysWithCall(write.right);
  return write.do === "step" && !staysWithCall(write.right);
}

function readyWrite(write: Write, entries: readonly EntryDraft[]): ReadyWrite {
  switch (write.do) {
    case "notice":
      return readyPut(put("notices", write.notice));
    case "put":
      return readyPut(write);
    case "start":
      return readyStart(write, entries);
    case "step":
      return readyStep(write);
    default:
      return write;
  }
}

function readyStart(
  { call, from, right }: Extract<Write, { do: "start" }>,
  entries: readonly EntryDraft[],
): ReadyStart {
  const row = JSON.stringify(keptCall(call));
  const execution = right === undefined ? null : JSON.stringify(keptRight(right, call));
  return {
    do: "start",
    id: call.id,
    from,
    key: call.key,
    atMs: call.atMs,
    row,
    args: call.args,
    digest: call.digest,
    entry: decidedBy(call.id, entries),
    execution,
    wakeMs: right?.state === "claimed" ? lapseAlarmMs(right) : null,
    bytes: row.length + (execution?.length ?? 0),
  };
}

function readyStep({ right, from }: Extract<Write, { do: "step" }>): ReadyStep {
  const execution = from > 0 && staysWithCall(right) ? JSON.stringify(keptRight(right)) : undefined;
  const wakeMs = right.state === "claimed" ? lapseAlarmMs(right) : null;
  const bytes = execution?.length ?? RIGHT_BYTES;
  return { do: "step", right, from, execution, wakeMs, bytes };
}

/** The approximate size of an execution stored separately. */
const RIGHT_BYTES = 800;

/** A version number of a row is never used twice. */
function isBroken(need: Need, write: Write): boolean {
  return write.do === "put" && need.is === "version" && write.table === need.ref.table && idOf(write) === need.ref.id;
}

function readyEntry(draft: EntryDraft): ReadyEntry {
  return {
    kind: draft.kind,
    actor: draft.actor,
    subject: canonical(draft.subject as { [key: string]: Json }),
    about: draft.subject,
    bodyHash: bodyTextHashOf(draft.salt, draft.text),
    salt: draft.salt,
    text: draft.text,
  };
}
