import type { AgentName } from "../ids.ts";
import type { Entry, EntryKind } from "../ledger.ts";

// The track record: folded from the ledger and from nothing else, so that it can always be made again. It counts what
// the entries' subjects say, which outlive an erased body.

/** How an agent did. Proposals are kept apart: not to have been let is no failure. */
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

/** An agent's history per class of effect and tool; it may suggest, never give. */
export type TrustRecord = Track & { agent: AgentName; class: string; tool: string };

/** Changed in place by `foldTrust`: one record per agent, class and tool, and the questions that are still open. */
export type TrustFold = {
  records: Map<string, TrustRecord>;
  openedMs: Map<string, number>;
  /** The last refusal that named a question: the entry that opens the question may be the next one. */
  refused?: { approval: string; record: TrustRecord };
};

export function startTrust(): TrustFold {
  return { records: new Map(), openedMs: new Map() };
}

export function foldTrust(fold: TrustFold, entry: Entry): void {
  const step = STEPS[entry.kind];
  const { agent, tool, class: of } = entry.subject;
  if (step === undefined || agent === undefined || tool === undefined || of === undefined) return;
  step(recordOf(fold, { agent, class: of, tool }), entry, fold);
}

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

type Step = (record: TrustRecord, entry: Entry, fold: TrustFold) => void;

/** What each kind of entry adds. A kind that is not here says nothing about how the agent did. */
const STEPS: { readonly [K in EntryKind]?: Step } = {
  "call.decided": (record, entry, fold) => {
    record.calls += 1;
    if (entry.subject.outcome === "not_executed") record.proposals += 1;
    if (entry.subject.outcome === "denied") refuse(record, entry, fold);
  },
  "approval.opened": (_record, entry, fold) => {
    const { approval } = entry.subject;
    if (approval === undefined) return;
    fold.openedMs.set(approval, entry.atMs);
    if (fold.refused?.approval === approval) fold.refused.record.outcomes.denied -= 1;
  },
  // The yes was taken back before anybody used it; the one that follows counts.
  "approval.reopened": (record, entry, fold) => {
    record.approvals -= 1;
    if (entry.subject.approval !== undefined) fold.openedMs.set(entry.subject.approval, entry.atMs);
  },
  "approval.approved": (record, entry, fold) => {
    record.approvals += 1;
    answer(record, entry, fold);
  },
  "approval.denied": (record, entry, fold) => {
    record.denials += 1;
    record.outcomes.denied += 1;
    record.lastIncident = incident(entry, "denial");
    answer(record, entry, fold);
  },
  "approval.expired": (record, entry, fold) => {
    record.outcomes.timeout += 1;
    close(entry, fold);
  },
  "approval.cancelled": (_record, entry, fold) => close(entry, fold),
  "approval.superseded": (record, entry, fold) => {
    // A person's edit; where the gate did it, the agent itself came back with other arguments.
    if (entry.actor.startsWith("person:")) record.edits += 1;
    close(entry, fold);
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

/** What needs a human is refused and asked about at once: it is denied when somebody says no, not before. */
function refuse(record: TrustRecord, { subject: { approval } }: Entry, fold: TrustFold): void {
  if (approval !== undefined && fold.openedMs.has(approval)) return;
  record.outcomes.denied += 1;
  if (approval !== undefined) fold.refused = { approval, record };
}

function fail(record: TrustRecord, entry: Entry): void {
  record.outcomes.failure += 1;
  record.lastIncident = incident(entry, "failure");
}

function answer(record: TrustRecord, entry: Entry, fold: TrustFold): void {
  const openedMs = fold.openedMs.get(entry.subject.approval ?? "");
  if (openedMs === undefined) return;
  const tookMs = entry.atMs - openedMs;
  record.answered.count += 1;
  record.answered.totalMs += tookMs;
  record.answered.longestMs = Math.max(record.answered.longestMs, tookMs);
  close(entry, fold);
}

function close(entry: Entry, fold: TrustFold): void {
  fold.openedMs.delete(entry.subject.approval ?? "");
}

function incident(entry: Entry, was: Incident["was"]): Incident {
  return { index: entry.index, atMs: entry.atMs, was };
}

function recordOf(fold: TrustFold, of: Pick<TrustRecord, "agent" | "class" | "tool">): TrustRecord {
  const key = JSON.stringify([of.agent, of.class, of.tool]);
  const known = fold.records.get(key);
  if (known !== undefined) return known;
  const record = { ...of, ...emptyTrack() };
  fold.records.set(key, record);
  return record;
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
