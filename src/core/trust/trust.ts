import type { AgentName } from "../ids.ts";
import type { Entry, EntryKind } from "../ledger.ts";

// The track record is computed only from the entries of the ledger, so it can always be computed again. A store
// counts each entry when it is appended, and keeps the records next to the ledger. It counts what the subjects say,
// because they stay when a body is erased.

/** How an agent's calls ended. Proposals are counted separately: a call that was not allowed is not a failure. */
export type Track = {
  calls: number;
  proposals: number;
  approvals: number;
  denials: number;
  edits: number;
  unknowns: number;
  outcomes: { success: number; failure: number; denied: number; timeout: number };
  /** How long people took to answer. */
  answered: { count: number; totalMs: number; longestMs: number };
  lastIncident?: Incident;
};

type Incident = { index: number; atMs: number; was: "failure" | "unknown" | "denial" };

/** An agent's history per class of effect and tool. It can suggest a tier, but never change one. */
export type TrustRecord = Track & { agent: AgentName; class: string; tool: string };

/** The fields of an entry that are counted. */
export type CountedEntry = Pick<Entry, "kind" | "actor" | "subject" | "index" | "atMs" | "body">;

/** The records that `foldTrust` changes in place, and the open questions. */
export type TrustBook = {
  /** The record of this agent, class and tool, created if there is none. */
  record(of: Pick<TrustRecord, "agent" | "class" | "tool">): TrustRecord;
  /** Since when a question is open; undefined if it is not. */
  openedMs(approval: string): number | undefined;
  open(approval: string, atMs: number): void;
  close(approval: string): void;
  /** A refusal about a question that has not been opened yet: the opening entry may be the next one. */
  refused(approval: string): TrustRecord | undefined;
  refuse(approval: string, record: TrustRecord): void;
};

/** Records that are kept in memory. */
export type TrustFold = TrustBook & { readonly records: ReadonlyMap<string, TrustRecord> };

export function startTrust(): TrustFold {
  const records = new Map<string, TrustRecord>();
  const openedMs = new Map<string, number>();
  let last: { approval: string; record: TrustRecord } | undefined;
  return {
    records,
    record: (of) => {
      const key = trustKey(of);
      const record = records.get(key) ?? emptyRecord(of);
      records.set(key, record);
      return record;
    },
    openedMs: (approval) => openedMs.get(approval),
    open: (approval, atMs) => openedMs.set(approval, atMs),
    close: (approval) => openedMs.delete(approval),
    refused: (approval) => (last?.approval === approval ? last.record : undefined),
    refuse: (approval, record) => {
      last = { approval, record };
    },
  };
}

export function trustKey({ agent, class: of, tool }: Pick<TrustRecord, "agent" | "class" | "tool">): string {
  return JSON.stringify([agent, of, tool]);
}

export function emptyRecord({ agent, class: of, tool }: Pick<TrustRecord, "agent" | "class" | "tool">): TrustRecord {
  return { agent, class: of, tool, ...emptyTrack() };
}

export function foldTrust(book: TrustBook, entry: CountedEntry): void {
  const step = STEPS[entry.kind];
  const of = trackedBy(entry);
  if (step !== undefined && of !== undefined) step(book.record(of), entry, book);
}

/** The record that an entry counts in, if any. */
export function trackedBy({ kind, subject }: Pick<Entry, "kind" | "subject">) {
  const { agent, tool, class: of } = subject;
  if (STEPS[kind] === undefined || agent === undefined || tool === undefined || of === undefined) return undefined;
  return { agent, class: of, tool };
}

/** Only bodies of these kinds contain something that is counted. */
export function isCountedByBody(kind: EntryKind): boolean {
  return kind === "execution.reconciled" || kind === "execution.lapsed";
}

/** The kinds of entries that open and close a question, to find out whether one is open. */
export const OPENING_KINDS: readonly EntryKind[] = ["approval.opened", "approval.reopened"];
export const CLOSING_KINDS: readonly EntryKind[] = [
  "approval.approved",
  "approval.denied",
  "approval.expired",
  "approval.cancelled",
  "approval.superseded",
];

/** Records of several tools or classes as one. */
export function sumOfTracks(tracks: readonly Track[]): Track {
  return tracks.reduce(sum, emptyTrack());
}

/** One track per class, in the order in which the classes first came up. */
export function byClass(records: readonly TrustRecord[]): readonly (Track & { class: string })[] {
  const classes = [...new Set(records.map((record) => record.class))];
  return classes.map((name) => ({
    class: name,
    ...sumOfTracks(records.filter((record) => record.class === name)),
  }));
}

type Step = (record: TrustRecord, entry: CountedEntry, book: TrustBook) => void;

/** What each kind of entry adds. Other kinds say nothing about the agent's results. */
const STEPS: { readonly [K in EntryKind]?: Step } = {
  "call.decided": (record, entry, book) => {
    record.calls += 1;
    if (entry.subject.outcome === "not_executed") record.proposals += 1;
    if (entry.subject.outcome === "denied") refuse(record, entry, book);
  },
  "approval.opened": (_record, entry, book) => {
    const { approval } = entry.subject;
    if (approval === undefined) return;
    const refused = book.refused(approval);
    book.open(approval, entry.atMs);
    if (refused !== undefined) refused.outcomes.denied -= 1;
  },
  // The approval was withdrawn before it was used; the next one counts.
  "approval.reopened": (record, entry, book) => {
    record.approvals -= 1;
    if (entry.subject.approval !== undefined) book.open(entry.subject.approval, entry.atMs);
  },
  "approval.approved": (record, entry, book) => {
    record.approvals += 1;
    answer(record, entry, book);
  },
  "approval.denied": (record, entry, book) => {
    record.denials += 1;
    record.outcomes.denied += 1;
    record.lastIncident = incident(entry, "denial");
    answer(record, entry, book);
  },
  "approval.expired": (record, entry, book) => {
    record.outcomes.timeout += 1;
    close(entry, book);
  },
  "approval.cancelled": (_record, entry, book) => close(entry, book),
  "approval.superseded": (record, entry, book) => {
    // An edit by a person; if the actor is the gate, the agent itself sent other arguments.
    if (entry.actor.startsWith("person:")) record.edits += 1;
    close(entry, book);
  },
  "execution.succeeded": (record) => {
    record.outcomes.success += 1;
  },
  "execution.failed": fail,
  "execution.unknown": (record, entry) => {
    record.unknowns += 1;
    record.lastIncident = incident(entry, "unknown");
  },
  "execution.lapsed": (record, entry) => {
    record.unknowns += Number(entry.body?.json["calls"] ?? 1);
  },
  "execution.reconciled": (record, entry) => {
    if (entry.body?.json["outcome"] === "succeeded") record.outcomes.success += 1;
    else fail(record, entry);
  },
};

/** A call that needs a human is refused and asked at once: it counts as denied only when somebody denies it. */
function refuse(record: TrustRecord, { subject: { approval } }: CountedEntry, book: TrustBook): void {
  if (approval !== undefined && book.openedMs(approval) !== undefined) return;
  record.outcomes.denied += 1;
  if (approval !== undefined) book.refuse(approval, record);
}

function fail(record: TrustRecord, entry: CountedEntry): void {
  record.outcomes.failure += 1;
  record.lastIncident = incident(entry, "failure");
}

function answer(record: TrustRecord, entry: CountedEntry, book: TrustBook): void {
  const openedMs = book.openedMs(entry.subject.approval ?? "");
  if (openedMs === undefined) return;
  const tookMs = entry.atMs - openedMs;
  record.answered.count += 1;
  record.answered.totalMs += tookMs;
  record.answered.longestMs = Math.max(record.answered.longestMs, tookMs);
  close(entry, book);
}

function close(entry: CountedEntry, book: TrustBook): void {
  book.close(entry.subject.approval ?? "");
}

function incident(entry: CountedEntry, was: Incident["was"]): Incident {
  return { index: entry.index, atMs: entry.atMs, was };
}

function emptyTrack(): Track {
  return {
    calls: 0,
    proposals: 0,
    approvals: 0,
    denials: 0,
    edits: 0,
    unknowns: 0,
    outcomes: { success: 0, failure: 0, denied: 0, timeout: 0 },
    answered: { count: 0, totalMs: 0, longestMs: 0 },
  };
}

function sum(a: Track, b: Track): Track {
  const last = [a.lastIncident, b.lastIncident].filter((one) => one !== undefined).sort((x, y) => y.index - x.index)[0];
  return {
    calls: a.calls + b.calls,
    proposals: a.proposals + b.proposals,
    approvals: a.approvals + b.approvals,
    denials: a.denials + b.denials,
    edits: a.edits + b.edits,
    unknowns: a.unknowns + b.unknowns,
    outcomes: {
      success: a.outcomes.success + b.outcomes.success,
      failure: a.outcomes.failure + b.outcomes.failure,
      denied: a.outcomes.denied + b.outcomes.denied,
      timeout: a.outcomes.timeout + b.outcomes.timeout,
    },
    answered: {
      count: a.answered.count + b.answered.count,
      totalMs: a.answered.totalMs + b.answered.totalMs,
      longestMs: Math.max(a.answered.longestMs, b.answered.longestMs),
    },
    ...(last === undefined ? {} : { lastIncident: last }),
  };
}
