import type { Approval } from "../core/approval.ts";
import type { Digest } from "../core/call.ts";
import type { Effect } from "../core/effect.ts";
import type { Receipt } from "../core/receipt.ts";
import type { EndedSession } from "../gate/calls/sessions.ts";
import type { ApprovalFilter, ApprovalView } from "../service/approvals.ts";
import type { toolsOf } from "../service/declarations.ts";
import type { grantsOf } from "../service/grants.ts";
import type { CallInput } from "../service/input.ts";
import type { noticesOf } from "../service/notices.ts";
import type { agentsOf, pausesOf, peopleOf } from "../service/people.ts";
import type { ledgerOf, policyOf, trustRecords } from "../service/records.ts";
import type { ReviewInput } from "../service/reviews.ts";
import type { runningOf } from "../service/running.ts";
import type { Identity } from "../service/scope.ts";
import type { ToolFunction } from "./carry.ts";
import type { Guarded, GuardOptions } from "./guard.ts";
import type { PolicyLayer } from "./layer.ts";
import type { NotExecuted } from "./not-executed.ts";

/** Who is asking at this point of the program. */
export type Current = Identity & { agent: string; chain: readonly string[] };

/** What `check` answers: what would happen, with nothing recorded. */
export type Checked = { decision: Receipt["decision"]; effect: Effect; digest: Digest };

/** All verbs behind one object. What it will not do it throws as a `LeewayRefusal`. */
export type Gate = {
  /** Puts a tool behind the gate: every call of the function it returns is decided, recorded and run at most once. */
  guard<Args extends object, T>(
    name: string,
    fn: ToolFunction<Args, T>,
    options: GuardOptions & { notExecuted: "throw" },
  ): Guarded<Args, T>;
  guard<Args extends object, T>(
    name: string,
    fn: ToolFunction<Args, T>,
    options?: GuardOptions,
  ): Guarded<Args, T | NotExecuted>;
  /** Runs `fn` in somebody's name. It nests: another agent inside is a sub-agent of the one around. */
  as<T>(identity: Identity, fn: () => T): T;
  /** Runs `fn` under one more layer of policy. A layer only tightens. */
  withPolicy<T>(layer: PolicyLayer, fn: () => T): T;
  current(): Current;
  /** Decides a call and records it. A denial is a receipt too. */
  submit(input: CallInput): Promise<Receipt>;
  /** One row and one outcome each, in the order given. With `callId`, calls without one are called `<callId>-<n>`. */
  submitAll(inputs: readonly CallInput[], how?: { callId?: string }): Promise<readonly Receipt[]>;
  /** Decides without recording anything. */
  check(input: CallInput): Promise<Checked>;
  /** What the call would do to the world. */
  classify(input: CallInput): Promise<Effect>;
  /** Until the question is answered, its time is over, or `timeoutMs` (60,000 when left out) have passed. */
  wait(approvalId: string, how?: WaitOptions): Promise<Receipt>;
  /** One person's answer, vouched for by this program. */
  review(approvalId: string, input: ReviewInput): Promise<Approval>;
  /** Withdraws a question that is open, or an approval that nobody has used. */
  cancel(approvalId: string, who: { by: string }): Promise<Approval>;
  approvals: {
    list(filter?: ApprovalFilter): Promise<readonly Approval[]>;
    get(approvalId: string): Promise<ApprovalView>;
  };
  grants: ReturnType<typeof grantsOf>;
  tools: ReturnType<typeof toolsOf>;
  notices: ReturnType<typeof noticesOf>;
  agents: ReturnType<typeof agentsOf>;
  people: ReturnType<typeof peopleOf>;
  ledger: ReturnType<typeof ledgerOf>;
  trust: ReturnType<typeof trustRecords>;
  policy: ReturnType<typeof policyOf>;
  /**
   * Ends a session: its grants are revoked and its questions withdrawn. Inside `as` the agent ends its own part; outside, the
   * program ends all of it, and so does a person. A session that nobody has heard of is an error.
   */
  endSession(session: string, who?: { by: string }): Promise<EndedSession>;
  close(): Promise<void>;
} & ReturnType<typeof pausesOf> &
  ReturnType<typeof runningOf>;

/** How long to wait for an answer; whoever aborts the signal waits no longer. */
export type WaitOptions = { timeoutMs?: number; signal?: AbortSignal };
