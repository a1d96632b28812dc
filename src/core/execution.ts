import type { RunBy } from "./approval.ts";
import type { Digest } from "./call.ts";
import type { EffectClass } from "./effect.ts";
import type { AgentName, ApprovalId, AttemptId, CallId, ExecutionId, PersonName, WorkspaceId } from "./ids.ts";
import type { Sealed } from "./rows.ts";
import type { Tier } from "./tier.ts";

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
  traceId: string;
  digest: Digest;
  runBy: RunBy;
  idempotent: boolean;
  /** How often it was claimed. The idempotency key of an attempt is the execution's id, for every attempt. */
  attempts: number;
  runUntilMs: number;
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

/** Usable as a permit: nobody holds it and its time has not run out. */
export function isReady(execution: Execution, nowMs: number): execution is ExecutionIn<"ready"> {
  return execution.state === "ready" && nowMs < execution.runUntilMs;
}
