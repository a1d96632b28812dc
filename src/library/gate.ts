import type { Approval } from "../core/approval.ts";
import type { Digest } from "../core/call.ts";
import type { Effect } from "../core/effect.ts";
import { decisionView, type Receipt } from "../core/receipt.ts";
import { cancel } from "../gate/cancel.ts";
import { check } from "../gate/check.ts";
import type { Deps } from "../gate/deps.ts";
import { effectOf } from "../gate/judging.ts";
import { type EndedSession, endSession } from "../gate/sessions.ts";
import { type ApprovalFilter, type ApprovalView, approvalView, listApprovals } from "./approvals.ts";
import { allAvailable } from "./available.ts";
import { bounded } from "./callback.ts";
import type { PolicyCallback } from "./callbacks.ts";
import type { ToolFunction } from "./carry.ts";
import { type Door, door } from "./door.ts";
import { grantsOf } from "./grants.ts";
import type { Guarded, GuardOptions } from "./guard.ts";
import type { CallInput } from "./input.ts";
import { layerOf, type PolicyLayer } from "./layer.ts";
import type { NotExecuted } from "./not-executed.ts";
import { noticesOf } from "./notices.ts";
import { agentsOf, by, pausesOf, peopleOf, VOUCHED } from "./people.ts";
import { ledgerOf, policyOf, trustRecords } from "./records.ts";
import { orThrow } from "./refusal.ts";
import { type ReviewInput, reviewFor } from "./reviews.ts";
import { runningOf } from "./running.ts";
import { type Identity, tightened } from "./scope.ts";
import { callable, checked, maybe, text, textOf } from "./shape.ts";
import { sending, speaking, type WaitOptions } from "./speaking.ts";
import { toolsOf } from "./tools.ts";

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

export type GateOptions = {
  /** The name of whoever asks without having said so; `runtime` when left out. */
  agent?: string;
  /** The folder that relative paths start from where a call names none; the project's when left out. */
  cwd?: string;
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
  const nowMs = parts.clock.nowMs();
  const { callback, agent = "runtime", cwd } = gateOptions(options, nowMs);
  const deps: Deps = callback === undefined ? parts : { ...parts, callback: bounded(callback, nowMs) };
  const entrance = door(deps, {
    agent,
    ...(cwd === undefined ? {} : { cwd }),
    ...(callback === undefined ? {} : { callback }),
  });
  return {
    ...speaking(entrance),
    withPolicy: (layer, fn) => {
      callable(fn, "fn");
      const { scopes } = entrance;
      return scopes.within(tightened(scopes.current(), layerOf(deps.policies.parse, layer, "withPolicy")), fn);
    },
    ...allAvailable(sending(entrance)),
    ...allAvailable(judging(entrance)),
    ...allAvailable(runningOf(entrance)),
    ...allAvailable(answers(entrance)),
    ...allAvailable(pausesOf(deps)),
    approvals: allAvailable({
      list: async (filter: ApprovalFilter = {}) => listApprovals(deps, filter),
      get: (approvalId: string) => approvalView(deps, approvalId),
    }),
    grants: allAvailable(grantsOf(deps)),
    tools: allAvailable(toolsOf(deps)),
    notices: allAvailable(noticesOf(deps)),
    agents: allAvailable(agentsOf(deps)),
    people: allAvailable(peopleOf(deps)),
    ledger: allAvailable(ledgerOf(deps)),
    trust: allAvailable(trustRecords(deps)),
    policy: allAvailable(policyOf(deps)),
    close: options.close ?? (() => deps.store.close()),
  };
}

/** Looked at before anything is opened: a gate that was set up wrongly is none. */
export function gateOptions(options: GateOptions, nowMs: number): GateOptions {
  return checked(options, {
    agent: maybe(text),
    cwd: maybe(text),
    callback: maybe((value) => void bounded(value as PolicyCallback, nowMs)),
    close: maybe(callable),
  });
}

function judging(entrance: Door): Pick<Gate, "check" | "classify"> {
  const { deps } = entrance;
  return {
    check: async (input) => {
      const { decision, effect, digest } = await check(deps, entrance.callOf(input), entrance.mannerOf(input));
      return { decision: decisionView(decision), effect, digest };
    },
    classify: async (input) => effectOf(deps, entrance.callOf(input), await deps.standing.current()),
  };
}

function answers({ deps, scopes, agent }: Door): Pick<Gate, "review" | "cancel" | "endSession"> {
  return {
    review: async (approvalId, input) => reviewFor(deps, approvalId, input),
    cancel: async (approvalId, who) =>
      orThrow(await cancel(deps, textOf(approvalId, "approvalId"), { ...by(who), ...VOUCHED })),
    endSession: async (session, who) => {
      textOf(session, "session");
      const asking = scopes.current().agent;
      // Outside `as` it is the program that ends the session, whichever agents worked in it.
      const own = asking === undefined ? { by: agent, isProgram: true as const } : { agent: asking, by: asking };
      return orThrow(await endSession(deps, { session, ...(who === undefined ? own : by(who)) }));
    },
  };
}
