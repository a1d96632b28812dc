import { type Need, type Piece, put, unchanged, type Write } from "./change.ts";
import { type Refused, refused } from "./codes.ts";
import type { LimitUse } from "./decision.ts";
import { draft, subjectOfExecution } from "./draft.ts";
import { type Execution, IDEMPOTENT_ATTEMPTS_MAX, isReady, LEASE_MS } from "./execution.ts";
import type { AttemptId, Mint, PersonName } from "./ids.ts";
import type { JsonObject } from "./json.ts";
import type { Actor, EntryKind } from "./ledger.ts";
import { noticeOf } from "./notices.ts";
import { bare } from "./opening.ts";
import type { Sealed, Versioned } from "./rows.ts";

export type Stepped = { ok: true; piece: Piece; execution: Execution } | Refused;
type Held = Versioned<"executions">;

/** Takes the single right. Whoever acts must first hold it. */
export function claim(
  held: Held,
  by: { owner: string; side: "caller" | "leeway"; actor: Actor; handed: boolean; limits: readonly LimitUse[] },
  mint: Mint,
  nowMs: number,
): Stepped {
  const execution = held.row;
  if (execution.runBy !== by.side) {
    return refused("LEEWAY_NOT_YOURS", `${execution.runBy} carries this call out`, "wait for its result instead");
  }
  if (execution.state === "ready" && nowMs >= execution.runUntilMs) {
    return refused("LEEWAY_EXPIRED", "the approval was not used in time", "submit the call again");
  }
  if (!isReady(execution, nowMs)) {
    return refused(
      "LEEWAY_ALREADY_CLAIMED",
      `the execution is ${execution.state}`,
      "its one start is taken; wait for its result",
    );
  }
  const attempt = mint.next("att");
  const started = { ...bare(execution), attempts: execution.attempts + 1 };
  const row: Execution = by.handed
    ? { ...started, state: "handed", attempt, handedMs: nowMs }
    : { ...started, state: "claimed", attempt, owner: by.owner, claimedMs: nowMs, leaseUntilMs: nowMs + LEASE_MS };
  const step = move(held, row, mint, {
    kind: by.handed ? "execution.handed" : "execution.claimed",
    actor: by.actor,
    body: { attempt },
  });
  const reserve = reservation(by.limits);
  return {
    ...step,
    piece: {
      ...step.piece,
      needs: [...(step.piece.needs ?? []), ...reserve.needs],
      writes: [...(step.piece.writes ?? []), ...reserve.writes],
    },
  };
}

/** A review satisfies a limit that only asks; one that denies still needs room. */
function reservation(limits: readonly LimitUse[]): { needs: Need[]; writes: Write[] } {
  return {
    needs: limits
      .filter((limit) => limit.then === "deny")
      .map((limit) => ({ is: "room", counters: limit.counters, add: limit.addMicros, max: limit.maxMicros })),
    writes: limits.map((limit) => ({ do: "add", counter: limit.current, by: limit.addMicros, untilMs: limit.untilMs })),
  };
}

export function renew(held: Held, attempt: AttemptId, nowMs: number): Stepped {
  const execution = held.row;
  if (execution.state !== "claimed" || execution.attempt !== attempt) return leaseLost(execution);
  const row: Execution = { ...execution, leaseUntilMs: nowMs + LEASE_MS };
  // Not an entry: a heartbeat changes nothing anybody would look up.
  return {
    ok: true,
    execution: row,
    piece: { needs: [unchanged("executions", row.id, held.version)], writes: [put("executions", row)] },
  };
}

export type Ending = { ok: true; result?: Sealed } | { ok: false; error: string };

/** How it ended. A late result of the same attempt still settles what had become unknown. */
export function settle(
  held: Held,
  given: { attempt: AttemptId; ending: Ending; by: "caller" | "runner" },
  mint: Mint,
  nowMs: number,
): Stepped {
  const execution = held.row;
  const open = execution.state === "claimed" || execution.state === "handed" || execution.state === "unknown";
  if (!open || execution.attempt !== given.attempt) return leaseLost(execution);
  const settled = {
    attempt: execution.attempt,
    settledMs: nowMs,
    settledBy: given.by,
    delivered: given.by === "caller",
  };
  const { ending } = given;
  const row: Execution = ending.ok
    ? {
        ...bare(execution),
        state: "succeeded",
        ...settled,
        ...(ending.result === undefined ? {} : { result: ending.result }),
      }
    : { ...bare(execution), state: "failed", ...settled, error: ending.error };
  return move(held, row, mint, {
    kind: ending.ok ? "execution.succeeded" : "execution.failed",
    actor: given.by === "caller" ? `agent:${row.agent}` : "leeway",
    body: {
      enforcement: enforcementOf(row),
      settledBy: given.by,
      attempts: row.attempts,
      approvers: [...row.approvers],
      ...(ending.ok ? {} : { error: ending.error }),
    },
  });
}

function enforcementOf(execution: Execution): string {
  if (execution.approvers.length > 0) return "approval_granted";
  return execution.tier === "notify" ? "notified" : "auto";
}

/** It surely did not start: the right goes back for another try. */
export function release(held: Held, attempt: AttemptId, why: string, mint: Mint, nowMs: number): Stepped {
  const execution = held.row;
  if (execution.state !== "claimed" || execution.attempt !== attempt) return leaseLost(execution);
  const row: Execution = { ...bare(execution), state: "ready", readyMs: nowMs };
  return move(held, row, mint, { kind: "execution.released", actor: "leeway", body: { why } });
}

/** The lease ran out mid-act. Only a tool declared idempotent is tried again, with the same key, a bounded number of times. */
export function lapse(held: Held, mint: Mint, nowMs: number): Stepped {
  const execution = held.row;
  if (execution.state !== "claimed" || nowMs < execution.leaseUntilMs) {
    return refused("LEEWAY_ALREADY_RESOLVED", "the lease has not run out", "nothing to do");
  }
  if (execution.idempotent && execution.runBy === "leeway" && execution.attempts < IDEMPOTENT_ATTEMPTS_MAX) {
    const backOffMs = 1000 * 2 ** execution.attempts;
    const row: Execution = { ...bare(execution), state: "ready", readyMs: nowMs + backOffMs };
    return move(held, row, mint, {
      kind: "execution.released",
      actor: "leeway",
      body: { why: "the lease ran out; the tool is idempotent" },
    });
  }
  const row: Execution = { ...bare(execution), state: "unknown", attempt: execution.attempt, sinceMs: nowMs };
  const step = move(held, row, mint, {
    kind: "execution.unknown",
    actor: "leeway",
    body: { attempt: execution.attempt },
  });
  const notice = noticeOf(mint, {
    kind: "unknown",
    to: "admins",
    ref: row.id,
    workspace: row.workspace,
    nowMs,
    about: row,
  });
  return { ...step, piece: { ...step.piece, writes: [...(step.piece.writes ?? []), { do: "notice", notice }] } };
}

/** A person looked and says how it ended, once, with a note. */
export function reconcile(
  held: Held,
  said: { by: PersonName; ok: boolean; note: string },
  mint: Mint,
  nowMs: number,
): Stepped {
  const execution = held.row;
  if (execution.state !== "unknown") {
    return refused(
      "LEEWAY_ALREADY_RESOLVED",
      `the execution is ${execution.state}`,
      "only an unknown outcome can be reconciled",
    );
  }
  const settled = { attempt: execution.attempt, settledMs: nowMs, settledBy: "person" as const, delivered: false };
  const row: Execution = said.ok
    ? { ...bare(execution), state: "succeeded", ...settled }
    : { ...bare(execution), state: "failed", ...settled, error: said.note };
  return move(held, row, mint, {
    kind: "execution.reconciled",
    actor: `person:${said.by}`,
    body: { outcome: said.ok ? "succeeded" : "failed", note: said.note },
  });
}

/** The right ends unused: its time ran out, the call was withdrawn, or what would run is no longer what was approved. */
export function voidIt(held: Held, why: string, actor: Actor, mint: Mint, nowMs: number): Stepped {
  const execution = held.row;
  if (execution.state !== "ready") {
    return refused(
      "LEEWAY_ALREADY_CLAIMED",
      `the execution is ${execution.state}`,
      "what has started cannot be taken back",
    );
  }
  const row: Execution = { ...bare(execution), state: "void", atMs: nowMs, why };
  return move(held, row, mint, { kind: "execution.void", actor, body: { why } });
}

/** Hands the result over, once, to a later submission of the same call. */
export function deliver(held: Held): Piece {
  const execution = held.row;
  if ((execution.state !== "succeeded" && execution.state !== "failed") || execution.delivered) return {};
  return {
    needs: [unchanged("executions", execution.id, held.version)],
    writes: [put("executions", { ...execution, delivered: true })],
  };
}

function move(
  held: Held,
  row: Execution,
  mint: Mint,
  entry: { kind: EntryKind; actor: Actor; body: JsonObject },
): Extract<Stepped, { ok: true }> {
  return {
    ok: true,
    execution: row,
    piece: {
      needs: [unchanged("executions", row.id, held.version)],
      writes: [put("executions", row)],
      entries: [draft(mint, { ...entry, subject: subjectOfExecution(row) })],
    },
  };
}

function leaseLost(execution: Execution): Refused {
  return refused(
    "LEEWAY_LEASE_LOST",
    `the execution is ${execution.state}, and this attempt no longer holds it`,
    "its outcome is recorded elsewhere",
  );
}
