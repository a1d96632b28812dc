import { rootOf } from "./call.ts";
import { classOf } from "./effect.ts";
import { type Execution, type ExecutionIn, LEASE_MS, type Right } from "./execution.ts";
import type { AttemptId, CallId, ExecutionId } from "./ids.ts";
import type { CallRow } from "./rows.ts";
import type { Secret } from "./secret.ts";

// A call that may run at once has its right from the start. That right is named after the call and follows from it, so a
// store keeps only how it differs, in the call's own row, for as long as nobody looks for it but by its name or its alarm.

const CALL_PREFIX = "call_".length;

/** The names of the right that is born with a call, and of its first attempt. */
export function bornNames(call: CallId): { execution: ExecutionId; attempt: AttemptId } {
  const tail = call.slice(CALL_PREFIX);
  return { execution: `exe_${tail}`, attempt: `att_${tail}` };
}

/** The call that a right of this name was born with, if it was born with one. */
export function callNamed(execution: string): CallId {
  return `call_${execution.slice("exe_".length)}`;
}

/** Whether a right may lie with its call: it is that call's own, and neither waits to be used nor has to be looked after. */
export function staysWithCall(right: Execution): boolean {
  if (callNamed(right.id) !== right.call || right.approval !== undefined || right.runBy !== "caller") return false;
  switch (right.state) {
    case "claimed":
    case "handed":
      return right.lapsed === undefined;
    case "succeeded":
    case "failed":
      return right.delivered && right.lapsed === undefined;
    default:
      return false;
  }
}

type Settled = ExecutionIn<"succeeded"> | ExecutionIn<"failed">;

/** How a right that lies with its call differs from what follows from the call. Its result is kept apart. */
export type KeptRight = Partial<Pick<Right, "requestedBy" | "idempotent" | "reserved" | "attempts" | "runUntilMs">> & {
  state?: "handed" | "succeeded" | "failed";
  attempt?: AttemptId;
  owner?: string;
  claimedMs?: number;
  leaseUntilMs?: number;
  handedMs?: number;
} & Partial<Pick<Settled, "settledMs" | "startedMs" | "settledBy">> & { error?: string };

/** `call`: where the right is being born with it; later nobody has it at hand, and everything is written out. */
export function keptRight(right: Execution, call?: CallRow): KeptRight {
  const kept: KeptRight = {};
  if (right.requestedBy !== undefined) kept.requestedBy = right.requestedBy;
  if (right.idempotent) kept.idempotent = true;
  if (right.reserved !== undefined) kept.reserved = right.reserved;
  if (right.attempts !== 1) kept.attempts = right.attempts;
  if (call === undefined || right.runUntilMs !== runUntilOf(call)) kept.runUntilMs = right.runUntilMs;
  if ("attempt" in right && right.attempt !== bornNames(right.call).attempt) kept.attempt = right.attempt;
  keepState(kept, right, call?.atMs);
  return kept;
}

function keepState(kept: KeptRight, right: Execution, bornMs: number | undefined): void {
  switch (right.state) {
    case "claimed":
      kept.owner = right.owner;
      if (right.claimedMs !== bornMs) kept.claimedMs = right.claimedMs;
      if (right.leaseUntilMs !== right.claimedMs + LEASE_MS) kept.leaseUntilMs = right.leaseUntilMs;
      return;
    case "handed":
      kept.state = right.state;
      if (right.handedMs !== bornMs) kept.handedMs = right.handedMs;
      return;
    case "succeeded":
    case "failed":
      kept.state = right.state;
      kept.settledMs = right.settledMs;
      kept.settledBy = right.settledBy;
      if (right.startedMs !== undefined) kept.startedMs = right.startedMs;
      if (right.state === "failed") kept.error = right.error;
      return;
    default:
      throw new Error(`a ${right.state} right does not lie with its call (this is a bug)`);
  }
}

/** The whole right again. */
export function wholeRight(kept: KeptRight, call: CallRow, result: Secret | undefined): Execution {
  const right = rightOf(kept, call);
  const attempt = kept.attempt ?? bornNames(call.id).attempt;
  const claimedMs = kept.claimedMs ?? call.atMs;
  switch (kept.state) {
    case undefined: {
      const leaseUntilMs = kept.leaseUntilMs ?? claimedMs + LEASE_MS;
      return { ...right, state: "claimed", attempt, owner: kept.owner ?? "", claimedMs, leaseUntilMs };
    }
    case "succeeded":
    case "failed":
      return settledOf(right, attempt, kept, kept.state, result);
    default:
      // Whatever else somebody may have written there: it is a right that nobody can use.
      return { ...right, state: "handed", attempt, handedMs: kept.handedMs ?? call.atMs };
  }
}

function settledOf(
  right: Right,
  attempt: AttemptId,
  kept: KeptRight,
  state: "succeeded" | "failed",
  result: Secret | undefined,
): Execution {
  const settled = {
    attempt,
    settledMs: kept.settledMs ?? 0,
    ...(kept.startedMs === undefined ? {} : { startedMs: kept.startedMs }),
    settledBy: kept.settledBy ?? "caller",
    delivered: true,
    ...(result === undefined ? {} : { result }),
  };
  return state === "succeeded"
    ? { ...right, state, ...settled }
    : { ...right, state, ...settled, error: kept.error ?? "" };
}

function rightOf(kept: KeptRight, call: CallRow): Right {
  return {
    id: bornNames(call.id).execution,
    workspace: call.workspace,
    call: call.id,
    approvedInBulk: false,
    agent: call.agent,
    ...(call.chain.length === 0 ? {} : { root: rootOf(call) }),
    ...(call.session === undefined ? {} : { session: call.session }),
    tool: call.tool,
    class: classOf(call.effect),
    tier: call.decision.tier,
    needsHuman: false,
    approvers: [],
    ...(kept.requestedBy === undefined ? {} : { requestedBy: kept.requestedBy }),
    traceId: call.traceId,
    digest: call.digest,
    runBy: "caller",
    idempotent: kept.idempotent ?? false,
    attempts: kept.attempts ?? 1,
    runUntilMs: kept.runUntilMs ?? runUntilOf(call),
    ...(kept.reserved === undefined ? {} : { reserved: kept.reserved }),
  };
}

function runUntilOf({ atMs, decision }: CallRow): number {
  return atMs + decision.asking.permitMs;
}
