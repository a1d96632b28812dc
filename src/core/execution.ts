import type { RunBy } from "./approval.ts";
import type { Digest } from "./call.ts";
import type { EffectClass } from "./effect.ts";
import type { AgentName, ApprovalId, AttemptId, CallId, ExecutionId, PersonName, WorkspaceId } from "./ids.ts";
import type { Secret } from "./secret.ts";
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
  /** Whose sub-agent it is, where it is one. */
  root?: AgentName;
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

/** `startedMs`: when whoever carried it out took the right, where that is known. */
type Settled = { settledMs: number; startedMs?: number; settledBy: "caller" | "runner" | "person"; delivered: boolean };

export type Execution = Right &
  (
    | { state: "ready"; readyMs: number }
    | { state: "claimed"; attempt: AttemptId; owner: string; claimedMs: number; leaseUntilMs: number }
    | { state: "handed"; attempt: AttemptId; handedMs: number }
    | ({ state: "succeeded"; attempt: AttemptId; result?: Secret } & Settled)
    | ({ state: "failed"; attempt: AttemptId; error: string; result?: Secret } & Settled)
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

/**
 * Whether nobody has to look when its caller never says how it ended: the policy alone let it run, nobody approved it, and
 * nobody tries it again.
 */
export function isUnattended({ approval, runBy, idempotent, lapsed }: Right): boolean {
  return approval === undefined && runBy === "caller" && !idempotent && lapsed === undefined;
}

/** Every field of a right; one that is missing here does not compile. */
const RIGHT_FIELDS: Record<keyof Right, true> = {
  id: true,
  workspace: true,
  call: true,
  approval: true,
  approvedInBulk: true,
  agent: true,
  root: true,
  session: true,
  tool: true,
  class: true,
  tier: true,
  needsHuman: true,
  approvers: true,
  requestedBy: true,
  traceId: true,
  digest: true,
  editedFrom: true,
  runBy: true,
  idempotent: true,
  attempts: true,
  runUntilMs: true,
  lapsed: true,
  reserved: true,
};
const RIGHT_NAMES = Object.keys(RIGHT_FIELDS) as (keyof Right)[];

/** The right alone, without what belonged to the state it was in. */
export function bare(execution: Right): Right {
  const right: { [name: string]: unknown } = {};
  for (const name of RIGHT_NAMES) if (execution[name] !== undefined) right[name] = execution[name];
  return right as Right;
}

export function attemptOf(execution: Execution): AttemptId {
  if ("attempt" in execution) return execution.attempt;
  throw new Error(`a ${execution.state} execution has no attempt (this is a bug)`);
}
