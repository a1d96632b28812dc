import { rootOf } from "./call.ts";
import { classOf } from "./effect.ts";
import { type Execution, type ExecutionIn, LEASE_MS, type Right } from "./execution.ts";
import type { AttemptId, CallId, ExecutionId } from "./ids.ts";
import type { CallRow } from "./rows.ts";
import type { Secret } from "./secret.ts";

// A call that may run at once gets its execution when it is decided. This execution is named after the call and can
// be derived from it. So a store keeps only the differences, in the row of the call, as long as the execution is
// looked up only by its name or its alarm.

const CALL_PREFIX = "call_".length;

/** The ids of the execution that is created with a call, and of its first attempt. */
export function bornNames(call: CallId): { execution: ExecutionId; attempt: AttemptId } {
  const tail = call.slice(CALL_PREFIX);
  return { execution: `exe_${tail}`, attempt: `att_${tail}` };
}

/** The call that this execution was created with, if it was. */
export function callNamed(execution: string): CallId {
  return `call_${execution.slice("exe_".length)}`;
}

/**
 * Whether an execution may be stored in the row of its call: it belongs to that call, and nobody has to find it by
 * other means.
 */
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

/** The differences between the execution and what can be derived from the call. Its result is stored separately. */
export type KeptRight = Partial<Pick<Right, "requestedBy" | "idempotent" | "reserved" | "attempts" | "runUntilMs">> & {
  state?: "handed" | "succeeded" | "failed";
  attempt?: AttemptId;
  owner?: string;
  claimedMs?: number;
  leaseUntilMs?: number;
  handedMs?: number;
} & Partial<Pick<Settled, "settledMs" | "startedMs" | "settledBy">> & { error?: string };

/** `call`: set when the execution is created with it; later the call is not at hand, and all fields are written. */
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

/** The complete execution. */
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
      // An unknown value, written by somebody else: then it is an execution that nobody can use.
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
