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
import { type Message, messageOf, say } from "../messages/message.ts";
import { madeRow, usedRow, type Vouched } from "../rows/row-hash.ts";
import type { Versioned } from "../rows/rows.ts";
import type { Secret } from "../secret.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { draft, subjectOfExecution } from "./draft.ts";
import { tell } from "./notices.ts";
import type { Circle } from "./quorum.ts";
import { giveBack, type Reservation } from "./starting.ts";

export type Stepped = { ok: true; piece: Piece; execution: Execution } | Refused;
type Held = Versioned<"executions">;
type Moved = Extract<Stepped, { ok: true }>;

/** Claims the execution. A caller must claim it before it acts. */
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

/** Why this side may not claim the execution now; undefined if it may. */
export function claimRefusal(execution: Execution, side: "caller" | "leeway", nowMs: number): Refused | undefined {
  if (execution.runBy !== side) {
    return refused(
      "LEEWAY_NOT_YOURS",
      say("refusal.not_your_side", { side: execution.runBy }),
      say("hint.wait_for_result"),
    );
  }
  if (execution.state === "ready" && nowMs >= execution.runUntilMs) {
    return refused("LEEWAY_EXPIRED", say("reason.not_used_in_time"), say("hint.submit_again"));
  }
  if (execution.state === "void") return refused("LEEWAY_VOID", messageOf(execution.why), say("hint.submit_again"));
  if (!isReady(execution, nowMs)) {
    return refused(
      "LEEWAY_ALREADY_CLAIMED",
      say("refusal.execution_is", { state: execution.state }),
      say("hint.start_taken"),
    );
  }
  return undefined;
}

export function renew(held: Held, attempt: AttemptId, nowMs: number): Stepped {
  const execution = held.row;
  if (execution.state !== "claimed" || execution.attempt !== attempt) return leaseLost(execution);
  if (nowMs >= execution.leaseUntilMs) return leaseLost(execution);
  const row: Execution = { ...execution, leaseUntilMs: nowMs + LEASE_MS };
  // Not recorded: a heartbeat changes nothing that anybody would look up.
  return {
    ok: true,
    execution: row,
    piece: { writes: [{ do: "step", right: row, from: held.version }] },
  };
}

/** The host asks its user about a call that it was told to run, and is told again. The version sees to it that this is once. */
export function prompted(held: Held, mint: Mint): Stepped {
  const { row } = held;
  if (row.state !== "handed") return leaseLost(row);
  const { attempt, agent } = row;
  return move(held, row, mint, { kind: "execution.prompted", actor: `agent:${agent}`, body: { attempt } });
}

export type Ending = ({ ok: true } | { ok: false; error: string }) & { result?: Secret };

/** Records the result. A late result of the same attempt still replaces an unknown one. */
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

/** The call certainly did not start: its execution is ready for another try, and its reservations are given back. */
export function release(held: Held, attempt: AttemptId, why: Message | string, mint: Mint, nowMs: number): Stepped {
  const execution = held.row;
  if (execution.state !== "claimed" || execution.attempt !== attempt) return leaseLost(execution);
  return madeReady(held, why, mint, nowMs);
}

/** The same for a claim whose caller was refused. If its lease has ended since, it counts as handed over. */
export function takeBack(held: Held, attempt: AttemptId, why: Message, mint: Mint, nowMs: number): Stepped {
  const { row } = held;
  const isOpen = row.state === "claimed" || row.state === "handed";
  return isOpen && row.attempt === attempt ? madeReady(held, why, mint, nowMs) : leaseLost(row);
}

function madeReady(held: Held, why: Message | string, mint: Mint, nowMs: number): Moved {
  const execution = held.row;
  const { reserved, ...right } = bare(execution);
  const row: Execution = { ...right, state: "ready", readyMs: nowMs + backOffMs(execution.attempts) };
  const step = move(held, row, mint, { kind: "execution.released", actor: "leeway", body: { why } });
  return plus(step, { writes: giveBack(reserved) });
}

/** The gate waits longer before each retry; a caller that retries does not have to wait. */
function backOffMs(attempts: number): number {
  return 1000 * 2 ** Math.min(attempts, 10);
}

/** The lease ended while the call was running. */
export function lapse(held: Held, circle: Circle, mint: Mint, nowMs: number): Stepped {
  if (!isLapsed(held.row, nowMs)) {
    return refused("LEEWAY_ALREADY_RESOLVED", say("refusal.lease_not_over"), say("hint.nothing_to_do"));
  }
  return endUnknown(held, held.row.attempt, say("reason.lease_ran_out"), circle, mint, nowMs);
}

/** The program that ran the call cannot say how it ended. */
export function lose(
  held: Held,
  given: { attempt: AttemptId; why: Message | string },
  circle: Circle,
  mint: Mint,
  nowMs: number,
): Stepped {
  const { attempt, why } = given;
  if (held.row.state !== "claimed" || held.row.attempt !== attempt) return leaseLost(held.row);
  return endUnknown(held, attempt, why, circle, mint, nowMs);
}

/** Only a tool declared idempotent is tried again, with the same key, a limited number of times. */
function endUnknown(
  held: Held,
  attempt: AttemptId,
  why: Message | string,
  circle: Circle,
  mint: Mint,
  nowMs: number,
): Moved {
  const execution = held.row;
  const readyMs = nowMs + backOffMs(execution.attempts);
  if (execution.idempotent && execution.attempts < IDEMPOTENT_ATTEMPTS_MAX && readyMs < execution.runUntilMs) {
    const row: Execution = { ...bare(execution), state: "ready", readyMs, lapsed: attempt };
    const body = { why: say("reason.idempotent", { why }) };
    return move(held, row, mint, { kind: "execution.released", actor: "leeway", body });
  }
  return becomeUnknown(held, { attempt, why }, circle, mint, nowMs);
}

/** The call may have run: people are told, and its reservations stay. */
function becomeUnknown(
  held: Held,
  { attempt, why }: { attempt: AttemptId; why: Message | string },
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

/** A person checked and records the result, once, with a note. */
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
      say("refusal.execution_is", { state: execution.state }),
      say("hint.only_unknown"),
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

/** The permission ends unused: it expired, the call was withdrawn, or what would run has changed since the approval. */
export function voidIt(
  held: Held,
  by: { why: Message | string; actor: Actor; circle?: Circle },
  mint: Mint,
  nowMs: number,
): Stepped {
  const execution = held.row;
  if (execution.state !== "ready") {
    return refused(
      "LEEWAY_ALREADY_CLAIMED",
      say("refusal.execution_is", { state: execution.state }),
      say("hint.cannot_take_back"),
    );
  }
  const { why, actor, circle } = by;
  // An execution that lost its lease may have run, so it must not end as unused.
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

/** Returns the result, once, to a later submission of the same call. */
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

/** Only an execution that waits to be used is worth forging; for other states the kind of the entry is enough. */
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
    say("refusal.lease_lost", { state: execution.state }),
    say("hint.recorded_elsewhere"),
  );
}
