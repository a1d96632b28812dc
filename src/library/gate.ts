import type { Approval } from "../core/approval.ts";
import type { Digest } from "../core/call.ts";
import type { ToldEffect } from "../core/effect.ts";
import type { Receipt } from "../core/receipt.ts";
import type { EndedSession } from "../gate/calls/sessions.ts";
import type { ApprovalFilter, ApprovalView } from "../service/approvals.ts";
import type { toolsOf } from "../service/declarations.ts";
import type { grantsOf } from "../service/grants.ts";
import type { noticesOf } from "../service/notices.ts";
import type { agentsOf, pausesOf, peopleOf } from "../service/people.ts";
import type { ledgerOf, policyOf, trustRecords } from "../service/records.ts";
import type { runningOf } from "../service/running.ts";
import type { CallInput, Identity } from "../service/shapes/call.ts";
import type { ReviewInput } from "../service/shapes/review.ts";
import type { ToolFunction } from "./carry.ts";
import type { Guarded, GuardOptions } from "./guard.ts";
import type { PolicyLayer } from "./layer.ts";
import type { NotExecuted } from "./not-executed.ts";

/** The current agent at this point of the program. */
export type Current = Identity & { agent: string; chain: readonly string[] };

/** What `check` answers: what would happen, with nothing recorded. */
export type Checked = { decision: Receipt["decision"]; effect: ToldEffect; digest: Digest };

/** All functions of a gate. Refusals are thrown as a `LeewayRefusal`. */
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
  /** Runs `fn` in the name of an agent. It can be nested: another agent inside is a sub-agent. */
  as<T>(identity: Identity, fn: () => T): T;
  /** Runs `fn` with one more policy layer, which can only make decisions stricter. */
  withPolicy<T>(layer: PolicyLayer, fn: () => T): T;
  current(): Current;
  /** Decides a call and records it. A denial is returned as a receipt, not thrown. */
  submit(input: CallInput): Promise<Receipt>;
  /**
   * Each call has its own row and outcome, in the given order. With `callId`, calls without an id get `<callId>-<n>`.
   */
  submitAll(inputs: readonly CallInput[], how?: { callId?: string }): Promise<readonly Receipt[]>;
  /** Decides without recording anything. */
  check(input: CallInput): Promise<Checked>;
  /** What the call would do to the world. */
  classify(input: CallInput): Promise<ToldEffect>;
  /** Until the question is answered, its time is over, or `timeoutMs` (60,000 when left out) have passed. */
  wait(approvalId: string, how?: WaitOptions): Promise<Receipt>;
  /** One person's answer, given through this program. */
  review(approvalId: string, input: ReviewInput): Promise<Approval>;
  /** Withdraws an open question, or an approval that has not been used. */
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
   * Ends a session: its grants are revoked and its questions withdrawn. Inside `as` an agent ends its own part;
   * outside, the program or a person ends all of it. An unknown session is an error.
   */
  endSession(session: string, who?: { by: string }): Promise<EndedSession>;
  close(): Promise<void>;
} & ReturnType<typeof pausesOf> &
  ReturnType<typeof runningOf>;

/** How long to wait for an answer; aborting the signal ends the wait. */
export type WaitOptions = { timeoutMs?: number; signal?: AbortSignal };
