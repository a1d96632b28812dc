import type { ToolDescription } from "../call.ts";
import type { Decision, Outcome } from "../decision.ts";
import type { Effect, EffectClass } from "../effect.ts";
import type { ApprovalId, CallId, ExecutionId, WorkspaceId } from "../ids.ts";
import type { EntryDraft, Subject } from "../ledger.ts";
import { say } from "../messages/message.ts";
import type { CallRow } from "../rows.ts";
import type { Secret } from "../secret.ts";
import type { Tier } from "../tier.ts";
import type { Hash } from "../values/hash.ts";
import type { Json, JsonObject } from "../values/json.ts";

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
