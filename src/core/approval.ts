import type { Digest } from "./call.ts";
import type { EffectClass } from "./effect.ts";
import type { AgentName, ApprovalId, CallId, ExecutionId, GrantId, PersonName, WorkspaceId } from "./ids.ts";
import { type Message, say } from "./messages/message.ts";
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
  /** Given in a bulk answer; such a review is never enough for a call that needs a human. */
  bulk: boolean;
  /** The question was marked as needing a human. The person had just signed in and answered this question alone. */
  human?: true;
  /**
   * Who made the token or set the passphrase used for this review, if that was another person: the review counts as
   * theirs.
   */
  madeBy?: PersonName;
};

/** Words of a person to the agent, without an answer: the question stays open. Secrets in the text are masked. */
export type Reply = { by: PersonName; text: string; atMs: number };

/** One person asked another, who may answer too, to answer the question. This gives nobody a permission. */
export type Handover = { by: PersonName; to: PersonName; note: string; atMs: number };

/** One person does not want to see the question in their list before this time. */
export type Snooze = { by: PersonName; untilMs: number };

/** How the caller of a question makes boxes. */
export type CallerBoxes = {
  rehearses: boolean;
  ownRepository?: boolean;
  tools?: boolean;
  /** No box: the former bytes of these files are kept under this name while the caller writes them. */
  kept?: { name: string; paths: readonly string[] };
};

/** Which side runs the call; fixed when the question is opened. */
export type RunBy = "caller" | "leeway";

/** The rules for this question, fixed when it was opened. */
export type Question = {
  id: ApprovalId;
  workspace: WorkspaceId;
  call: CallId;
  agent: AgentName;
  /** The agent above, if this is a sub-agent. */
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
  /** After escalation, the people named here may answer too. */
  escalate?: { atMs: number; to: readonly string[]; done: boolean };
  remind?: { atMs: number; done: boolean };
  selfReview: boolean;
  assurance: "person" | "any";
  policyVersion: Hash;
  runBy: RunBy;
  /** The caller can run the call with other arguments than it sent (an edit). */
  editable?: boolean;
  /** The caller makes boxes, as `Standing.box` says. */
  boxes?: CallerBoxes;
  /**
   * The gate itself wrote the arguments: they are a plan, and an approval gives a grant for each step that it covers. A call
   * of the same tool that an agent makes up does not have this mark. `wider`: some steps allow more than exactly one call.
   */
  plan?: "exact" | "wider";
  idempotent: boolean;
  capabilities: readonly string[];
  requestedBy?: PersonName;
  /** Other people who asked for the same call while the question was open. */
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
  /** How often the same call was sent again after a denial; an agent that insists is paused. */
  insisted: number;
  /** Oldest first. */
  replies?: readonly Reply[];
  /** How many of the replies ended a wait of the agent. */
  repliesTold?: number;
  /** Oldest first. */
  handed?: readonly Handover[];
  /** At most one for each person. */
  snoozed?: readonly Snooze[];
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

/** Everybody who asked for this call. None of them may answer, unless the policy allows it. */
export function requestersOf({
  requestedBy,
  joinedBy = [],
}: Pick<Question, "requestedBy" | "joinedBy">): readonly PersonName[] {
  return requestedBy === undefined ? joinedBy : [requestedBy, ...joinedBy];
}

/** The same question with one more requester; undefined if they had already asked. */
export function joinedQuestion<Q extends Question>(question: Q, by: PersonName | undefined): Q | undefined {
  if (by === undefined || requestersOf(question).includes(by)) return undefined;
  return { ...question, joinedBy: [...(question.joinedBy ?? []), by] };
}

/** A question expires by the clock; recording it is only bookkeeping. */
export function isOpen(approval: Approval, nowMs: number): approval is Pending {
  return approval.state === "pending" && nowMs < approval.answerByMs;
}

/** The current state, whether or not the expiry has been recorded yet. */
export function stateAt(approval: Approval, nowMs: number): Approval["state"] {
  return approval.state === "pending" && nowMs >= approval.answerByMs ? "expired" : approval.state;
}

/** The state of a question as people read it. */
export function stateMessage(state: Approval["state"]): Message {
  return say(`state.${state}`);
}

/** The message that says who was asked to answer the question, and by whom. */
export function handedMessage({ by, to, note }: Handover): Message {
  return note === "" ? say("notice.handed_to", { to, by }) : say("notice.handed_to_note", { to, by, note });
}

/** Who asks, with the agent it is a sub-agent of. */
export function askerOf({ agent, root }: Pick<Question, "agent" | "root">): string {
  return root === undefined ? agent : `${root} › ${agent}`;
}

/** The same question with these snoozes; the key is left out if there are none. */
export function withSnoozes<Q extends Question>(question: Q, snoozed: readonly Snooze[]): Q {
  const { snoozed: _, ...rest } = question;
  return { ...rest, ...(snoozed.length === 0 ? {} : { snoozed }) } as Q;
}

/** Until when this person has put the question aside, if they have. */
export function snoozedUntilMs({ snoozed = [] }: Question, by: PersonName, nowMs: number): number | undefined {
  return snoozed.find((one) => one.by === by && one.untilMs > nowMs)?.untilMs;
}
