import type { Digest } from "./call.ts";
import type { EffectClass } from "./effect.ts";
import type { AgentName, ApprovalId, CallId, ExecutionId, GrantId, PersonName, WorkspaceId } from "./ids.ts";
import type { Assurance } from "./policy.ts";
import type { Tier } from "./tier.ts";
import type { Hash } from "./values/hash.ts";
import type { Json, JsonObject } from "./values/json.ts";

/** One person's answer to one question. */
export type Review = {
  by: PersonName;
  verdict: "approve" | "deny";
  digest: Digest;
  note: string;
  assurance: Assurance;
  atMs: number;
  /** Given together with others: never enough for needs-human. */
  bulk: boolean;
  /** The question said that it needs a human: the person had just proved to be themself, and answered this one alone. */
  human?: true;
  /** Who made the token or set the passphrase that it was given with, where that was somebody else: it counts as theirs. */
  madeBy?: PersonName;
};

/** Which side carries the call out, fixed when the question is opened. */
export type RunBy = "caller" | "leeway";

/** What was frozen when the question was opened. */
export type Question = {
  id: ApprovalId;
  workspace: WorkspaceId;
  call: CallId;
  agent: AgentName;
  /** Whose sub-agent it is, where it is one. */
  root?: AgentName;
  session?: string;
  tool: string;
  class: EffectClass;
  /** The class, or `<class>#needs-human`. */
  action: string;
  tier: Tier;
  digest: Digest;
  round: number;
  needsHuman: boolean;
  openedMs: number;
  answerByMs: number;
  permitMs: number;
  quorum: number;
  reviewers: readonly (readonly string[])[];
  /** Once done, the people named here may answer too. */
  escalate?: { atMs: number; to: readonly string[]; done: boolean };
  remind?: { atMs: number; done: boolean };
  selfReview: boolean;
  assurance: "person" | "any";
  policyVersion: Hash;
  runBy: RunBy;
  /** The door can carry out other arguments than the ones it sent. */
  editable?: boolean;
  idempotent: boolean;
  capabilities: readonly string[];
  requestedBy?: PersonName;
  /** Who else asked for the same call while the question was open. */
  joinedBy?: readonly PersonName[];
  evidence: readonly Json[];
  undo?: JsonObject;
  run?: string;
  traceId: string;
  says?: string;
  /** The approval this one replaced after an edit, and what that one asked about. */
  from?: ApprovalId;
  editedFrom?: Digest;
  reviews: readonly Review[];
  /** How often the same call came back after a denial: a model that insists is paused. */
  insisted: number;
};

export type Approval = Question &
  (
    | { state: "pending" }
    | { state: "approved"; atMs: number; executionId: ExecutionId; grant?: GrantId }
    | { state: "denied"; atMs: number; by: PersonName; note: string }
    | { state: "expired"; atMs: number }
    | { state: "cancelled"; atMs: number; by: string }
    | { state: "superseded"; atMs: number; to?: ApprovalId }
  );

export type Pending = Extract<Approval, { state: "pending" }>;

/** Everybody who asked for this call: none of them may answer, unless the policy lets them. */
export function requestersOf({ requestedBy, joinedBy = [] }: Question): readonly PersonName[] {
  return requestedBy === undefined ? joinedBy : [requestedBy, ...joinedBy];
}

/** The same question, asked for by one more person; nothing where they asked already. */
export function joinedQuestion<Q extends Question>(question: Q, by: PersonName | undefined): Q | undefined {
  if (by === undefined || requestersOf(question).includes(by)) return undefined;
  return { ...question, joinedBy: [...(question.joinedBy ?? []), by] };
}

/** Expired is a fact of the clock; writing it down is only bookkeeping. */
export function isOpen(approval: Approval, nowMs: number): approval is Pending {
  return approval.state === "pending" && nowMs < approval.answerByMs;
}

/** What everybody sees of it now, whether or not the sweeper has come by. */
export function stateAt(approval: Approval, nowMs: number): Approval["state"] {
  return approval.state === "pending" && nowMs >= approval.answerByMs ? "expired" : approval.state;
}

/** Who asks, with the agent it is a sub-agent of. */
export function askerOf({ agent, root }: Pick<Question, "agent" | "root">): string {
  return root === undefined ? agent : `${root} › ${agent}`;
}
