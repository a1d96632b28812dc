import type { BoxReport, PreparedBox, ProgramStart } from "../../box-port.ts";
import type { ShownRow, TokenView } from "../../client/views.ts";
import type { Approval } from "../../core/approval.ts";
import type { Box } from "../../core/box.ts";
import type { Digest, ToolCall } from "../../core/call.ts";
import type { ChannelKind } from "../../core/channel.ts";
import type { Refused } from "../../core/codes.ts";
import type { Execution } from "../../core/execution.ts";
import type { Entry } from "../../core/ledger.ts";
import type { Agent, Person } from "../../core/people.ts";
import type { Receipt } from "../../core/receipt.ts";
import type { EntryProof } from "../../core/record/proof.ts";
import type { SessionSummary } from "../../core/session.ts";
import type { Card } from "../../core/show/card.ts";
import type { Declaration } from "../../core/standing/declaration.ts";
import type { Grant } from "../../core/standing/grant.ts";
import type { PauseScope, PauseText, Promotion } from "../../core/standing/standing.ts";
import type { GraphChain } from "../../core/trust/opentrustgraph.ts";
import type { JsonObject } from "../../core/values/json.ts";
import type { Remember } from "../../gate/approvals/remember.ts";
import type { Rehearsed } from "../../gate/boxes/changes.ts";
import type { Progress } from "../../gate/record/ledger.ts";
import type { TrustText } from "../../gate/record/trust.ts";
import type { Move } from "../../gate/standing/agents.ts";
import type { HeldGrant } from "../../gate/standing/grants.ts";
import type { PolicyInForce } from "../../gate/standing/policy.ts";
import type { Calls, Holding } from "../../library/guard.ts";
import type { EntryFilter } from "../../ports.ts";
import type { AgentView } from "../../service/people.ts";
import type { PlanReceipt } from "../../service/plans.ts";
import type { PlanInput } from "../../service/shapes/plan.ts";
import type { ChannelView, DeadView, TestView } from "../../service/views/channels.ts";
import type { Inbox, InboxPart } from "../../service/views/inbox.ts";
import type { LoginView, OfferView } from "../../service/views/mcp.ts";
import type { NoticeView } from "../../service/views/notices.ts";
import type { Status } from "../../service/views/status.ts";
import type { CallExplanation } from "../../service/views/why.ts";
import type { CallGiven } from "../calls.ts";
import type { CheckedLine } from "../views/texts.ts";

/** Everything that commands need from a gate, on this machine or on a server. Refusals are thrown. */
export type CommandGate = {
  /** The time that the gate uses. */
  nowMs(): number;
  whereabouts: HelpTexts;
  /** Records what has expired, if no other process does it. */
  keepTime(): Promise<void>;
  status(): Promise<StatusShown>;
  /** What would happen to a call. Records nothing. */
  check(call: CallGiven, boxes: CheckedBoxes): Promise<CheckedCall>;
  /** Asks people once about several calls. */
  submitPlan(plan: PlanInput): Promise<PlanReceipt>;
  policy(): Promise<PolicyInForce>;
  /** One line for each policy file on this machine that differs from what is in force. */
  policyNotes(): Promise<readonly string[]>;
  /** What `leeway run` needs. */
  calls(): Promise<CommandCalls>;
  /** The questions that wait for the reader; `aside`: the questions that the reader has put aside. */
  inbox(which?: InboxPart): Promise<Inbox>;
  /** Notices other than questions, newest first: of the reader, or of everybody if nobody is named. */
  told(): Promise<readonly NoticeView[]>;
  /** The inbox for an interactive screen; `ring` is called when something may have changed. */
  liveInbox(ring: () => void): Promise<LiveInbox>;
  /** Finds the row with this id, or the only row whose id starts with it. */
  row(id: string): Promise<ShownRow>;
  why(id: string): Promise<CallExplanation>;
  entries(where: EntryFilter, page: { limit: number; order: "newest" | "oldest" }): Promise<readonly Entry[]>;
  /** The whole chain, a line of JSON for each entry. */
  exportLines(): AsyncIterable<string>;
  /** One entry with the proof that it was signed. */
  proof(index: number, how: { onProgress: Progress }): Promise<EntryProof>;
  trust(agent: string): Promise<TrustText>;
  /** The track records as an OpenTrustGraph chain, of one agent or of all. */
  trustChain(filter: { agent?: string }): Promise<GraphChain>;
  /** The sessions of recent calls, those that wait for somebody first. */
  sessions(): Promise<readonly SessionSummary[]>;
  /** What MCP servers offer, and what people said to it. */
  mcp(): Promise<{ offers: readonly OfferView[]; logins: readonly LoginView[] }>;
  agents(): Promise<readonly Agent[]>;
  agent(name: string): Promise<AgentView>;
  grants(): Promise<readonly HeldGrant[]>;
  tools(): Promise<readonly Declaration[]>;
  people(): Promise<readonly PersonListed[]>;
  tokens(): Promise<readonly TokenView[]>;
  /** The channels of the policy, as the process that sends sees them; on this machine, as this terminal does. */
  channels(): Promise<readonly ChannelView[]>;
  /** Notices that were given up. */
  deadNotices(): Promise<readonly DeadView[]>;
  /** Refuses an option that needs a fresh sign-in, if there is only a token. */
  ensureFresh(option: string): void;
  /** Proves who acts: at this machine by a passphrase at a terminal, at a server by the token. */
  prove(act: string): Promise<PersonActs>;
};

/** Texts that say where people can look: for an explanation, to answer, to lift a pause. */
export type HelpTexts = { why(call: string): string; inbox: string; lift(scope: PauseScope): string };

/** What a person can do after they proved who they are. */
export type PersonActs = {
  name: string;
  review(approvalId: string, answer: ReviewAnswer): Promise<Approval>;
  /** Words to the agent, without an answer. */
  reply(approvalId: string, text: string): Promise<Approval>;
  handOver(approvalId: string, to: { to: string; note: string }): Promise<Approval>;
  /** `until`: an ISO time, or `now` to take it back. */
  snooze(approvalId: string, until: string): Promise<Approval>;
  /** The arguments of a question without masking; the record says who looked. */
  reveal(approvalId: string): Promise<JsonObject>;
  reconcile(executionId: string, said: { ok: boolean; note: string }): Promise<Execution>;
  pause(scope: PauseScope, because: string): Promise<PauseText>;
  promote(move: Omit<Move, "by">): Promise<Promotion>;
  demote(move: Omit<Move, "by">): Promise<Promotion>;
  revokeGrant(id: string): Promise<Grant>;
  forgetTool(id: string): Promise<Declaration>;
  revokeToken(id: string): Promise<TokenView>;
  testChannel(kind: ChannelKind): Promise<TestView>;
  retryNotice(id: string): Promise<NoticeView>;
};

/** An answer to exactly what was shown. */
export type ReviewAnswer = { verdict: "approve" | "deny"; digest: Digest; note: string; remember?: Remember };

/** What would be decided about a call: the output for programs, and a description. */
/**
 * Whether whoever would run a call starts it in a box, if this machine can make one; `live`: in one that changes files where they are;
 * `kept`: in none, but a hook keeps the former bytes of what the call writes.
 */
export type CheckedBoxes = boolean | "live" | "kept";

export type CheckedCall = {
  checked: CheckedLine;
  call: Pick<ToolCall, "agent" | "tool">;
  said: Pick<Card, "sentence" | "parts">;
};

export type CommandCalls = Holding &
  Pick<Calls, "wait"> & {
    /** `background`: another process will start the call, in a box that changes files where they are. */
    submit(call: CallGiven, how?: { background: boolean }): Promise<{ call: ToolCall; receipt: Receipt }>;
    /** The reason for the caller if nobody is there to answer; undefined if somebody is. */
    unanswerable(receipt: Receipt, agent: string): Promise<Receipt | undefined>;
    /** Set if this machine makes boxes for the calls of this gate. */
    boxes?: CommandBoxes;
  };

/** What a command needs to run a call in a box. */
export type CommandBoxes = {
  /** Without links in its path. */
  project: string;
  /** Whether a program can be kept in the background. */
  keeps: boolean;
  prepare(start: ProgramStart, box: Box): Promise<PreparedBox>;
  /** Decides about what a rehearsed command changed, and applies it if nobody has to be asked. */
  submitChanges(call: Rehearsed["call"], report: BoxReport, box: Box): Promise<Receipt | undefined>;
  /** Applies changes that may be applied, and returns how that ended. */
  apply(receipt: Receipt): Promise<Receipt>;
};

export type LiveInbox = {
  /** The questions and notices as they are now. */
  look(): Promise<{ inbox: Inbox; told: readonly NoticeView[] }>;
  /** The time of the last event of a notice. */
  toldMs(notice: NoticeView): Promise<number>;
  readNotice(id: string): Promise<void>;
  /** Who else can answer a question; undefined if only a server knows. */
  others(approvalId: string): Promise<readonly string[] | undefined>;
  keyring: Keyring;
  stop(): void;
};

/** Whether the person at the screen has proved who they are. This is kept only in this process, for a short time. */
export type Keyring = {
  person: string;
  isOpen(): boolean;
  /** The reason if it stays locked. */
  open(passphrase: string): Promise<{ ok: true } | Refused>;
  /** Throws while it is locked. */
  acts(): PersonActs;
};

/** A server does not tell whether somebody has a passphrase. */
export type PersonListed = Pick<Person, "name" | "admin" | "auditor" | "groups" | "state" | "addedMs"> & {
  hasPassphrase?: boolean;
};

/** The state of this machine's gate and its files; or the state of a server, as far as the token may see it. */
export type StatusShown = StatusHere | ({ server: string } & Status) | { server: string; policy: null };
export type StatusHere = Omit<Status, "pauses"> & {
  /** Each with the command that lifts it. */
  pauses: readonly (Status["pauses"][number] & { lift: string })[];
} & Machine;

/** Where things are on this machine. */
export type Machine = {
  project: string;
  database: string;
  stateFolder: string;
  /** The file of the key, or the variable that contains it. */
  key: string;
  /** Variables that changed where things are. */
  overrides: Readonly<Record<string, string>>;
  /** The server that runs on this database. */
  server: { url: string; pid: number } | null;
};
