import { GRAVE_CLASSES } from "../decide/promotion.ts";
import type { Effect, EffectClass, Target } from "../effect.ts";
import type { AgentName } from "../ids.ts";
import type { Entry, EntryKind } from "../ledger.ts";

/** One call that counts for a suggestion: a person reviewed it, or Leeway itself ran it. */
export type Trial = {
  agent: AgentName;
  class: EffectClass;
  tool: string;
  targets: readonly Target[];
  atMs: number;
  good: boolean;
};

type Seen = Omit<Trial, "good"> & { irreversible: boolean; counts: boolean };

/** Changed in place by `foldTrials`: decided calls by id, and those of them that count. */
type TrialFold = { seen: Map<string, Seen>; trials: Map<string, Trial> };

export function startTrials(): TrialFold {
  return { seen: new Map(), trials: new Map() };
}

/** A success that an agent reports proves nothing; a failure that it reports is believed. */
export function foldTrials(fold: TrialFold, entry: Entry): void {
  const call = entry.subject.call ?? "";
  if (entry.kind === "call.decided") {
    const seen = seenOf(entry);
    if (seen !== undefined) fold.seen.set(call, seen);
    return;
  }
  const seen = fold.seen.get(call);
  const proof = proofOf(entry);
  if (seen === undefined || proof === undefined) return;
  if (proof === "severe" || (proof === "failed" && seen.irreversible)) startOver(fold, seen);
  else if (seen.counts) fold.trials.set(call, trialOf(seen, proof === "good"));
}

/** The kinds of entries that may prove something about a call. */
export const PROVING_KINDS: readonly EntryKind[] = [
  "approval.approved",
  "approval.denied",
  "execution.succeeded",
  "execution.reconciled",
  "execution.failed",
  "execution.unknown",
];

export function isProof(entry: Entry): boolean {
  return proofOf(entry) !== undefined;
}

function proofOf(entry: Entry): "good" | "bad" | "failed" | "severe" | undefined {
  const said = entry.body?.json;
  switch (entry.kind) {
    case "approval.approved":
      return "good";
    case "approval.denied":
      return "bad";
    case "execution.succeeded":
      return said?.["settledBy"] === "runner" ? "good" : undefined;
    case "execution.reconciled":
      return said?.["outcome"] === "succeeded" ? "good" : "failed";
    case "execution.failed":
      return "failed";
    case "execution.unknown":
      return "severe";
    default:
      return undefined;
  }
}

/** Classes for which nothing is ever suggested. */
const NEVER: readonly string[] = [...GRAVE_CLASSES, "unknown", "none"];

/** Only a call that is fully understood, can be undone and has a single class can count for a grant. */
function seenOf(entry: Entry): Seen | undefined {
  const { agent, tool, class: of } = entry.subject;
  const effect = entry.body?.json["effect"] as unknown as Effect | undefined;
  if (agent === undefined || tool === undefined || of === undefined || effect === undefined) return undefined;
  const irreversible = effect.parts.some((part) => !part.reversible);
  const plain = effect.understood === "fully" && effect.parts.every((part) => part.class === of);
  return {
    agent,
    class: of as EffectClass,
    tool,
    targets: effect.parts.flatMap((part) => part.targets),
    atMs: entry.atMs,
    irreversible,
    counts: plain && !irreversible && !NEVER.includes(of) && entry.body?.json["requiresHuman"] !== true,
  };
}

function trialOf(seen: Seen, good: boolean): Trial {
  const { agent, class: of, tool, targets, atMs } = seen;
  return { agent, class: of, tool, targets, atMs, good };
}

/** One severe failure resets the count: earlier calls of the agent in this class no longer count. */
function startOver(fold: TrialFold, after: Seen): void {
  for (const [call, trial] of fold.trials) {
    if (trial.agent === after.agent && trial.class === after.class) fold.trials.delete(call);
  }
}
