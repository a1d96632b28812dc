import { callKeyOf } from "../core/call.ts";
import { decisionView } from "../core/decide/explain.ts";
import type { ApprovalId } from "../core/ids.ts";
import { say } from "../core/messages/message.ts";
import { inEnglish } from "../core/messages/text.ts";
import type { Receipt } from "../core/receipt.ts";
import type { CallRow } from "../core/rows/rows.ts";
import { approvalAt } from "../gate/approvals/approval-at.ts";
import { cancel } from "../gate/approvals/cancel.ts";
import { callWithKey } from "../gate/calls/call-at.ts";
import { renew, settle } from "../gate/calls/claim.ts";
import { type CallerOptions, check, effectOf, PROGRAM_DOOR } from "../gate/calls/judging.ts";
import { endSession } from "../gate/calls/sessions.ts";
import { submit } from "../gate/calls/submit.ts";
import { wait } from "../gate/calls/wait.ts";
import type { Deps } from "../gate/deps.ts";
import { type ApprovalFilter, approvalsFor, approvalView } from "../service/approvals.ts";
import { claimed } from "../service/claimed.ts";
import { toolsOf } from "../service/declarations.ts";
import { grantsOf } from "../service/grants.ts";
import { agentsOf, by, pausesOf, peopleOf, VOUCHED } from "../service/people.ts";
import { planned } from "../service/plans.ts";
import { layerOf } from "../service/policy-layer.ts";
import { ledgerOf, policyOf, trustRecords } from "../service/records.ts";
import { allAvailable, badInput, LeewayRefusal, orThrow } from "../service/refusal.ts";
import { reviewBy, reviewFor } from "../service/reviews.ts";
import { runningOf } from "../service/running.ts";
import { callOf, nameIn, type ProgramScope, type Scopes, scopes, tightened } from "../service/scope.ts";
import { anyFunction, callable, maybe, object, parse, text, textOf } from "../service/shape.ts";
import { CALL, type ReadCall } from "../service/shapes/call.ts";
import { PERSON_ANSWER } from "../service/shapes/review.ts";
import { triageOf } from "../service/triage.ts";
import { noticesOf } from "../service/views/notices.ts";
import { bounded, callbackAt } from "./bounded-callback.ts";
import type { PolicyCallback } from "./callbacks.ts";
import { CALL_NAME, type Gate } from "./gate.ts";
import { type Entrance, errorText, type GuardedTool, guardVerbs, type Holding, submitVerbs } from "./guard.ts";

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

/** The same, with options that were checked. `asked` is called whenever a call waits for an answer. */
export function gateOver(parts: Deps, options: GateOptions, asked: () => void = () => undefined): Gate {
  const { callback, agent = "runtime", cwd } = options;
  const deps: Deps = callback === undefined ? parts : { ...parts, callback: bounded(callback) };
  const entrance = localEntrance(deps, {
    agent,
    asked,
    ...(cwd === undefined ? {} : { cwd }),
    ...(callback === undefined ? {} : { callback }),
  });
  return {
    ...guardVerbs(entrance),
    withPolicy: (layer, fn) => {
      parse(anyFunction, fn, "fn");
      const { scopes } = entrance;
      return scopes.within(tightened(scopes.current(), layerOf(deps.policies.parse, layer, "withPolicy")), fn);
    },
    ...allAvailable(submitVerbs(entrance)),
    ...allAvailable(judging(entrance)),
    ...allAvailable(runningOf(entrance)),
    ...allAvailable(answers(entrance)),
    ...allAvailable(triageOf(deps)),
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
    policy: allAvailable(policyOf(deps, () => entrance.scopes.current().layers)),
    close: options.close ?? (() => deps.store.close()),
  };
}

/** Checked before anything is opened, so that wrong options never give a working gate. */
export function gateOptions(options: GateOptions, nowMs: number): GateOptions {
  const callback = maybe(callbackAt(nowMs));
  return parse(object({ agent: maybe(text), cwd: maybe(text), callback, close: maybe(closing) }), options);
}

const closing = callable<() => Promise<void>>();

function judging(entrance: LocalEntrance): Pick<Gate, "check" | "find" | "classify"> {
  const { deps } = entrance;
  return {
    find: async (named) => {
      const { scopes, agent } = entrance;
      const found = await callWithKey(deps, callKeyOf(nameIn(scopes.current(), parse(CALL_NAME, named), agent)));
      return found === undefined ? undefined : wait(deps, found.id, { timeoutMs: 0, looksOn: true });
    },
    check: async (input) => {
      const said = parse(CALL, input);
      const { decision, effect, digest } = await check(deps, entrance.callOf(said), entrance.callerOptionsOf(said));
      return { decision: decisionView(decision, effect), effect: inEnglish(effect), digest };
    },
    classify: async (input) =>
      inEnglish(effectOf(deps, entrance.callOf(parse(CALL, input)), await deps.standing.unrecorded())),
  };
}

function answers({ deps, scopes, agent }: LocalEntrance): Pick<Gate, "review" | "cancel" | "endSession"> {
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

/** The entrance to the gate of this program. */
type LocalEntrance = Entrance & { deps: Deps; callerOptionsOf(said: ReadCall): CallerOptions };

function localEntrance(
  deps: Deps,
  given: { agent: string; asked(): void; cwd?: string; callback?: PolicyCallback },
): LocalEntrance {
  const around = scopes();
  const questions = notingQuestions(personQuestions(deps, given.callback), given.asked);
  const { agent, cwd } = given;
  const { workspace, mint } = deps;
  const callFrom = (said: ReadCall) =>
    callOf(said, { scope: around.current(), agent, ...(cwd === undefined ? {} : { cwd }), workspace, mint });
  const callerOptionsOf = ({ runBy }: ReadCall): CallerOptions => ({
    scopes: around.current().layers,
    door: PROGRAM_DOOR,
    ...(runBy === undefined ? {} : { runBy }),
  });
  return {
    ...holdingOf(deps),
    deps,
    scopes: around,
    agent: given.agent,
    callOf: callFrom,
    callerOptionsOf,
    submit: async (said) => {
      const call = callFrom(said);
      const receipt = await submit(deps, call, callerOptionsOf(said));
      if (receipt.outcome === "pending") questions.ask(receipt);
      return { call, receipt };
    },
    submitPlan: async (said) => {
      const { runBy: _, ...caller } = callerOptionsOf({ tool: "" });
      const plan = await planned(deps, said, { callOf: callFrom, caller });
      if (plan.receipt?.outcome === "pending") questions.ask(plan.receipt);
      return plan;
    },
    wait: async (approvalId, { timeoutMs, givesUpMs, signal }) => {
      await approvalView(deps, approvalId);
      return questions.waitForAnswer(approvalId, (enough) =>
        wait(deps, approvalId, {
          timeoutMs,
          ...(givesUpMs === undefined ? {} : { givesUpMs }),
          signal: signal === undefined ? enough : AbortSignal.any([enough, signal]),
        }),
      );
    },
    classOf: async (approvalId) => (await approvalAt(deps, approvalId))?.row.class,
    register: (tool) => register(deps, around, tool),
  };
}

function notingQuestions(questions: PersonQuestions, asked: () => void): PersonQuestions {
  const ask = (receipt: Receipt) => {
    asked();
    questions.ask(receipt);
  };
  return { ...questions, ask };
}

/** A call that is approved after its caller has stopped waiting runs here, still in the caller's name. */
function register(deps: Deps, around: Scopes, tool: GuardedTool): void {
  const { name, class: effectClass, idempotent = false } = tool;
  if (deps.runners.has(name)) {
    throw badInput("name", say("refusal.guarded_already", { tool: name }), say("hint.guard_once"));
  }
  deps.runners.set(name, {
    name,
    idempotent,
    run: ({ call, args, idempotencyKey, signal }) =>
      around.within(scopeOf(call), () => tool.run(args, { signal, idempotencyKey })),
  });
  if (effectClass === undefined) return;
  const at = { file: `guard(${name})`, line: 1, column: 1 };
  deps.declared.set(name, { name, class: effectClass, idempotent, at });
}

function scopeOf(call: CallRow): ProgramScope {
  return {
    agent: call.agent,
    ...(call.session === undefined ? {} : { session: call.session }),
    ...(call.run === undefined ? {} : { run: call.run }),
    ...(call.cwd === undefined ? {} : { cwd: call.cwd }),
    traceId: call.traceId,
    chain: call.chain,
    layers: [],
  };
}

/** The executions of the gate in this program. */
export function holdingOf(deps: Deps): Holding {
  return {
    claim: (executionId) => claimed(deps, executionId),
    renew: async (executionId, attempt) => void orThrow(await renew(deps, executionId, attempt)),
    settle: async (executionId, attempt, ending) =>
      void orThrow(await settle(deps, executionId, { attempt, by: "caller", ending })),
    nowMs: () => deps.clock.nowMs(),
    sleep: (ms) => deps.clock.sleep(ms),
  };
}

/** Asks the person who uses this program about open questions: each question once, while it is open. */
type PersonQuestions = {
  ask(pending: Receipt): void;
  /** The wait ends with an answer from anywhere, or with the reason why the answer given here does not count. */
  waitForAnswer(approvalId: string, wait: (signal: AbortSignal) => Promise<Receipt>): Promise<Receipt>;
};

function personQuestions(deps: Deps, callback: PolicyCallback | undefined): PersonQuestions {
  const open = new Map<string, Promise<void>>();
  const ask = callback?.ask;
  return {
    ask: ({ approvalId }) => {
      if (ask === undefined || approvalId === undefined || open.has(approvalId)) return;
      const asked = askPerson(deps, ask, approvalId);
      open.set(approvalId, asked);
      const done = () => void open.delete(approvalId);
      // A waiting caller gets the error; otherwise the question is recorded and stays open.
      asked.then(done, done);
    },
    waitForAnswer: async (approvalId, wait) => {
      const enough = new AbortController();
      const asked = open.get(approvalId);
      try {
        if (asked === undefined) return await wait(enough.signal);
        return await Promise.race([wait(enough.signal), asked.then(() => wait(enough.signal))]);
      } finally {
        enough.abort();
      }
    },
  };
}

async function askPerson(deps: Deps, ask: NonNullable<PolicyCallback["ask"]>, approvalId: ApprovalId): Promise<void> {
  const view = await approvalView(deps, approvalId);
  const given = await answerFrom(ask, view);
  if (given === undefined) return;
  await reviewBy(deps, approvalId, { ...parse(PERSON_ANSWER, given), digest: view.digest }, VOUCHED);
}

/** An error while asking is not an answer: nobody approved, and the caller is told why. */
async function answerFrom(ask: NonNullable<PolicyCallback["ask"]>, view: Awaited<ReturnType<typeof approvalView>>) {
  try {
    return await ask(view);
  } catch (error) {
    throw new LeewayRefusal(
      {
        code: "LEEWAY_CANCELLED",
        reason: say("refusal.person_not_asked", { error: errorText(error) }),
        hint: say("hint.stays_open"),
      },
      { approvalId: view.id, cause: error },
    );
  }
}
