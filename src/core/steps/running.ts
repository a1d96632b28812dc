import type { Piece, Write } from "../change.ts";
import { type Refused, refused } from "../codes.ts";
import {
  bare,
  type Execution,
  type ExecutionIn,
  IDEMPOTENT_ATTEMPTS_MAX,
  isLapsed,
  isReady,
  LEASE_MS,
} from "../execution.ts";
import type { AttemptId, Mint, PersonName } from "../ids.ts";
import type { Actor, EntryKind } from "../ledger.ts";
import { madeRow, usedRow, type Vouched } from "../row-hash.ts";
import type { Versioned } from "../rows.ts";
import type { Secret } from "../secret.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { draft, subjectOfExecution } from "./draft.ts";
import { tell } from "./notices.ts";
import type { Circle } from "./quorum.ts";
import { giveBack, type Reservation } from "./reserving.ts";

export type Stepped = { ok: true; piece: Piece; execution: Execution } | Refused;
type Held = Versioned<"executions">;
type Moved = Extract<Stepped, { ok: true }>;

/** Takes the single right. Whoever acts must first hold it. */
export function claim(
  held: Held,
  by: { owner: string; side: "caller" | "leeway"; actor: Actor; handed: boolean; reservation: Reservation },
  mint: Mint,
  nowMs: number,
): Stepped {
  const execution = held.row;
  const no = claimRefusal(execution, by.side, nowMs);
  if (no !== undefined) return no;
  const attempt = mint.next("att");
  const { needs, writes, reserved } = by.reservation;
  const started = {
    ...bare(execution),
    attempts: execution.attempts + 1,
    ...(reserved.length === 0 ? {} : { reserved }),
  };
  const row: Execution = by.handed
    ? { ...started, state: "handed", attempt, handedMs: nowMs }
    : { ...started, state: "claimed", attempt, owner: by.owner, claimedMs: nowMs, leaseUntilMs: nowMs + LEASE_MS };
  const kind = by.handed ? "execution.handed" : "execution.claimed";
  return plus(move(held, row, mint, { kind, actor: by.actor, body: { attempt } }), { needs, writes });
}

/** Why this side may not take the right now, if it may not. */
export function claimRefusal(execution: Execution, side: "caller" | "leeway", nowMs: number): Refused | undefined {
  if (execution.runBy !== side) {
    return refused("LEEWAY_NOT_YOURS", `${execution.runBy} carries this call out`, "wait for its result instead");
  }
  if (execution.state === "ready" && nowMs >= execution.runUntilMs) {
    return refused("LEEWAY_EXPIRED", "the approval was not used in time", "submit the call again");
  }
  if (execution.state === "void") return refused("LEEWAY_VOID", execution.why, "submit the call again");
  if (!isReady(execution, nowMs)) {
    return refused(
      "LEEWAY_ALREADY_CLAIMED",
      `the execution is ${execution.state}`,
      "its one start is taken; wait for its result",
    );
  }
  return undefined;
}

export function renew(held: Held, attempt: AttemptId, nowMs: number): Stepped {
  const execution = held.row;
  if (execution.state !== "claimed" || execution.attempt !== attempt) return leaseLost(execution);
  if (nowMs >= execution.leaseUntilMs) return leaseLost(execution);
  const row: Execution = { ...execution, leaseUntilMs: nowMs + LEASE_MS };
  // Not an entry: a heartbeat changes nothing anybody would look up.
  return {
    ok: true,
    execution: row,
    piece: { writes: [{ do: "step", right: row, from: held.version }] },
  };
}

export type Ending = ({ ok: true } | { ok: false; error: string }) & { result?: Secret };

/** How it ended. A late result of the same attempt still settles what had become unknown. */
export function settle(
  held: Held,
  given: { attempt: AttemptId; ending: Ending; by: "caller" | "runner" },
  mint: Mint,
  nowMs: number,
): Stepped {
  const execution = held.row;
  const { ending, by } = given;
  const open = execution.state === "claimed" || execution.state === "handed" || execution.state === "unknown";
  if (!open || execution.attempt !== given.attempt) return leaseLost(execution);
  const row = endedRow(execution, given, nowMs);
  const body: { [name: string]: Json } = {
    approvers: row.approvers,
    attempts: row.attempts,
    enforcement: enforcementOf(row),
    settledBy: by,
  };
  if (!ending.ok) body["error"] = ending.error;
  return move(held, row, mint, {
    kind: ending.ok ? "execution.succeeded" : "execution.failed",
    actor: by === "caller" ? `agent:${row.agent}` : "leeway",
    body,
  });
}

function endedRow(
  execution: Execution,
  { attempt, ending, by }: { attempt: AttemptId; ending: Ending; by: "caller" | "runner" },
  nowMs: number,
): Execution {
  const settled = { attempt, settledMs: nowMs, settledBy: by, delivered: by === "caller" };
  const right = bare(execution);
  const row: ExecutionIn<"succeeded"> | ExecutionIn<"failed"> = ending.ok
    ? Object.assign(right, settled, { state: "succeeded" as const })
    : Object.assign(right, settled, { state: "failed" as const, error: ending.error });
  const started = startOf(execution);
  if (started !== undefined) row.startedMs = started;
  if (ending.result !== undefined) row.result = ending.result;
  return row;
}

function startOf(execution: Execution): number | undefined {
  if (execution.state === "claimed") return execution.claimedMs;
  return execution.state === "handed" ? execution.handedMs : undefined;
}

function enforcementOf(execution: Execution): string {
  if (execution.approvers.length > 0) return "approval_granted";
  return execution.tier === "notify" ? "notified" : "auto";
}

/** It surely did not start: the right goes back for another try, and what it had reserved too. */
export function release(held: Held, attempt: AttemptId, why: string, mint: Mint, nowMs: number): Stepped {
  const execution = held.row;
  if (execution.state !== "claimed" || execution.attempt !== attempt) return leaseLost(execution);
  const { reserved, ...right } = bare(execution);
  const row: Execution = { ...right, state: "ready", readyMs: nowMs + backOffMs(execution.attempts) };
  const step = move(held, row, mint, { kind: "execution.released", actor: "leeway", body: { why } });
  return plus(step, { writes: giveBack(reserved) });
}

/** The gate's own tries wait longer and longer; a caller that comes back is not kept waiting. */
function backOffMs(attempts: number): number {
  return 1000 * 2 ** Math.min(attempts, 10);
}

/** The lease ran out mid-act. */
export function lapse(held: Held, circle: Circle, mint: Mint, nowMs: number): Stepped {
  if (!isLapsed(held.row, nowMs)) {
    return refused("LEEWAY_ALREADY_RESOLVED", "the lease has not run out", "nothing to do");
  }
  return endUnknown(held, held.row.attempt, "the lease ran out", circle, mint, nowMs);
}

/** Whoever ran it cannot say how it ended. */
export function lose(
  held: Held,
  given: { attempt: AttemptId; why: string },
  circle: Circle,
  mint: Mint,
  nowMs: number,
): Stepped {
  const { attempt, why } = given;
  if (held.row.state !== "claimed" || held.row.attempt !== attempt) return leaseLost(held.row);
  return endUnknown(held, attempt, why, circle, mint, nowMs);
}

/** Only a tool declared idempotent is tried again, with the same key, a bounded number of times. */
function endUnknown(held: Held, attempt: AttemptId, why: string, circle: Circle, mint: Mint, nowMs: number): Moved {
  const execution = held.row;
  const readyMs = nowMs + backOffMs(execution.attempts);
  if (execution.idempotent && execution.attempts < IDEMPOTENT_ATTEMPTS_MAX && readyMs < execution.runUntilMs) {
    const row: Execution = { ...bare(execution), state: "ready", readyMs, lapsed: attempt };
    const body = { why: `${why}; the tool is idempotent` };
    return move(held, row, mint, { kind: "execution.released", actor: "leeway", body });
  }
  return becomeUnknown(held, { attempt, why }, circle, mint, nowMs);
}

/** It may have happened and nobody can say: people are told, and what it reserved stays reserved. */
function becomeUnknown(
  held: Held,
  { attempt, why }: { attempt: AttemptId; why: string },
  circle: Circle | undefined,
  mint: Mint,
  nowMs: number,
): Moved {
  const row: Execution = { ...bare(held.row), state: "unknown", attempt, sinceMs: nowMs };
  const step = move(held, row, mint, { kind: "execution.unknown", actor: "leeway", body: { attempt, why } });
  if (circle === undefined) return step;
  const { id: ref, workspace } = row;
  const to = [circle.owner ?? "admins", row.requestedBy, ...row.approvers];
  return plus(step, { writes: tell(mint, circle, { kind: "unknown", to, ref, workspace, nowMs, about: row }) });
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
export function voidIt(
  held: Held,
  by: { why: string; actor: Actor; circle?: Circle },
  mint: Mint,
  nowMs: number,
): Stepped {
  const execution = held.row;
  if (execution.state !== "ready") {
    return refused(
      "LEEWAY_ALREADY_CLAIMED",
      `the execution is ${execution.state}`,
      "what has started cannot be taken back",
    );
  }
  const { why, actor, circle } = by;
  // A right that was tried and lost its lease may have been used: ending it unused would be a lie.
  if (execution.lapsed !== undefined)
    return becomeUnknown(held, { attempt: execution.lapsed, why }, circle, mint, nowMs);
  const row: Execution = { ...bare(execution), state: "void", atMs: nowMs, why };
  const step = move(held, row, mint, { kind: "execution.void", actor, body: { why } });
  const { id: ref, workspace } = row;
  const to = circle === undefined ? [] : [circle.owner, ...row.approvers];
  const told =
    circle === undefined ? [] : tell(mint, circle, { kind: "void", to, ref, workspace, nowMs, about: row, text: why });
  return plus(step, { writes: [...giveBack(row.reserved), ...told] });
}

/** Hands the result over, once, to a later submission of the same call. */
export function deliver(held: Held): Piece {
  const execution = held.row;
  if ((execution.state !== "succeeded" && execution.state !== "failed") || execution.delivered) return {};
  return { writes: [{ do: "step", right: { ...execution, delivered: true }, from: held.version }] };
}

function move(
  held: Held,
  row: Execution,
  mint: Mint,
  entry: { kind: EntryKind; actor: Actor; body: JsonObject },
): Moved {
  const { kind, actor, body } = entry;
  const said = draft(mint, { kind, actor, body, subject: subjectOfExecution(row), rows: vouching(held.row, row) });
  return {
    ok: true,
    execution: row,
    piece: { writes: [{ do: "step", right: row, from: held.version }], entries: [said] },
  };
}

/** Only a right that waits to be used is worth forging; of every other state the entry's kind says enough. */
function vouching(before: Execution, row: Execution): readonly Vouched[] | undefined {
  if (row.state === "ready") return [madeRow("executions", row)];
  return before.state === "ready" ? [usedRow("executions", before)] : undefined;
}

function plus(step: Moved, more: { needs?: Reservation["needs"]; writes: readonly Write[] }): Moved {
  const { needs = [], writes = [], entries = [] } = step.piece;
  return {
    ...step,
    piece: { needs: [...needs, ...(more.needs ?? [])], writes: [...writes, ...more.writes], entries },
  };
}

function leaseLost(execution: Execution): Refused {
  return refused(
    "LEEWAY_LEASE_LOST",
    `the execution is ${execution.state}, and this attempt no longer holds it`,
    "its outcome is recorded elsewhere",
  );
}
