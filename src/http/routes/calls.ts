import { callKeyOf, sizeBound, type ToolCall } from "../../core/call.ts";
import { decisionView } from "../../core/decide/explain.ts";
import { type Execution, executionText } from "../../core/execution.ts";
import type { AgentName } from "../../core/ids.ts";
import { say } from "../../core/messages/message.ts";
import type { Receipt } from "../../core/receipt.ts";
import type { CallRow } from "../../core/rows/rows.ts";
import { approvalAt } from "../../gate/approvals/approval-at.ts";
import { callAt, callWithKey, executionAt } from "../../gate/calls/call-at.ts";
import { release, renew, settle } from "../../gate/calls/claim.ts";
import { type CallerOptions, check, DEFAULT_CALLER } from "../../gate/calls/judging.ts";
import { submit } from "../../gate/calls/submit.ts";
import { wait } from "../../gate/calls/wait.ts";
import type { Deps } from "../../gate/deps.ts";
import { liveTokensOf } from "../../gate/people/tokens.ts";
import { claimed } from "../../service/claimed.ts";
import { layerOf } from "../../service/policy-layer.ts";
import { badInput, LeewayRefusal, orThrow, refusalOf } from "../../service/refusal.ts";
import { settlingOf } from "../../service/running.ts";
import { callOf, nameIn, type ProgramScope, within } from "../../service/scope.ts";
import {
  anyText,
  inside,
  jsonObject,
  listOf,
  maybe,
  object,
  open,
  type Shape,
  shapeOf,
  type TypeOf,
  text,
} from "../../service/shape.ts";
import { CALL } from "../../service/shapes/call.ts";
import { HELD, RELEASING, SETTLING } from "../../service/shapes/running.ts";
import { mayReadOutput } from "../../service/views/outcome.ts";
import { decidedCall, whyOf } from "../../service/views/why.ts";
import { actRoute, NO_BODY, type Reply, readRoute, reply } from "../api-route.ts";
import { personOf } from "../identity/person.ts";
import type { HttpRequest } from "../request.ts";
import { CHECKED, CLAIMED_CALL, EXECUTION, RECEIPT, texts } from "../schemas.ts";
import { decisionForAgent, effectForAgent, maskedTexts, shownEffect } from "../shown-to-agents.ts";

/** The longest wait of one request. A client that wants to wait longer sends the request again. */
const WAIT_SECONDS_MAX = 60;
const BATCH_MAX = 100;

const SECONDS = { type: "integer", minimum: 0, maximum: WAIT_SECONDS_MAX };

/** A number in a body, or digits in a query. Nothing else is accepted. */
function secondsFrom(read: (value: unknown) => number): Shape<number> {
  return shapeOf(SECONDS, (value, path) => {
    const seconds = read(value);
    if (Number.isInteger(seconds) && seconds >= 0 && seconds <= WAIT_SECONDS_MAX) return seconds;
    throw badInput(path, say("refusal.not_a_wait"), say("hint.whole_seconds", { max: WAIT_SECONDS_MAX }));
  });
}

const seconds = secondsFrom((value) => (typeof value === "number" ? value : Number.NaN));
const secondsText = secondsFrom((value) => (/^\d{1,2}$/.test(String(value)) ? Number(value) : Number.NaN));

/** The server cannot check what an agent says about its own files, so this is refused (decision 18). */
const facts: Shape<never> = shapeOf(
  { not: {}, description: "Refused: the server looks up facts itself." },
  (_value, path) => {
    throw badInput(path, say("refusal.agent_says_files"), say("hint.server_looks_itself"));
  },
);

/**
 * `chain`: the agents between the agent of the token and the agent of the call, outermost first. `layers`: the policies of
 * `withPolicy`, outermost first; they can only make the decision stricter. `requestedBy` needs a token that may name people.
 */
const SENT = object({
  ...CALL.keys,
  chain: maybe(listOf(text)),
  layers: maybe(listOf(jsonObject)),
  facts: maybe(facts),
});
type Sent = TypeOf<typeof SENT>;

const LAYERS_MAX = 16;

/** A list of names as JSON, because a name may contain any character that could separate two names. */
function namesIn(json: string | undefined): readonly string[] {
  if (json === undefined) return [];
  try {
    return listOf(text).read(JSON.parse(json), "chain", "program");
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw badInput("chain", say("refusal.not_json", { why: error.message }), say("hint.names_as_json"));
  }
}

export const CALL_ROUTES = [
  actRoute("POST /v1/calls", {
    for: ["agent"],
    byChange: true,
    summary: "Decides a call and records it. The same `callId` is the same call, however often it is sent.",
    gives: RECEIPT,
    body: object({ ...SENT.keys, wait: maybe(seconds) }),
    answer: async ({ deps }, request) => {
      const receipt = await submitted(deps, request.body, request);
      const { wait: waiting = 0 } = request.body;
      const isOpen = receipt.outcome === "pending" && receipt.approvalId !== undefined;
      if (!isOpen || waiting === 0) return receiptReply(receipt);
      return receiptReply(await wait(deps, receipt.id, { timeoutMs: waiting * 1000, signal: request.gone() }));
    },
  }),
  actRoute("POST /v1/calls/batch", {
    for: ["agent"],
    byChange: true,
    summary: "Decides up to 100 calls: one row and one outcome for each, in the given order.",
    gives: open({ receipts: listOf(RECEIPT) }),
    body: object({ calls: listOf(SENT, 1) }),
    answer: async ({ deps }, request) => {
      const { calls } = request.body;
      if (calls.length > BATCH_MAX)
        throw badInput(
          "calls",
          say("refusal.there_are", { count: calls.length }),
          say("hint.send_at_most", { max: BATCH_MAX }),
        );
      // All calls are checked before the first one is decided, so that a malformed one does not leave half a batch behind.
      for (const [at, input] of calls.entries()) {
        await callFrom(deps, input, request, `calls/${at}`);
        callerOf(deps, input, `calls/${at}`);
      }
      const receipts: Receipt[] = [];
      for (const input of calls) {
        await request.turn(sizeBound(input.args ?? {}));
        receipts.push(await submitted(deps, input, request));
      }
      return reply({ receipts: receipts.map(receiptForAgent) });
    },
  }),
  actRoute("POST /v1/calls/check", {
    for: ["agent"],
    summary: "What would be decided now. Records nothing, asks nobody, and uses no limit or grant.",
    gives: CHECKED,
    body: SENT,
    answer: async ({ deps }, request) => {
      const call = await callFrom(deps, request.body, request);
      const { decision, effect, digest } = await check(deps, call, callerOf(deps, request.body));
      return reply({ decision: decisionForAgent(decisionView(decision)), effect: effectForAgent(effect), digest });
    },
  }),
  readRoute("GET /v1/calls", {
    for: ["agent"],
    summary:
      "The call with this `callId`, of this session or run. `agent` and `chain` name a sub-agent; `chain` is a JSON list.",
    gives: RECEIPT,
    query: object({
      callId: text,
      agent: maybe(text),
      chain: maybe(anyText),
      session: maybe(text),
      run: maybe(text),
    }),
    answer: async ({ deps }, request) => {
      const { chain, ...named } = request.query;
      const agent = agentOf(request);
      const found = await callWithKey(deps, callKeyOf(nameIn(under(agent, namesIn(chain)), named, agent)));
      if (found === undefined) throw noCall(named.callId);
      return receiptReply(await wait(deps, found.id, { timeoutMs: 0 }));
    },
  }),
  readRoute("GET /v1/calls/:id", {
    for: ["agent", "read"],
    summary: "The current state of a call.",
    gives: RECEIPT,
    answer: async ({ deps }, request) => {
      const call = await ownCall(deps, request);
      return receiptReply(await wait(deps, call.id, { timeoutMs: 0 }), request.who);
    },
  }),
  readRoute("GET /v1/calls/:id/why", {
    for: ["read"],
    summary:
      "Why a call was decided in this way, and its outcome. The id may be that of the call, its question or its execution.",
    gives: open({ id: anyText, agent: anyText, tool: anyText, because: texts, consideredToo: texts }),
    answer: async ({ deps }, request) => {
      const row = await decidedCall(deps, request.params.id);
      const withOutput = await mayReadOutput(deps, row, personOf(request));
      const { effect, ...why } = await whyOf(deps, row, { withOutput });
      return reply(maskedTexts({ ...why, effect: shownEffect(effect) }));
    },
  }),
  readRoute("GET /v1/calls/:id/wait", {
    for: ["agent", "read"],
    summary:
      "Waits until the call can go on, somebody wrote to the agent (once for each reply), or `timeout` seconds have passed.",
    gives: RECEIPT,
    query: object({ timeout: maybe(secondsText) }),
    answer: async ({ deps }, request) => {
      const call = await ownCall(deps, request);
      const { timeout = 30 } = request.query;
      const timeoutMs = timeout * 1000;
      const how = { timeoutMs, signal: request.gone(), looksOn: request.who.is === "person" };
      return receiptReply(await wait(deps, call.id, how), request.who);
    },
  }),
  actRoute("POST /v1/calls/:id/claim", {
    for: ["agent"],
    byChange: true,
    summary: "Claims the call, and returns exactly the arguments with which it may run.",
    gives: CLAIMED_CALL,
    body: NO_BODY,
    answer: async ({ deps }, request) => reply(await claimed(deps, await executionOf(deps, request))),
  }),
  actRoute("POST /v1/calls/:id/renew", {
    for: ["agent"],
    byChange: true,
    summary: "Renews a claim for another 30 seconds.",
    gives: EXECUTION,
    body: HELD,
    answer: async ({ deps }, request) => {
      const { attempt } = request.body;
      return executionReply(orThrow(await renew(deps, await executionOf(deps, request), attempt)));
    },
  }),
  actRoute("POST /v1/calls/:id/release", {
    for: ["agent"],
    byChange: true,
    summary: "Gives a claim back, because the call certainly did not start. The same call can be claimed later.",
    gives: EXECUTION,
    body: RELEASING,
    answer: async ({ deps }, request) => {
      const { attempt, why } = request.body;
      return executionReply(orThrow(await release(deps, await executionOf(deps, request), { attempt, why })));
    },
  }),
  actRoute("POST /v1/calls/:id/settle", {
    for: ["agent"],
    byChange: true,
    summary: "Reports how the call ended.",
    gives: EXECUTION,
    body: SETTLING,
    answer: async ({ deps }, request) => {
      const settling = settlingOf(request.body);
      return executionReply(orThrow(await settle(deps, await executionOf(deps, request), settling)));
    },
  }),
];

async function submitted(deps: Deps, input: Sent, request: Pick<HttpRequest, "who">): Promise<Receipt> {
  return submit(deps, await callFrom(deps, input, request), callerOf(deps, input));
}

/** What the decision depends on besides the call. The layers can only make it stricter, so every agent may send them. */
function callerOf(deps: Deps, { runBy, layers = [] }: Sent, path = ""): CallerOptions {
  if (layers.length > LAYERS_MAX) {
    const hint = say("hint.send_at_most", { max: LAYERS_MAX });
    throw badInput(inside(path, "layers"), say("refusal.there_are", { count: layers.length }), hint);
  }
  const at = inside(path, "layers");
  const scopes = layers.map((layer, n) => layerOf(deps.policies.parse, layer, inside(at, String(n))));
  return { ...DEFAULT_CALLER, scopes, ...(runBy === undefined ? {} : { runBy }) };
}

/**
 * The agent of the token is the root: another name in the call is a sub-agent of it, and what the call says can only make
 * decisions stricter. The input was checked with the body.
 */
async function callFrom(deps: Deps, input: Sent, { who }: Pick<HttpRequest, "who">, path = ""): Promise<ToolCall> {
  const { workspace, mint } = deps;
  const agent = agentOf({ who });
  if (input.requestedBy !== undefined) ensureNamesRequesters(who, path);
  const call = callOf(input, { scope: under(agent, input.chain), agent, workspace, mint });
  const borrowed = call.chain.length === 0 ? undefined : await borrowedName(deps, call);
  if (borrowed === undefined) return call;
  const hint = say("hint.sub_agent_otherwise");
  throw badInput(inside(path, "agent"), say("refusal.name_is", { name: borrowed.name, what: borrowed.is }), hint);
}

/** The scope of an agent, inside the agents between it and the agent of the token. */
function under(agent: AgentName, chain: readonly AgentName[] = []): ProgramScope {
  let scope: ProgramScope = { agent, chain: [], layers: [] };
  for (const name of chain) scope = within(scope, { agent: name });
  return scope;
}

/**
 * An agent cannot say who requested its work: a grant may be for one person, and a requester may not review. Only a token
 * that an admin made for a program that verifies people may name them.
 */
function ensureNamesRequesters(who: HttpRequest["who"], path: string): void {
  const holder = who.is === "agent" ? who.token.holder : undefined;
  if (holder !== undefined && "agent" in holder && holder.can === "name-requesters") return;
  const hint = say("hint.token_names_requesters");
  throw badInput(inside(path, "requestedBy"), say("refusal.agent_tells_requester"), hint);
}

/** A sub-agent may not have the name of a person, or of an agent that has its own token. */
async function borrowedName(deps: Deps, { agent, chain: [, ...between] }: ToolCall) {
  const { people } = (await deps.standing.current()).rows;
  for (const name of [agent, ...between]) {
    if (people.some((one) => one.name === name && one.state === "active"))
      return { name, is: say("refusal.is_person") };
    if ((await liveTokensOf(deps, { agent: name })).length > 0) return { name, is: say("refusal.is_agent") };
  }
  return undefined;
}

function receiptForAgent(receipt: Receipt): Receipt {
  const decision = decisionForAgent(receipt.decision);
  return decision === receipt.decision ? receipt : { ...receipt, decision };
}

/** The agent gets its own result complete; a person gets what a card would show. */
function receiptReply(receipt: Receipt, who?: HttpRequest["who"]): Reply<Receipt> {
  const shown = who?.is === "person" ? maskedTexts(receipt) : receiptForAgent(receipt);
  return reply(shown, receipt.outcome === "pending" ? 202 : 200);
}

/** Without the result, which is encrypted; the client that reports the result has it. */
function executionReply(execution: Execution) {
  const { result: _sealed, ...open } = { result: undefined, ...executionText(execution) };
  return reply({ executionId: execution.id, ...open });
}

function agentOf({ who }: Pick<HttpRequest, "who">): AgentName {
  if (who.is !== "agent") throw new Error("a route for agents let somebody else in (this is a bug)");
  return who.agent;
}

/** A request about a call, and the call. */
type OneCall = Pick<HttpRequest, "who"> & { params: { id: string } };

/** An agent finds only its own calls and those of its sub-agents. */
async function ownCall(deps: Deps, { params: { id }, who }: OneCall): Promise<CallRow> {
  const found = await callAt(deps, await callIdOf(deps, id));
  if (found === undefined) throw noCall(id);
  const { agent, chain } = found;
  if (who.is === "agent" && agent !== who.agent && !chain.includes(who.agent)) throw noCall(id);
  return found;
}

/** Finds a call by its id, by the id of its question, or by the id of its execution. */
async function callIdOf(deps: Deps, id: string): Promise<string> {
  const find = id.startsWith("apr_") ? approvalAt : id.startsWith("exe_") ? executionAt : undefined;
  return (await find?.(deps, id))?.row.call ?? id;
}

async function executionOf(deps: Deps, asked: OneCall): Promise<string> {
  const named = asked.params.id;
  if (named.startsWith("exe_") && (await isOwnRight(deps, named, agentOf(asked)))) return named;
  const { id, agent, tool, executionId } = await ownCall(deps, asked);
  if (named.startsWith("exe_")) return named;
  if (executionId !== undefined) return executionId;
  const receipt = await wait(deps, id, { timeoutMs: 0 });
  if (receipt.executionId === undefined) throw refusalOf(receipt, { agent, tool });
  return receipt.executionId;
}

/** An execution names its agent, but not the agents above it; for these the call is read. */
async function isOwnRight(deps: Deps, id: string, agent: AgentName): Promise<boolean> {
  const held = deps.remembered.right(id) ?? (await executionAt(deps, id));
  return held !== undefined && (held.row.agent === agent || held.row.root === agent);
}

function noCall(id: string): LeewayRefusal {
  const hint = say("hint.other_agent_or_workspace");
  return new LeewayRefusal({ code: "LEEWAY_NOT_FOUND", reason: say("refusal.no_call", { id }), hint });
}
