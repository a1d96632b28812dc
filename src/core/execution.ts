import type { RunBy } from "./approval.ts";
import type { Digest } from "./call.ts";
import type { EffectClass } from "./effect.ts";
import type { AgentName, ApprovalId, AttemptId, CallId, ExecutionId, PersonName, WorkspaceId } from "./ids.ts";
import type { Message } from "./messages/message.ts";
import { textOf } from "./messages/text.ts";
import type { Secret } from "./secret.ts";
import type { Tier } from "./tier.ts";

/** An amount reserved in a counter, given back if the call certainly did not start. */
export type Reserved = { counter: string; by: number; untilMs: number };

/** The single permission to run one call. */
export type Right = {
  id: ExecutionId;
  workspace: WorkspaceId;
  call: CallId;
  approval?: ApprovalId;
  approvedInBulk: boolean;
  agent: AgentName;
  /** The agent above, if this is a sub-agent. */
  root?: AgentName;
  session?: string;
  tool: string;
  class: EffectClass;
  tier: Tier;
  needsHuman: boolean;
  /** Who approved it; empty if the policy allowed it. */
  approvers: readonly PersonName[];
  requestedBy?: PersonName;
  traceId: string;
  digest: Digest;
  /** The original arguments, if a reviewer changed them. */
  editedFrom?: Digest;
  runBy: RunBy;
  idempotent: boolean;
  /** How often it was claimed. All attempts use the execution's id as their idempotency key. */
  attempts: number;
  runUntilMs: number;
  /** An earlier attempt that lost its lease and may have run; set if the tool is idempotent and is tried again. */
  lapsed?: AttemptId;
  reserved?: readonly Reserved[];
};

/** `startedMs`: when the execution was claimed, if known. */
type Settled = { settledMs: number; startedMs?: number; settledBy: "caller" | "runner" | "person"; delivered: boolean };

export type Execution = Right &
  (
    | { state: "ready"; readyMs: number }
    | { state: "claimed"; attempt: AttemptId; owner: string; claimedMs: number; leaseUntilMs: number }
    | { state: "handed"; attempt: AttemptId; handedMs: number }
    | ({ state: "succeeded"; attempt: AttemptId; result?: Secret } & Settled)
    | ({ state: "failed"; attempt: AttemptId; error: string; result?: Secret } & Settled)
    | { state: "unknown"; attempt: AttemptId; sinceMs: number }
    | { state: "void"; atMs: number; why: Message | string }
  );

/** An execution as programs get it: the reason why it ended is English text. */
export function executionText(execution: Execution): Execution {
  return execution.state === "void" ? { ...execution, why: textOf(execution.why, "en") } : execution;
}

export type ExecutionState = Execution["state"];
export type ExecutionIn<S extends ExecutionState> = Extract<Execution, { state: S }>;

export const LEASE_MS = 30_000;
export const IDEMPOTENT_ATTEMPTS_MAX = 5;
export const RESULT_BYTES_MAX = 256 * 1024;

/** Can be used as a permit: nobody has claimed it, and it has not expired. */
export function isReady(execution: Execution, nowMs: number): execution is ExecutionIn<"ready"> {
  return execution.state === "ready" && nowMs < execution.runUntilMs;
}

/** Made with a call that another program starts later. It is for that call only, and nobody has started it yet. */
export function startsLater(execution: Execution): boolean {
  const { state, attempts, approval, runBy } = execution;
  return state === "ready" && attempts === 0 && approval === undefined && runBy === "caller";
}

/** A lease ends by the clock, whether or not anybody has recorded it yet. */
export function isLapsed(execution: Execution, nowMs: number): execution is ExecutionIn<"claimed"> {
  return execution.state === "claimed" && nowMs >= execution.leaseUntilMs;
}

/**
 * Whether nobody has to check the call if its result is never reported: the policy alone allowed it, nobody approved
 * it, and it is not tried again.
 */
export function isUnattended({ approval, runBy, idempotent, lapsed }: Right): boolean {
  return approval === undefined && runBy === "caller" && !idempotent && lapsed === undefined;
}

/** Every field of an execution; a missing one does not compile. */
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

/** The execution without the fields of its state. */
export function bare(execution: Right): Right {
  const right: { [name: string]: unknown } = {};
  for (const name of RIGHT_NAMES) if (execution[name] !== undefined) right[name] = execution[name];
  return right as Right;
}

export function attemptOf(execution: Execution): AttemptId {
  if ("attempt" in execution) return execution.attempt;
  throw new Error(`a ${execution.state} execution has no attempt (this is a bug)`);
}
