import { callKeyOf, sizeBound, type ToolCall } from "../../core/call.ts";
import { decisionView } from "../../core/decide/receipt-of.ts";
import type { Execution } from "../../core/execution.ts";
import type { AgentName, AttemptId } from "../../core/ids.ts";
import { maskArgs } from "../../core/masking/redact.ts";
import type { Receipt } from "../../core/receipt.ts";
import type { CallRow } from "../../core/rows.ts";
import type { Json, JsonObject } from "../../core/values/json.ts";
import { approvalAt } from "../../gate/approvals/approval-at.ts";
import { callAt, callWithKey, executionAt } from "../../gate/calls/call-at.ts";
import { check } from "../../gate/calls/check.ts";
import { renew, settle } from "../../gate/calls/claim.ts";
import { MANNER, submit } from "../../gate/calls/submit.ts";
import { wait } from "../../gate/calls/wait.ts";
import type { Deps } from "../../gate/deps.ts";
import { liveTokensOf } from "../../gate/people/tokens.ts";
import { claimed } from "../../service/claimed.ts";
import { CALL_SHAPE, type CallInput, callIn } from "../../service/input.ts";
import { mayReadOutput } from "../../service/outcome.ts";
import { badInput, LeewayRefusal, orThrow, refusalOf } from "../../service/refusal.ts";
import { SETTLE_SHAPE, type SettleInput, settlingOf } from "../../service/running.ts";
import { type ProgramScope, within } from "../../service/scope.ts";
import { type Check, inside, listOf, maybe, objectLike, text } from "../../service/shape.ts";
import { decidedCall, whyOf } from "../../service/why.ts";
import { type Answer, json } from "../answer.ts";
import { personOf } from "../person.ts";
import type { Asked } from "../request.ts";
import type { Route } from "../route.ts";
import { decisionForAgent, effectForAgent, shownEffect } from "../shown-to-agents.ts";

/** A listener that waits longer holds a connection open for nothing: it asks again. */
const WAIT_SECONDS_MAX = 60;
const BATCH_MAX = 100;

const SECONDS = { type: "integer", minimum: 0, maximum: WAIT_SECONDS_MAX };

/** In a body a number, in a query its digits: nothing else is turned into one. */
function secondsFrom(read: (value: unknown) => number): Check {
  const look = (value: unknown, path: string): void => {
    const seconds = read(value);
    if (Number.isInteger(seconds) && seconds >= 0 && seconds <= WAIT_SECONDS_MAX) return;
    throw badInput(path, "that is not a time to wait", `give whole seconds, at most ${WAIT_SECONDS_MAX}`);
  };
  return Object.assign(look, { schema: SECONDS });
}

const seconds = secondsFrom((value) => (typeof value === "number" ? value : Number.NaN));
const secondsText = secondsFrom((value) => (/^\d{1,2}$/.test(String(value)) ? Number(value) : Number.NaN));

/** What an agent would say of its own files cannot be told from a lie: it is refused, and says so (decision 18). */
const facts: Check = Object.assign(
  (_value: unknown, path: string) => {
    const hint = "leave it out: the server looks for itself, and what it cannot see asks";
    throw badInput(path, "an agent cannot say what its files are", hint);
  },
  { schema: { not: {}, description: "Refused: the server looks for itself." } },
);

const { requestedBy: _, ...CALLED } = CALL_SHAPE;
/** `chain`: the agents between the token's and the one that asks, outermost first. */
const CALL = { ...CALLED, chain: maybe(listOf(text)), facts: maybe(facts) };
type Sent = CallInput & { chain?: readonly AgentName[] };

export const CALL_ROUTES: readonly Route[] = [
  {
    method: "POST",
    path: "/v1/calls",
    for: ["agent"],
    byChange: true,
    summary: "Decides a call and records it. The same `callId` is the same call, however often it is sent.",
    gives: "Receipt",
    body: { ...CALL, wait: maybe(seconds) },
    act: async ({ deps }, asked) => {
      const sent = asked.body as Sent & { wait?: number };
      const receipt = await submitted(deps, sent, agentOf(asked));
      const { wait: waiting = 0 } = sent;
      const isOpen = receipt.outcome === "pending" && receipt.approvalId !== undefined;
      if (!isOpen || waiting === 0) return receiptAnswer(receipt);
      return receiptAnswer(await wait(deps, receipt.id, { timeoutMs: waiting * 1000, signal: asked.gone() }));
    },
  },
  {
    method: "POST",
    path: "/v1/calls/batch",
    for: ["agent"],
    byChange: true,
    summary: "Decides up to 100 calls: one row and one outcome each, in the order given.",
    gives: { receipts: ["Receipt"] },
    body: { calls: listOf(objectLike(CALL), 1) },
    act: async ({ deps }, asked) => {
      const { calls } = asked.body as unknown as { calls: readonly Sent[] };
      if (calls.length > BATCH_MAX) throw badInput("calls", `there are ${calls.length}`, `send at most ${BATCH_MAX}`);
      const agent = agentOf(asked);
      // All are looked at before the first is decided: a malformed one must not leave half a batch behind.
      for (const [at, input] of calls.entries()) await callFrom(deps, input, agent, `calls/${at}`);
      const receipts: Receipt[] = [];
      for (const input of calls) {
        await asked.turn(sizeBound(input.args as Json));
        receipts.push(await submitted(deps, input, agent));
      }
      return json({ receipts: receipts.map(receiptForAgent) });
    },
  },
  {
    method: "POST",
    path: "/v1/calls/check",
    for: ["agent"],
    summary: "What would be decided now. Records nothing, asks nobody, uses nothing up.",
    body: CALL,
    act: async ({ deps }, asked) => {
      const call = await callFrom(deps, asked.body as unknown as CallInput, agentOf(asked));
      const { decision, effect, digest } = await check(deps, call);
      return json({ decision: decisionForAgent(decisionView(decision)), effect: effectForAgent(effect), digest });
    },
  },
  {
    method: "GET",
    path: "/v1/calls",
    for: ["agent"],
    summary: "The call with this `callId`, of this session or run.",
    gives: "Receipt",
    query: { callId: text, session: maybe(text), run: maybe(text) },
    act: async ({ deps }, asked) => {
      const { callId = "", ...of } = asked.query as { callId?: string; session?: string; run?: string };
      const found = await callWithKey(deps, callKeyOf({ agent: agentOf(asked), chain: [], callId, ...of }));
      if (found === undefined) throw noCall(callId);
      return receiptAnswer(await wait(deps, found.id, { timeoutMs: 0 }));
    },
  },
  {
    method: "GET",
    path: "/v1/calls/:id",
    for: ["agent", "read"],
    summary: "Where a call stands now.",
    gives: "Receipt",
    act: async ({ deps }, asked) => {
      const call = await ownCall(deps, asked);
      return receiptAnswer(await wait(deps, call.id, { timeoutMs: 0 }), asked.who);
    },
  },
  {
    method: "GET",
    path: "/v1/calls/:id/why",
    for: ["read"],
    summary: "Why a call was decided as it was, and what came of it. Named by itself, its question or its execution.",
    act: async ({ deps }, asked) => {
      const row = await decidedCall(deps, asked.params["id"] ?? "");
      const withOutput = await mayReadOutput(deps, row, personOf(asked));
      const { effect, ...why } = await whyOf(deps, row, { withOutput });
      return json(maskArgs({ ...why, effect: shownEffect(effect) } as unknown as JsonObject));
    },
  },
  {
    method: "GET",
    path: "/v1/calls/:id/wait",
    for: ["agent", "read"],
    summary: "Waits until the call can go on, or `timeout` seconds have passed.",
    gives: "Receipt",
    query: { timeout: maybe(secondsText) },
    act: async ({ deps }, asked) => {
      const call = await ownCall(deps, asked);
      const timeoutMs = Number(asked.query["timeout"] ?? 30) * 1000;
      return receiptAnswer(await wait(deps, call.id, { timeoutMs, signal: asked.gone() }), asked.who);
    },
  },
  {
    method: "POST",
    path: "/v1/calls/:id/claim",
    for: ["agent"],
    byChange: true,
    summary: "Takes the right to carry the call out, and exactly the arguments it may be carried out with.",
    body: {},
    act: async ({ deps }, asked) => json(await claimed(deps, await executionOf(deps, asked))),
  },
  {
    method: "POST",
    path: "/v1/calls/:id/renew",
    for: ["agent"],
    byChange: true,
    summary: "Keeps a claim for another 30 seconds.",
    body: { attempt: text },
    act: async ({ deps }, asked) => {
      const { attempt } = asked.body as { attempt: AttemptId };
      return executionAnswer(orThrow(await renew(deps, await executionOf(deps, asked), attempt)));
    },
  },
  {
    method: "POST",
    path: "/v1/calls/:id/settle",
    for: ["agent"],
    byChange: true,
    summary: "Says how the call ended, once it was carried out.",
    body: SETTLE_SHAPE,
    act: async ({ deps }, asked) => {
      const settling = settlingOf(asked.body as unknown as SettleInput);
      return executionAnswer(orThrow(await settle(deps, await executionOf(deps, asked), settling)));
    },
  },
];

async function submitted(deps: Deps, input: Sent, agent: AgentName): Promise<Receipt> {
  const manner = input.runBy === undefined ? MANNER : { ...MANNER, runBy: input.runBy };
  return submit(deps, await callFrom(deps, input, agent), manner);
}

/**
 * The token's agent stands at the root: another name in the call is a sub-agent of it, and whatever it says of itself only
 * tightens. The input was looked at with the whole body.
 */
async function callFrom(deps: Deps, input: Sent, agent: AgentName, path = ""): Promise<ToolCall> {
  if (input.requestedBy !== undefined) {
    throw badInput("requestedBy", "an agent cannot say who asked for its work", "leave it out");
  }
  const { workspace, mint } = deps;
  let scope: ProgramScope = { agent, chain: [], layers: [] };
  for (const name of input.chain ?? []) scope = within(scope, { agent: name });
  const call = callIn(input, { scope, agent, workspace, mint }, path);
  const borrowed = call.chain.length === 0 ? undefined : await borrowedName(deps, call);
  if (borrowed === undefined) return call;
  const hint = "leave it out, or call the sub-agent otherwise";
  throw badInput(inside(path, "agent"), `${borrowed.name} is ${borrowed.is}`, hint);
}

/** A sub-agent has any name but a person's or that of an agent with a token of its own: these speak for themselves. */
async function borrowedName(deps: Deps, { agent, chain: [, ...between] }: ToolCall) {
  const { people } = (await deps.standing.current()).rows;
  for (const name of [agent, ...between]) {
    if (people.some((one) => one.name === name && one.state === "active")) return { name, is: "a person here" };
    if ((await liveTokensOf(deps, { agent: name })).length > 0) return { name, is: "an agent with a token of its own" };
  }
  return undefined;
}

function receiptForAgent(receipt: Receipt): Receipt {
  const decision = decisionForAgent(receipt.decision);
  return decision === receipt.decision ? receipt : { ...receipt, decision };
}

/** The agent gets what is its own, whole; a person sees of it what a card would show. */
function receiptAnswer(receipt: Receipt, who?: Asked["who"]): Answer {
  const shown = who?.is === "person" ? maskArgs(receipt as unknown as JsonObject) : receiptForAgent(receipt);
  return json(shown, receipt.outcome === "pending" ? 202 : 200);
}

/** Without the result, which is sealed there; whoever settles has it. */
function executionAnswer(execution: Execution): Answer {
  return json({ executionId: execution.id, ...execution, result: undefined });
}

function agentOf({ who }: Asked): AgentName {
  if (who.is !== "agent") throw new Error("a route for agents let somebody else in (this is a bug)");
  return who.agent;
}

/** An agent sees its own calls and those of its sub-agents; to others' it is as if they were not there. */
async function ownCall(deps: Deps, { params, who }: Asked): Promise<CallRow> {
  const id = params["id"] ?? "";
  const found = await callAt(deps, await callIdOf(deps, id));
  if (found === undefined) throw noCall(id);
  const { agent, chain } = found;
  if (who.is === "agent" && agent !== who.agent && !chain.includes(who.agent)) throw noCall(id);
  return found;
}

/** A call is named by itself, by the question about it, or by the right to carry it out. */
async function callIdOf(deps: Deps, id: string): Promise<string> {
  const find = id.startsWith("apr_") ? approvalAt : id.startsWith("exe_") ? executionAt : undefined;
  return (await find?.(deps, id))?.row.call ?? id;
}

async function executionOf(deps: Deps, asked: Asked): Promise<string> {
  const named = asked.params["id"] ?? "";
  if (named.startsWith("exe_") && (await isOwnRight(deps, named, agentOf(asked)))) return named;
  const { id, agent, tool, executionId } = await ownCall(deps, asked);
  if (named.startsWith("exe_")) return named;
  if (executionId !== undefined) return executionId;
  const receipt = await wait(deps, id, { timeoutMs: 0 });
  if (receipt.executionId === undefined) throw refusalOf(receipt, { agent, tool });
  return receipt.executionId;
}

/** A right says whose it is, but for the agents between: for these the call is looked at. */
async function isOwnRight(deps: Deps, id: string, agent: AgentName): Promise<boolean> {
  const held = deps.remembered.right(id) ?? (await executionAt(deps, id));
  return held !== undefined && (held.row.agent === agent || held.row.root === agent);
}

function noCall(id: string): LeewayRefusal {
  const hint = "it may belong to another agent or workspace";
  return new LeewayRefusal({ code: "LEEWAY_NOT_FOUND", reason: `there is no call ${id}`, hint });
}
