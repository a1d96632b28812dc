import type { Approval, Reply } from "../core/approval.ts";
import type { Digest } from "../core/call.ts";
import { EFFECT_CLASSES, type ToldEffect } from "../core/effect.ts";
import type { Receipt } from "../core/receipt.ts";
import type { JsonObject } from "../core/values/json.ts";
import type { EndedSession } from "../gate/calls/sessions.ts";
import type { PolicyInForce } from "../gate/standing/policy.ts";
import type { ApprovalFilter, ApprovalView } from "../service/approvals.ts";
import type { toolsOf } from "../service/declarations.ts";
import type { grantsOf } from "../service/grants.ts";
import type { agentsOf, pausesOf, peopleOf } from "../service/people.ts";
import type { PlanReceipt } from "../service/plans.ts";
import type { ledgerOf, policyOf, trustRecords } from "../service/records.ts";
import type { runningOf } from "../service/running.ts";
import { callable, flag, maybe, object, oneOf, type TypeOf, text, whole } from "../service/shape.ts";
import { type CallInput, definition, type Identity } from "../service/shapes/call.ts";
import type { PlanInput } from "../service/shapes/plan.ts";
import type { ReviewInput } from "../service/shapes/review.ts";
import type { triageOf } from "../service/triage.ts";
import type { noticesOf } from "../service/views/notices.ts";
import type { PolicyLayer } from "./layer.ts";
import type { NotExecuted } from "./not-executed.ts";

/** The current agent at this point of the program. */
export type Current = Identity & { agent: string; chain: readonly string[] };

/** The result of `check`: what would happen; nothing is recorded. */
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
  /**
   * Decides one call and runs `fn` for it, once, as a guarded tool would. For programs that get their tools from
   * elsewhere, such as an agent SDK: nothing is registered, so the gate cannot run the call later by itself.
   */
  run<T>(input: CallInput, fn: ToolFunction<JsonObject, T>, how?: RunOptions): Promise<T | NotExecuted>;
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
  /**
   * Asks people once about several calls that an agent intends to make. Each call is decided, none of them runs, and an
   * approval allows every call that would have been asked about once, exactly as it was shown.
   */
  submitPlan(plan: PlanInput): Promise<PlanReceipt>;
  /** Decides without recording anything. */
  check(input: CallInput): Promise<Checked>;
  /**
   * The current state of a call that was submitted before, by the id that the caller gave it; undefined if there is none.
   * It only reads: nothing is decided, claimed or counted.
   */
  find(named: CallName): Promise<Receipt | undefined>;
  /** What the call would do to the world. */
  classify(input: CallInput): Promise<ToldEffect>;
  /**
   * Waits until the question is answered, its time is over, or `timeoutMs` (60,000 if left out) have passed. A wait also
   * ends, once for each reply, when a reviewer writes to the agent: then the receipt has `newReplies`, and you wait again.
   */
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
  ReturnType<typeof runningOf> &
  ReturnType<typeof triageOf>;

/** How long to wait for an answer; aborting the signal ends the wait. */
export type WaitOptions = { timeoutMs?: number; signal?: AbortSignal };

/** The options of `guard`. */
export const GUARD_OPTIONS = object({
  /** What the tool does, if the tables do not know the tool. It cannot make a known tool count as less dangerous. */
  class: maybe(oneOf(EFFECT_CLASSES)),
  /** True promises that running the same call twice has the same effect as running it once. */
  idempotent: maybe(flag),
  /** The tool's definition as its MCP server gives it, or its hash; it is sent with every call. */
  definition: maybe(definition),
  /** How long a call waits for the reviewers; 600,000 if left out. */
  waitMs: maybe(whole(0)),
  /**
   * Called with everything that a reviewer writes to the agent while the call waits. The wait goes on. If this function
   * throws, the wait ends with that error, and the question stays open.
   */
  onReply: maybe(callable<(reply: Reply) => void | Promise<void>>()),
  /** A call that was only proposed returns a `NotExecuted` value, or throws a `LeewayRefusal`. */
  notExecuted: maybe(oneOf(["return", "throw"])),
});

export type GuardOptions = Omit<TypeOf<typeof GUARD_OPTIONS>, "definition"> & {
  /** The tool's definition as its MCP server gives it, or its hash; it is sent with every call. */
  definition?: CallInput["definition"];
};

/** The options of `guard` for a gate on a server: only the server's policy says what a tool does. */
export type ServerGuardOptions = Omit<GuardOptions, "class" | "idempotent"> & { class?: never; idempotent?: never };

/** A gate on a server. */
export type ServerGate = Omit<Gate, "guard" | "policy"> & {
  /** The policy of the server; it does not know the layers of `withPolicy`, which are sent with each call. */
  policy: Omit<Gate["policy"], "inForce"> & { inForce(): Promise<PolicyInForce> };
  /** As in `Gate`, without what only the server's policy may say about a tool. */
  guard<Args extends object, T>(
    name: string,
    fn: ToolFunction<Args, T>,
    options: ServerGuardOptions & { notExecuted: "throw" },
  ): Guarded<Args, T>;
  guard<Args extends object, T>(
    name: string,
    fn: ToolFunction<Args, T>,
    options?: ServerGuardOptions,
  ): Guarded<Args, T | NotExecuted>;
};

/** What may be different in each call of a guarded tool. */
export type CallDetails = Pick<CallInput, "callId" | "says" | "cwd" | "claims" | "replayOf">;

/** The id that a caller gave to a call, and the agent, session and run of it, which are taken from the scope if left out. */
export const CALL_NAME = object({ callId: text, agent: maybe(text), session: maybe(text), run: maybe(text) });
export type CallName = TypeOf<typeof CALL_NAME>;

/** How `run` waits for the reviewers. Aborting the signal ends the waiting; the question stays open. */
export type RunOptions = Pick<GuardOptions, "waitMs" | "onReply"> & { signal?: AbortSignal };

export type Guarded<Args, T> = (args: Args, details?: CallDetails) => Promise<T>;

/** What a tool is told besides its arguments. */
export type Carrying = {
  /** Aborted if the claim is lost while the tool runs. */
  signal: AbortSignal;
  /** The same for every attempt of one call, for services that ignore repeated requests. */
  idempotencyKey: string;
  /** The original arguments, if a reviewer changed them; tell the agent with the result. */
  askedFor?: JsonObject;
};

export type ToolFunction<Args, T> = (args: Args, carrying: Carrying) => T | Promise<T>;
