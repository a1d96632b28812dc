import { stateAt } from "./approval.ts";
import type { Digest } from "./call.ts";
import { type Refused, refused } from "./codes.ts";
import { isReady } from "./execution.ts";
import type { Seen, Versioned } from "./rows.ts";

/** What an earlier submission of the same call means for this one. */
export type Recalled =
  /** The question is still open: the same approval, no new notice. */
  | { is: "pending"; approval: Versioned<"approvals">; known: boolean }
  /** It ran; its result is handed over. */
  | { is: "settled"; execution: Versioned<"executions"> }
  /** It is being carried out, here or elsewhere. */
  | { is: "running"; execution: Versioned<"executions"> }
  | { is: "refused"; why: Refused; insists?: Versioned<"approvals"> }
  /** To be decided: for the first time, again, or with a permit in hand. */
  | {
      is: "undecided";
      permit?: Versioned<"executions">;
      supersedes?: { approval?: Versioned<"approvals">; execution?: Versioned<"executions"> };
      round: number;
    };

export function recall(seen: Seen, digest: Digest, nowMs: number): Recalled {
  if (seen.call !== undefined && seen.call.row.digest !== digest) return changedArguments(seen, nowMs);
  return ownHistory(seen, nowMs) ?? sameDigest(seen, nowMs);
}

/** One call id stands for one call. What is not yet running gives way; what ran does not. */
function changedArguments(seen: Seen, nowMs: number): Recalled {
  const state = seen.execution?.row.state;
  if (state === "claimed" || state === "handed") {
    return {
      is: "refused",
      why: refused(
        "LEEWAY_CALL_RUNNING",
        "a call with this id is running with other arguments",
        "wait for its result, or submit the new call under an id of its own",
      ),
    };
  }
  const { approval, execution } = seen;
  const pending = approval !== undefined && stateAt(approval.row, nowMs) === "pending";
  if (!pending && state !== "ready") {
    return {
      is: "refused",
      why: refused(
        "LEEWAY_CALL_ID_REUSED",
        "a call with this id has ended with other arguments",
        "submit the new call under an id of its own",
      ),
    };
  }
  return {
    is: "undecided",
    supersedes: {
      ...(pending && approval !== undefined ? { approval } : {}),
      ...(state === "ready" && execution !== undefined ? { execution } : {}),
    },
    round: roundAfter(seen),
  };
}

/** The call was sent before under the same id: the caller asks again, or died and came back. */
function ownHistory(seen: Seen, nowMs: number): Recalled | undefined {
  const { execution, approval } = seen;
  if (execution !== undefined) {
    switch (execution.row.state) {
      case "succeeded":
      case "failed":
        return { is: "settled", execution };
      case "unknown":
        return { is: "refused", why: outcomeUnknown() };
      case "claimed":
      case "handed":
        return { is: "running", execution };
      case "ready":
        if (!isReady(execution.row, nowMs)) break;
        if (execution.row.runBy === "leeway") return { is: "running", execution };
        return { is: "undecided", permit: execution, round: roundAfter(seen) };
      case "void":
        break;
    }
  }
  if (approval !== undefined && stateAt(approval.row, nowMs) === "pending") {
    return { is: "pending", approval, known: true };
  }
  return undefined;
}

/** Other submissions of the very same call by this agent: permits, open questions, denials. */
function sameDigest(seen: Seen, nowMs: number): Recalled {
  const permit = seen.permits.find((candidate) => isReady(candidate.row, nowMs));
  if (permit !== undefined) return { is: "undecided", permit, round: roundAfter(seen) };
  if (seen.undelivered !== undefined) return { is: "settled", execution: seen.undelivered };
  if (seen.live !== undefined && stateAt(seen.live.row, nowMs) === "pending") {
    return { is: "pending", approval: seen.live, known: false };
  }
  const denied = seen.latest;
  // A denial answers the same call for as long as the question would have stayed open.
  if (denied?.row.state === "denied" && nowMs < denied.row.answerByMs) {
    const note = denied.row.note === "" ? "" : `: ${denied.row.note}`;
    return {
      is: "refused",
      why: refused(
        "LEEWAY_REVIEW_DENIED",
        `${denied.row.by} denied this call${note}`,
        "do not retry; do something else",
      ),
      insists: denied,
    };
  }
  return { is: "undecided", round: roundAfter(seen) };
}

function roundAfter(seen: Seen): number {
  return (seen.latest?.row.round ?? 0) + 1;
}

export function outcomeUnknown(): Refused {
  return refused(
    "LEEWAY_OUTCOME_UNKNOWN",
    "this call was started and nobody knows how it ended",
    "check whether it happened; a person can settle it with `leeway show`",
  );
}
