import type { ToolDescription } from "../call.ts";
import type { Decision, Outcome } from "../decision.ts";
import type { Effect, EffectClass } from "../effect.ts";
import type { ApprovalId, CallId, ExecutionId, WorkspaceId } from "../ids.ts";
import type { EntryDraft, Subject } from "../ledger.ts";
import type { CallRow } from "../rows.ts";
import type { Secret } from "../secret.ts";
import type { Tier } from "../tier.ts";
import type { Hash } from "../values/hash.ts";
import type { Json, JsonObject } from "../values/json.ts";

// What the entry that decided a call says of it stands in that entry, and nowhere else. Stores keep what is left of the
// row beside the place of the entry, and put both together when the row is read. So erasing the entry erases it.

/** What a store keeps of a call besides its key, time and arguments. Whatever stands here goes before what the entry says. */
export type KeptCall = {
  definition?: Hash;
  /** The question that the answer to the call hangs upon now, where it is another than the entry names. */
  approvalId?: ApprovalId;
  /** As calls of before keep them, whose entry does not say them. */
  claims?: JsonObject;
  described?: ToolDescription | Json;
  /** What of an erased body the row still has to say: whose call it was, and which. */
  callId?: string;
  chain?: readonly string[];
  digest?: Hash;
};

/** What lies beside it in the store. */
export type CallPlace = { id: CallId; workspace: WorkspaceId; key: string; atMs: number; args: Secret };

/** What of the row its entry does not say. */
export function keptCall(row: Pick<CallRow, "definition">): KeptCall {
  return row.definition === undefined ? {} : { definition: row.definition };
}

/** Which of the entries of a Change decides the call. */
export function decidedBy(call: CallId, entries: readonly EntryDraft[]): number {
  const at = entries.findIndex(({ kind, subject }) => kind === "call.decided" && subject.call === call);
  if (at === -1) throw new Error(`no entry decides ${call} (this is a bug)`);
  return at;
}

/** The whole row again. Without a body, because it was erased, the row says that and what the subject still tells. */
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

/** With the entry that decided it goes whatever else tells what the call was about, its arguments too; whose it was and which stays. */
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
  return { parts: [part], understood: "not", notes: ["what the call would do was erased"] };
}

function erasedDecision(outcome: Outcome, subject: Subject): Decision {
  return {
    tier: (subject.tier ?? "deny") as Tier,
    outcome,
    needsHuman: false,
    causes: [{ by: "erased" }],
    considered: [],
    limits: [],
    // Nobody is asked about a call whose entry is erased: it has ended.
    asking: { quorum: 1, expiresMs: 0, permitMs: 0, reviewers: [], selfReview: false, assurance: "person" },
    policyVersion: ERASED_VERSION,
  };
}

/** The version of no policy: which one it was is erased with the decision. */
const ERASED_VERSION = "sha256:erased";
