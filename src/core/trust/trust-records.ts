import type { Entry, EntryKind } from "../ledger.ts";
import { parseTier, type Tier } from "../tier.ts";
import type { JsonObject } from "../values/json.ts";
import { appendRecord, type GraphRecord, type NewRecord } from "./opentrustgraph.ts";

// Which entries are trust records, and how they are exported. Arguments and digests are never exported, because a
// plain hash of few possible values can be guessed.

/** What was recorded when a call was decided or asked, for the records of its result: by call, and by execution. */
type Remembered = { human: Set<string>; replays: Map<string, string> };
/** Changed in place by `foldRecords`: the chain so far, and the reviews of each approval. */
type RecordFold = { records: GraphRecord[]; reviews: Map<string, JsonObject[]>; calls: Remembered };

export function startRecords(): RecordFold {
  return { records: [], reviews: new Map(), calls: { human: new Set(), replays: new Map() } };
}

export function foldRecords(fold: RecordFold, entry: Entry): void {
  remember(fold.calls, entry);
  if (entry.kind === "approval.reviewed") keepReview(fold, entry);
  const told = TELLERS[entry.kind]?.(entry);
  if (told === undefined || entry.subject.agent === undefined) return;
  fold.records.push(appendRecord(fold.records, recordOf(fold, entry, told)));
}

function remember({ human, replays }: Remembered, { subject: { call, execution }, body }: Entry): void {
  if (call === undefined || body === null || body === undefined) return;
  if (body.json["requiresHuman"] === true) human.add(call);
  const replayOf = body.json["replayOf"];
  if (typeof replayOf !== "string") return;
  replays.set(call, replayOf);
  // A call that is sent again with another id uses the permission of the first one.
  if (execution !== undefined) replays.set(execution, replayOf);
}

type Told = {
  outcome: GraphRecord["outcome"] | "proposed";
  enforcement: string;
  action?: string;
  approver?: string;
  more?: JsonObject;
};

const TIER_NAMES: Record<Tier, GraphRecord["autonomy_tier"]> = {
  auto: "act_auto",
  notify: "act_auto",
  ask: "act_with_approval",
  suggest: "suggest",
  shadow: "shadow",
  deny: "shadow",
};

/** Entries of other kinds, or without a result, make no record: an open or unknown result is not one yet. */
const TELLERS: { readonly [K in EntryKind]?: (entry: Entry) => Told | undefined } = {
  "call.decided": (entry) => {
    const label = labelOf(entry) ?? DECIDED_LABELS[entry.subject.outcome ?? ""]?.(entry.subject.tier);
    if (label === undefined) return undefined;
    return { outcome: PROPOSALS.includes(label) ? "proposed" : "denied", enforcement: label };
  },
  "approval.denied": (entry) => ({
    outcome: "denied",
    enforcement: "approval_denied",
    more: entry.subject.person === undefined ? {} : { reviewer: entry.subject.person },
  }),
  "approval.expired": () => ({ outcome: "timeout", enforcement: "approval_expired" }),
  "approval.cancelled": () => ({ outcome: "denied", enforcement: "approval_cancelled" }),
  "execution.succeeded": (entry) => ({ outcome: "success", enforcement: settledLabel(entry), ...approverOf(entry) }),
  "execution.failed": (entry) => ({ outcome: "failure", enforcement: settledLabel(entry), ...approverOf(entry) }),
  "execution.reconciled": (entry) => ({
    outcome: entry.body?.json["outcome"] === "succeeded" ? "success" : "failure",
    enforcement: settledLabel(entry),
    ...approverOf(entry),
  }),
  "trust.promoted": (entry) => control(entry, "trust.promote"),
  "trust.demoted": (entry) => control(entry, "trust.demote"),
};

const PROPOSALS: readonly string[] = ["shadow_noop", "suggest_approval_request"];

/** What the subject says, if the body was erased. */
const DECIDED_LABELS: { readonly [outcome: string]: (tier: string | undefined) => string } = {
  not_executed: (tier) => (tier === "shadow" ? "shadow_noop" : "suggest_approval_request"),
  denied: () => "policy_denied",
};

function control(entry: Entry, action: string): Told {
  const because = entry.body?.json["because"];
  return {
    outcome: "success",
    enforcement: "control",
    action,
    ...approverOf(entry),
    more: {
      control: true,
      to_tier: TIER_NAMES[tierOf(entry)],
      ...(typeof because === "string" ? { reason: because } : {}),
    },
  };
}

function recordOf(fold: RecordFold, entry: Entry, told: Told): NewRecord {
  const { agent = "", class: of = "unknown", trace } = entry.subject;
  return {
    record_id: recordId(entry),
    agent,
    action: told.action ?? of,
    approver: told.approver ?? reviewerOf(fold, entry, told) ?? null,
    outcome: told.outcome === "proposed" ? "denied" : told.outcome,
    trace_id: trace ?? `leeway-${entry.index}`,
    autonomy_tier: TIER_NAMES[tierOf(entry)],
    timestamp: new Date(entry.atMs).toISOString(),
    cost_usd: null,
    metadata: metadataOf(fold, entry, told),
  };
}

/** A settlement without an approver still has the reviews of its approval. */
function reviewerOf(fold: RecordFold, entry: Entry, told: Told): string | undefined {
  const [first] = fold.reviews.get(entry.subject.approval ?? "") ?? [];
  return told.enforcement === "approval_granted" ? (first?.["reviewer"] as string | undefined) : undefined;
}

function metadataOf(fold: RecordFold, entry: Entry, told: Told): JsonObject {
  const { tool, class: of, approval, execution, call } = entry.subject;
  const said = entry.body?.json ?? {};
  const { denyCode } = said;
  const human = fold.calls.human.has(call ?? "");
  const { replays } = fold.calls;
  const replayOf = replays.get(execution ?? "") ?? replays.get(call ?? "");
  const reviews = fold.reviews.get(approval ?? "");
  return {
    "autonomy.enforcement": told.enforcement,
    leeway_index: entry.index,
    leeway_tier: tierOf(entry),
    ...(told.outcome === "proposed" ? { leeway_outcome: "proposed" } : {}),
    autonomy_class: human ? "needs-human" : TIER_NAMES[tierOf(entry)],
    requires_human: human,
    ...(tool === undefined ? {} : { builtin: tool }),
    ...(of === undefined ? {} : { action_class: of }),
    ...(call === undefined ? {} : { call_id: call }),
    ...(approval === undefined ? {} : { approval_request_id: approval }),
    ...(execution === undefined ? {} : { execution_id: execution }),
    ...(replayOf === undefined ? {} : { replay_of_event_id: replayOf }),
    ...(typeof denyCode === "string" ? { deny_code: denyCode } : {}),
    ...(told.enforcement === "approval_granted" && reviews !== undefined
      ? { approval: { required: true, signatures: reviews } }
      : {}),
    ...told.more,
  };
}

/** The hash of the review's entry is used as its signature: with the ledger anybody can look it up. */
function keepReview(fold: RecordFold, entry: Entry): void {
  const { approval, person } = entry.subject;
  if (approval === undefined || person === undefined || entry.body?.json["verdict"] === "deny") return;
  const review = { reviewer: person, signed_at: new Date(entry.atMs).toISOString(), signature: entry.hash };
  fold.reviews.set(approval, [...(fold.reviews.get(approval) ?? []), review]);
}

function labelOf(entry: Entry): string | undefined {
  const label = entry.body?.json["enforcement"];
  return typeof label === "string" ? label : undefined;
}

function settledLabel(entry: Entry): string {
  if (labelOf(entry) !== undefined) return labelOf(entry) as string;
  if (entry.subject.approval !== undefined) return "approval_granted";
  return entry.subject.tier === "notify" ? "notified" : "auto";
}

/** Who allowed it: the person who acted, or those who approved it. Nobody is invented. */
function approverOf(entry: Entry): Pick<Told, "approver" | "more"> {
  const approvers = entry.body?.json["approvers"];
  const [first] = Array.isArray(approvers) ? approvers : [entry.subject.person];
  if (typeof first !== "string") return {};
  return { approver: first, ...(Array.isArray(approvers) && approvers.length > 1 ? { more: { approvers } } : {}) };
}

function tierOf(entry: Entry): Tier {
  return parseTier(entry.subject.tier ?? "") ?? "ask";
}

/** A UUIDv7 made of the entry's time and hash: the same entry has the same id in every export. */
function recordId(entry: Entry): string {
  const time = entry.atMs.toString(16).padStart(12, "0");
  const tail = entry.hash.slice("sha256:".length);
  const variant = (8 + (Number.parseInt(tail.charAt(3), 16) % 4)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${tail.slice(0, 3)}-${variant}${tail.slice(4, 7)}-${tail.slice(7, 19)}`;
}
