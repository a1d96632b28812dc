import { stateAt } from "../approval.ts";
import type { Digest } from "../call.ts";
import { type Refused, refused } from "../codes.ts";
import type { EffectClass } from "../effect.ts";
import { type Execution, isLapsed, isReady, startsLater } from "../execution.ts";
import { type Message, say } from "../messages/message.ts";
import type { Seen, Versioned } from "../rows/rows.ts";

/** What an earlier submission of the same call means for this one. */
export type Recalled =
  /** The question is still open: the same approval, without a new notice. */
  | { is: "pending"; approval: Versioned<"approvals"> }
  /** The call ran; its result is returned. */
  | { is: "settled"; execution: Versioned<"executions"> }
  /** The call is running, here or elsewhere. */
  | { is: "running"; execution: Versioned<"executions"> }
  /** The call may run, and the program that it was made ready for has not started it yet. */
  | { is: "ready"; execution: Versioned<"executions"> }
  /** The call was approved with other arguments than those that were sent: a claim returns the approved arguments. */
  | { is: "edited"; execution: Versioned<"executions"> }
  | { is: "refused"; why: Refused }
  | Undecided;

/** The call must be decided: for the first time, or again, possibly with something that the decision can use. */
export type Undecided = {
  is: "undecided";
  round: number;
  /** An approved permission that this call may use. */
  permit?: Versioned<"executions">;
  /** Leeway ran the call for an earlier submission, and the result was not returned yet. */
  ran?: Versioned<"executions">;
  /** The open question about the same call under another id. */
  live?: Versioned<"approvals">;
  /** A recent denial of exactly this call. */
  denied?: Versioned<"approvals">;
  supersedes?: { approval?: Versioned<"approvals">; execution?: Versioned<"executions">; why: Message | string };
};

export function recall(seen: Seen, digest: Digest, nowMs: number): Recalled {
  if (seen.call !== undefined && seen.call.row.digest !== digest) return changedArguments(seen, nowMs);
  const isKnown = seen.execution !== undefined || seen.approval !== undefined;
  return (isKnown ? ownHistory(seen, nowMs) : undefined) ?? sameDigest(seen, nowMs);
}

/** One call id stands for one call. A call that is not running yet can be replaced; a call that ran cannot. */
function changedArguments(seen: Seen, nowMs: number): Recalled {
  const { approval, execution } = seen;
  const state = execution?.row.state;
  if (state === "claimed" || state === "handed") {
    return {
      is: "refused",
      why: refused("LEEWAY_CALL_RUNNING", say("refusal.call_running"), say("hint.wait_or_new_id")),
    };
  }
  const pending = approval !== undefined && stateAt(approval.row, nowMs) === "pending";
  if (!pending && state !== "ready") {
    return {
      is: "refused",
      why: refused("LEEWAY_CALL_ID_REUSED", say("refusal.call_id_reused"), say("hint.new_id")),
    };
  }
  const next = sameDigest({ ...seen, permits: seen.permits.filter((one) => one.row.id !== execution?.row.id) }, nowMs);
  return {
    ...next,
    supersedes: {
      ...(pending && approval !== undefined ? { approval } : {}),
      ...(state === "ready" && execution !== undefined ? { execution } : {}),
      why: say("reason.other_arguments"),
    },
  };
}

/** The call was sent before with the same id: the caller asks again, or was restarted. */
function ownHistory(seen: Seen, nowMs: number): Recalled | undefined {
  const { execution, approval } = seen;
  const started = execution === undefined ? undefined : ownExecution(seen, execution, nowMs);
  if (started !== undefined) return started;
  if (approval !== undefined && stateAt(approval.row, nowMs) === "pending") return { is: "pending", approval };
  return undefined;
}

function ownExecution(seen: Seen, execution: Versioned<"executions">, nowMs: number): Recalled | undefined {
  const { row } = execution;
  switch (row.state) {
    case "succeeded":
    case "failed":
      return { is: "settled", execution };
    case "unknown":
      return { is: "refused", why: outcomeUnknown() };
    case "claimed":
      return isLapsed(row, nowMs) ? { is: "refused", why: outcomeUnknown() } : { is: "running", execution };
    case "handed":
      // The host asks again and never reported the result. A call that only reads, or can be repeated, is decided
      // again.
      return isRepeatable(row) ? undefined : { is: "refused", why: outcomeUnknown() };
    case "ready":
      if (!isReady(row, nowMs)) return undefined;
      if (row.runBy === "leeway") return { is: "running", execution };
      if (startsLater(row)) return { is: "ready", execution };
      if (row.editedFrom !== undefined && row.digest !== seen.call?.row.digest) return { is: "edited", execution };
      return { is: "undecided", permit: execution, round: roundAfter(seen) };
    case "void":
      return undefined;
  }
}

const READS: ReadonlySet<EffectClass> = new Set<EffectClass>([
  "none",
  "fs.read",
  "db.read",
  "network.read",
  "browser.read",
]);

function isRepeatable(execution: Execution): boolean {
  return execution.idempotent || READS.has(execution.class);
}

/** Other submissions of the same call by this agent: permits, open questions, denials. */
function sameDigest(seen: Seen, nowMs: number): Undecided {
  const base: Undecided = { is: "undecided", round: roundAfter(seen) };
  const permit = seen.permits.find(({ row }) => isReady(row, nowMs) && !startsLater(row));
  if (permit !== undefined) return { ...base, permit };
  if (seen.undelivered !== undefined) return { ...base, ran: seen.undelivered };
  if (seen.live !== undefined && stateAt(seen.live.row, nowMs) === "pending") return { ...base, live: seen.live };
  // A denial stays valid for the same call as long as the question would have been open.
  const { latest } = seen;
  if (latest?.row.state === "denied" && nowMs < latest.row.answerByMs) return { ...base, denied: latest };
  return base;
}

function roundAfter(seen: Seen): number {
  return (seen.latest?.row.round ?? 0) + 1;
}

export function outcomeUnknown(): Refused {
  return refused("LEEWAY_OUTCOME_UNKNOWN", say("refusal.outcome_unknown"), say("hint.check_and_settle"));
}
