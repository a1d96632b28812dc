import { decisionView } from "../core/decide/receipt-of.ts";
import { inEnglish } from "../core/messages/in-english.ts";
import { cancel } from "../gate/approvals/cancel.ts";
import { check } from "../gate/calls/check.ts";
import { effectOf } from "../gate/calls/judging.ts";
import { endSession } from "../gate/calls/sessions.ts";
import type { Deps } from "../gate/deps.ts";
import { type ApprovalFilter, approvalsFor, approvalView } from "../service/approvals.ts";
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
import { callable, maybe, object, parse, text, textOf } from "../service/shape.ts";
import { CALL } from "../service/shapes/call.ts";
import { bounded, callbackAt } from "./bounded-callback.ts";
import type { PolicyCallback } from "./callbacks.ts";
import { type Door, door } from "./door.ts";
import type { Gate } from "./gate.ts";
import { layerOf } from "./layer.ts";
import { sending, speaking } from "./speaking.ts";

export type GateOptions = {
  /** The default name of the agent: `runtime`. */
  agent?: string;
  /** The folder for relative paths if a call names none; by default the project. */
  cwd?: string;
  callback?: PolicyCallback;
  /** What to close with the gate; by default the store. */
  close?: () => Promise<void>;
};

/**
 * A gate with parts of your own, for tests. Programs use `openGate`, which finds the parts itself.
 * @example
 * ```ts
 * import { testDeps } from "leeway/testing";
 * const gate = createGate(testDeps(), { agent: "coder" });
 * ```
 */
export function createGate(parts: Deps, options: GateOptions = {}): Gate {
  return gateOver(parts, gateOptions(options, parts.clock.nowMs()));
}

/** The same with options that were looked at. */
export function gateOver(parts: Deps, options: GateOptions): Gate {
  const { callback, agent = "runtime", cwd } = options;
  const deps: Deps = callback === undefined ? parts : { ...parts, callback: bounded(callback) };
  const entrance = door(deps, {
    agent,
    ...(cwd === undefined ? {} : { cwd }),
    ...(callback === undefined ? {} : { callback }),
  });
  return {
    ...speaking(entrance),
    withPolicy: (layer, fn) => {
      parse(callable(), fn, "fn");
      const { scopes } = entrance;
      return scopes.within(tightened(scopes.current(), layerOf(deps.policies.parse, layer, "withPolicy")), fn);
    },
    ...allAvailable(sending(entrance)),
    ...allAvailable(judging(entrance)),
    ...allAvailable(runningOf(entrance)),
    ...allAvailable(answers(entrance)),
    ...allAvailable(pausesOf(deps)),
    approvals: allAvailable({
      list: async (filter: ApprovalFilter = {}) => approvalsFor(deps, filter),
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

/** Checked before anything is opened, so that wrong options never give a working gate. */
export function gateOptions(options: GateOptions, nowMs: number): GateOptions {
  const callback = maybe(callbackAt(nowMs));
  return parse(object({ agent: maybe(text), cwd: maybe(text), callback, close: maybe(closing) }), options);
}

const closing = callable<() => Promise<void>>();

function judging(entrance: Door): Pick<Gate, "check" | "classify"> {
  const { deps } = entrance;
  return {
    check: async (input) => {
      const said = parse(CALL, input);
      const { decision, effect, digest } = await check(deps, entrance.callOf(said), entrance.mannerOf(said));
      return { decision: decisionView(decision), effect: inEnglish(effect), digest };
    },
    classify: async (input) =>
      inEnglish(effectOf(deps, entrance.callOf(parse(CALL, input)), await deps.standing.current())),
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
      // Outside `as` the program ends the whole session, for all agents in it.
      const own = asking === undefined ? { by: agent, isProgram: true as const } : { agent: asking, by: asking };
      return orThrow(await endSession(deps, { session, ...(who === undefined ? own : by(who)) }));
    },
  };
}
