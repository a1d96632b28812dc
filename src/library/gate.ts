import type { Approval } from "../core/approval.ts";
import type { Digest } from "../core/call.ts";
import type { Effect } from "../core/effect.ts";
import type { Execution } from "../core/execution.ts";
import type { AttemptId } from "../core/ids.ts";
import { decisionView, type Receipt } from "../core/receipt.ts";
import { cancel } from "../gate/cancel.ts";
import { check } from "../gate/check.ts";
import { renew, settle } from "../gate/claim.ts";
import type { Deps } from "../gate/deps.ts";
import { effectOf } from "../gate/judging.ts";
import { reconcile } from "../gate/reconcile.ts";
import { type EndedSession, endSession } from "../gate/sessions.ts";
import { type ApprovalFilter, type ApprovalView, approvalView, listApprovals } from "./approvals.ts";
import { allAvailable } from "./available.ts";
import { bounded } from "./callback.ts";
import type { PolicyCallback } from "./callbacks.ts";
import type { ToolFunction } from "./carry.ts";
import { type ClaimedCall, claimed, ownCall } from "./claimed.ts";
import { type Door, door } from "./door.ts";
import { grantsOf } from "./grants.ts";
import { type Guarded, type GuardOptions, guard } from "./guard.ts";
import { type CallInput, identityOf, jsonOf } from "./input.ts";
import { layerOf, type PolicyLayer } from "./layer.ts";
import type { NotExecuted } from "./not-executed.ts";
import { noticesOf } from "./notices.ts";
import { agentsOf, pausesOf, peopleOf, VOUCHED } from "./people.ts";
import { ledgerOf, policyOf, trustRecords } from "./records.ts";
import { orThrow } from "./refusal.ts";
import { answer, type ReviewInput } from "./reviews.ts";
import { type Identity, inside, tightened } from "./scope.ts";

/** Who is asking at this point of the program. */
export type Current = Identity & { agent: string; chain: readonly string[] };

/** How a call ended that this program carried out itself. */
export type SettleInput = { attempt: string } & ({ ok: true; result?: unknown } | { ok: false; error: string });

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
  wait(approvalId: string, how?: { timeoutMs?: number; signal?: AbortSignal }): Promise<Receipt>;
  /** One person's answer, vouched for by this program. */
  review(approvalId: string, input: ReviewInput): Promise<Approval>;
  /** Takes the right to carry a call out, and exactly the arguments it may be carried out with. */
  claim(executionId: string): Promise<ClaimedCall>;
  renew(executionId: string, held: { attempt: string }): Promise<Execution>;
  settle(executionId: string, input: SettleInput): Promise<Execution>;
  /** Withdraws a question that is open, or an approval that nobody has used. */
  cancel(approvalId: string, who: { by: string }): Promise<Approval>;
  /** A person looked and says how a call of unknown outcome ended. */
  reconcile(executionId: string, said: { by: string; ok: boolean; note: string }): Promise<Execution>;
  approvals: {
    list(filter?: ApprovalFilter): Promise<readonly Approval[]>;
    get(approvalId: string): Promise<ApprovalView>;
  };
  grants: ReturnType<typeof grantsOf>;
  notices: ReturnType<typeof noticesOf>;
  agents: ReturnType<typeof agentsOf>;
  people: ReturnType<typeof peopleOf>;
  ledger: ReturnType<typeof ledgerOf>;
  trust: ReturnType<typeof trustRecords>;
  policy: ReturnType<typeof policyOf>;
  /** Ends a session: its grants are revoked and its questions withdrawn. The agent ends its own; a person anybody's. */
  endSession(session: string, who?: { by: string }): Promise<EndedSession>;
  close(): Promise<void>;
} & ReturnType<typeof pausesOf>;

export type GateOptions = {
  /** The name of whoever asks without having said so; `runtime` when left out. */
  agent?: string;
  callback?: PolicyCallback;
  /** What to end when the gate is closed; the store, when left out. */
  close?: () => Promise<void>;
};

/**
 * The library's gate over parts of one's own, for tests. Programs use `openGate`, which finds the parts itself.
 *
 * @example
 * ```ts
 * import { testDeps } from "leeway/testing";
 * const gate = createGate(testDeps(), { agent: "coder" });
 * ```
 */
export function createGate(parts: Deps, options: GateOptions = {}): Gate {
  const { agent = "runtime", callback } = options;
  const deps: Deps = callback === undefined ? parts : { ...parts, callback: bounded(callback) };
  const entrance = door(deps, { agent, ...(callback === undefined ? {} : { callback }) });
  return {
    ...scoped(entrance),
    ...allAvailable(calls(entrance)),
    ...allAvailable(running(entrance)),
    ...allAvailable(answers(entrance)),
    ...allAvailable(pausesOf(deps)),
    approvals: allAvailable({
      list: (filter: ApprovalFilter = {}) => listApprovals(deps, filter),
      get: (approvalId: string) => approvalView(deps, approvalId),
    }),
    grants: allAvailable(grantsOf(deps)),
    notices: allAvailable(noticesOf(deps)),
    agents: allAvailable(agentsOf(deps)),
    people: allAvailable(peopleOf(deps)),
    ledger: allAvailable(ledgerOf(deps)),
    trust: allAvailable(trustRecords(deps)),
    policy: allAvailable(policyOf(deps)),
    close: options.close ?? (() => deps.store.close()),
  };
}

function scoped(entrance: Door): Pick<Gate, "guard" | "as" | "withPolicy" | "current"> {
  const { scopes, deps } = entrance;
  return {
    guard: <Args extends object, T>(name: string, fn: ToolFunction<Args, T>, options?: GuardOptions) =>
      // With `notExecuted: "throw"` the value never comes, which the overload above says and this one cannot.
      guard(entrance, name, fn, options) as Guarded<Args, T>,
    as: (identity, fn) => scopes.within(inside(scopes.current(), identityOf(identity)), fn),
    withPolicy: (layer, fn) =>
      scopes.within(tightened(scopes.current(), layerOf(deps.policies.parse, layer, "withPolicy")), fn),
    current: () => {
      const { layers: _, ...current } = scopes.current();
      return { agent: entrance.agent, ...current };
    },
  };
}

function calls(entrance: Door): Pick<Gate, "submit" | "submitAll" | "check" | "classify" | "wait"> {
  const { deps } = entrance;
  return {
    submit: async (input) => (await entrance.submit(input)).receipt,
    submitAll: async (inputs, how = {}) => {
      const named = inputs.map((input, n) => ({ ...input, ...callIdOf(input, n, how.callId) }));
      // All are looked at before the first is sent: a malformed one must not leave half a batch behind.
      for (const input of named) entrance.callOf(input);
      const receipts: Receipt[] = [];
      for (const input of named) receipts.push((await entrance.submit(input)).receipt);
      return receipts;
    },
    check: async (input) => {
      const { decision, effect, digest } = await check(deps, entrance.callOf(input), entrance.mannerOf(input));
      return { decision: decisionView(decision), effect, digest };
    },
    classify: async (input) => effectOf(deps, entrance.callOf(input), await deps.standing.current()),
    wait: (approvalId, how = {}) => entrance.wait(approvalId, { timeoutMs: 60_000, ...how }),
  };
}

function answers({ deps, scopes, agent }: Door): Pick<Gate, "review" | "cancel" | "endSession"> {
  return {
    review: (approvalId, input) => answer(deps, approvalId, input),
    cancel: async (approvalId, who) => orThrow(await cancel(deps, approvalId, { by: who.by, ...VOUCHED })),
    endSession: async (session, who) => {
      const asking = scopes.current().agent ?? agent;
      return orThrow(await endSession(deps, { session, ...(who ?? { agent: asking, by: asking }) }));
    },
  };
}

function callIdOf(input: CallInput, n: number, callId: string | undefined): { callId?: string } {
  return input.callId === undefined && callId !== undefined ? { callId: `${callId}-${n}` } : {};
}

function running(entrance: Door): Pick<Gate, "claim" | "renew" | "settle" | "reconcile"> {
  const { deps } = entrance;
  return {
    claim: async (executionId) => {
      await ownCall(entrance, executionId);
      return claimed(deps, executionId);
    },
    renew: async (executionId, { attempt }) => {
      await ownCall(entrance, executionId);
      return orThrow(await renew(deps, executionId, attempt as AttemptId));
    },
    settle: async (executionId, input) => {
      await ownCall(entrance, executionId);
      const ending = input.ok ? { ok: true as const, result: jsonOf(input.result ?? null, "result") } : input;
      return orThrow(await settle(deps, executionId, { attempt: input.attempt as AttemptId, by: "caller", ending }));
    },
    reconcile: async (executionId, said) => orThrow(await reconcile(deps, executionId, { ...said, ...VOUCHED })),
  };
}
