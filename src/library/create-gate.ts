import { decisionView } from "../core/decide/receipt-of.ts";
import { cancel } from "../gate/approvals/cancel.ts";
import { check } from "../gate/calls/check.ts";
import { effectOf } from "../gate/calls/judging.ts";
import { endSession } from "../gate/calls/sessions.ts";
import type { Deps } from "../gate/deps.ts";
import { type ApprovalFilter, approvalView, listApprovals } from "../service/approvals.ts";
import { allAvailable } from "../service/available.ts";
import { toolsOf } from "../service/declarations.ts";
import { grantsOf } from "../service/grants.ts";
import { noticesOf } from "../service/notices.ts";
import { agentsOf, by, pausesOf, peopleOf, VOUCHED } from "../service/people.ts";
import { ledgerOf, policyOf, trustRecords } from "../service/records.ts";
import { orThrow } from "../service/refusal.ts";
import { reviewFor } from "../service/reviews.ts";
import { runningOf } from "../service/running.ts";
import { tightened } from "../service/scope.ts";
import { callable, checked, maybe, text, textOf } from "../service/shape.ts";
import { bounded } from "./bounded-callback.ts";
import type { PolicyCallback } from "./callbacks.ts";
import { type Door, door } from "./door.ts";
import type { Gate } from "./gate.ts";
import { layerOf } from "./layer.ts";
import { sending, speaking } from "./speaking.ts";

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
