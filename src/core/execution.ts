import type { RunBy } from "./approval.ts";
import type { Digest } from "./call.ts";
import type { EffectClass } from "./effect.ts";
import type { AgentName, ApprovalId, AttemptId, CallId, ExecutionId, PersonName, WorkspaceId } from "./ids.ts";
import type { Sealed } from "./rows.ts";
import type { Tier } from "./tier.ts";

/** Room taken in a counter, to be given back should the call surely not start. */
export type Reserved = { counter: string; by: number; untilMs: number };

/** The single right to carry out one call. */
export type Right = {
  id: ExecutionId;
  workspace: WorkspaceId;
  call: CallId;
  approval?: ApprovalId;
  approvedInBulk: boolean;
  agent: AgentName;
  session?: string;
  tool: string;
  class: EffectClass;
  tier: Tier;
  needsHuman: boolean;
  /** Who let it run; empty where the policy did. */
  approvers: readonly PersonName[];
  requestedBy?: PersonName;
  traceId: string;
  digest: Digest;
  /** What the agent had asked for, where a reviewer changed it. */
  editedFrom?: Digest;
  runBy: RunBy;
  idempotent: boolean;
  /** How often it was claimed. The idempotency key of an attempt is the execution's id, for every attempt. */
  attempts: number;
  runUntilMs: number;
  /** An attempt that lost its lease and may have run, where the tool is idempotent and is tried again. */
  lapsed?: AttemptId;
  reserved?: readonly Reserved[];
};

export type Settled = { settledMs: number; settledBy: "caller" | "runner" | "person"; delivered: boolean };

export type Execution = Right &
  (
    | { state: "ready"; readyMs: number }
    | { state: "claimed"; attempt: AttemptId; owner: string; claimedMs: number; leaseUntilMs: number }
    | { state: "handed"; attempt: AttemptId; handedMs: number }
    | ({ state: "succeeded"; attempt: AttemptId; result?: Sealed } & Settled)
    | ({ state: "failed"; attempt: AttemptId; error: string } & Settled)
    | { state: "unknown"; attempt: AttemptId; sinceMs: number }
    | { state: "void"; atMs: number; why: string }
  );

export type ExecutionState = Execution["state"];
export type ExecutionIn<S extends ExecutionState> = Extract<Execution, { state: S }>;

export const LEASE_MS = 30_000;
export const IDEMPOTENT_ATTEMPTS_MAX = 5;
export const RESULT_BYTES_MAX = 256 * 1024;

/** Usable as a permit: nobody holds it and its time has not run out. */
export function isReady(execution: Execution, nowMs: number): execution is ExecutionIn<"ready"> {
  return execution.state === "ready" && nowMs < execution.runUntilMs;
}

/** The lease is a fact of the clock, like expiry: who lost it lost it before anybody wrote that down. */
export function isLapsed(execution: Execution, nowMs: number): execution is ExecutionIn<"claimed"> {
  return execution.state === "claimed" && nowMs >= execution.leaseUntilMs;
}

/** The right alone, without what belonged to the state it was in. */
export function bare(execution: Right): Right {
  const { id, workspace, call, approvedInBulk, agent, tool, needsHuman, approvers, traceId, digest } = execution;
  const { approval, session, requestedBy, editedFrom, runBy, idempotent, attempts, runUntilMs, lapsed, reserved } =
    execution;
  return {
    id,
    workspace,
    call,
    ...(approval === undefined ? {} : { approval }),
    approvedInBulk,
    agent,
    ...(session === undefined ? {} : { session }),
    tool,
    class: execution.class,
    tier: execution.tier,
    needsHuman,
    approvers,
    ...(requestedBy === undefined ? {} : { requestedBy }),
    traceId,
    digest,
    ...(editedFrom === undefined ? {} : { editedFrom }),
    runBy,
    idempotent,
    attempts,
    runUntilMs,
    ...(lapsed === undefined ? {} : { lapsed }),
    ...(reserved === undefined ? {} : { reserved }),
  };
}

export function attemptOf(execution: Execution): AttemptId {
  if ("attempt" in execution) return execution.attempt;
  throw new Error(`a ${execution.state} execution has no attempt (this is a bug)`);
}
