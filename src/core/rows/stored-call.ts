import { rootOf, type ToolDescription } from "../call.ts";
import type { Decision, Outcome } from "../decision.ts";
import { classOf, type Effect, type EffectClass } from "../effect.ts";
import { type Execution, type ExecutionIn, LEASE_MS, type Right } from "../execution.ts";
import type { ApprovalId, AttemptId, CallId, ExecutionId, WorkspaceId } from "../ids.ts";
import type { EntryDraft, Subject } from "../ledger.ts";
import { say } from "../messages/message.ts";
import type { Secret } from "../secret.ts";
import type { Tier } from "../tier.ts";
import type { Hash } from "../values/hash.ts";
import type { Json, JsonObject } from "../values/json.ts";
import type { CallRow } from "./rows.ts";

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

/** `call`: set when the execution is created with it; later the call is not available, and all fields are written. */
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
    settledBy: kept.settledBy ?? "caller",
    delivered: true,
  };
  const row: ExecutionIn<"succeeded"> | ExecutionIn<"failed"> =
    state === "succeeded" ? { ...right, state, ...settled } : { ...right, state, ...settled, error: kept.error ?? "" };
  if (kept.startedMs !== undefined) row.startedMs = kept.startedMs;
  if (result !== undefined) row.result = result;
  return row;
}

function rightOf(kept: KeptRight, call: CallRow): Right {
  const right: Right = {
    id: bornNames(call.id).execution,
    workspace: call.workspace,
    call: call.id,
    approvedInBulk: false,
    agent: call.agent,
    tool: call.tool,
    class: classOf(call.effect),
    tier: call.decision.tier,
    needsHuman: false,
    approvers: [],
    traceId: call.traceId,
    digest: call.digest,
    runBy: "caller",
    idempotent: kept.idempotent ?? false,
    attempts: kept.attempts ?? 1,
    runUntilMs: kept.runUntilMs ?? runUntilOf(call),
  };
  if (call.chain.length > 0) right.root = rootOf(call);
  if (call.session !== undefined) right.session = call.session;
  if (kept.requestedBy !== undefined) right.requestedBy = kept.requestedBy;
  if (kept.reserved !== undefined) right.reserved = kept.reserved;
  return right;
}

function runUntilOf({ atMs, decision }: CallRow): number {
  return atMs + decision.asking.permitMs;
}

// What the deciding entry says about a call is stored only in that entry. Stores keep the rest of the row and the
// index of the entry, and combine both when the row is read. So erasing the entry erases it everywhere.

/** What a store keeps of a call besides its key, time and arguments. These fields override what the entry says. */
export type KeptCall = {
  definition?: Hash;
  /** The question that the answer to the call depends on now, if it is another than in the entry. */
  approvalId?: ApprovalId;
  /** Old calls have these fields here, because their entry does not contain them. */
  claims?: JsonObject;
  described?: ToolDescription | Json;
  /** What the row still has to say if the body was erased: which call it was, and of which agent. */
  callId?: string;
  chain?: readonly string[];
  digest?: Hash;
};

/** Fields that the store keeps separately. */
export type CallPlace = { id: CallId; workspace: WorkspaceId; key: string; atMs: number; args: Secret };

/** The fields of the row that are not in its entry. */
export function keptCall(row: Pick<CallRow, "definition">): KeptCall {
  return row.definition === undefined ? {} : { definition: row.definition };
}

/** The index of the entry in a Change that decides the call. */
export function decidedBy(call: CallId, entries: readonly EntryDraft[]): number {
  const at = entries.findIndex(({ kind, subject }) => kind === "call.decided" && subject.call === call);
  if (at === -1) throw new Error(`no entry decides ${call} (this is a bug)`);
  return at;
}

/** The complete row. If the body was erased, the row says so, with what the subject still contains. */
export function wholeCall(at: CallPlace, kept: KeptCall, subject: Subject, body: JsonObject | undefined): CallRow {
  const outcome = (subject.outcome ?? "denied") as Outcome;
  const said = body ?? {
    effect: erasedEffect(subject) as unknown as Json,
    decision: erasedDecision(outcome, subject) as unknown as Json,
  };
  const row: CallRow = {
    id: at.id,
    workspace: at.workspace,
    key: at.key,
    agent: subject.agent ?? "",
    callId: kept.callId ?? String(said["callId"]),
    tool: subject.tool ?? "",
    digest: kept.digest ?? (String(said["digest"]) as Hash),
    args: at.args,
    traceId: subject.trace ?? "",
    chain: kept.chain ?? ((said["chain"] ?? []) as readonly string[]),
    claims: (said["claims"] ?? kept.claims ?? {}) as JsonObject,
    effect: said["effect"] as unknown as Effect,
    decision: said["decision"] as unknown as Decision,
    outcome,
    atMs: at.atMs,
  };
  addOptional(row, kept, subject, said);
  return row;
}

function addOptional(row: CallRow, kept: KeptCall, subject: Subject, said: JsonObject): void {
  const { cwd, replayOf, described } = said;
  const approvalId = kept.approvalId ?? (subject.approval as ApprovalId | undefined);
  if (approvalId !== undefined) row.approvalId = approvalId;
  if (subject.execution !== undefined) row.executionId = subject.execution as ExecutionId;
  if (subject.session !== undefined) row.session = subject.session;
  if (subject.run !== undefined) row.run = subject.run;
  if (kept.definition !== undefined) row.definition = kept.definition;
  const told = described ?? kept.described;
  if (told !== undefined) row.described = told as ToolDescription;
  if (typeof cwd === "string") row.cwd = cwd;
  if (typeof replayOf === "string") row.replayOf = replayOf;
}

/**
 * When the deciding entry is erased, everything else about the content of the call is erased too, also its arguments.
 * Which call it was, and of which agent, stays.
 */
export function erasedCall(row: CallRow): KeptCall {
  const kept: KeptCall = { callId: row.callId, chain: row.chain, digest: row.digest };
  if (row.definition !== undefined) kept.definition = row.definition;
  if (row.approvalId !== undefined) kept.approvalId = row.approvalId;
  return kept;
}

function erasedEffect(subject: Subject): Effect {
  const part = {
    class: (subject.class ?? "unknown") as EffectClass,
    capability: "unknown",
    level: "none",
    targets: [],
    reversible: false,
    reach: "outside",
  } as const;
  return { parts: [part], understood: "not", notes: [say("note.effect_erased")] };
}

function erasedDecision(outcome: Outcome, subject: Subject): Decision {
  return {
    tier: (subject.tier ?? "deny") as Tier,
    outcome,
    needsHuman: false,
    causes: [{ by: "erased" }],
    considered: [],
    limits: [],
    // A call whose entry was erased has ended, so nobody is asked about it.
    asking: { quorum: 1, expiresMs: 0, permitMs: 0, reviewers: [], selfReview: false, assurance: "person" },
    policyVersion: ERASED_VERSION,
  };
}

/** A placeholder version: which policy it was is erased with the decision. */
const ERASED_VERSION = "sha256:erased";
