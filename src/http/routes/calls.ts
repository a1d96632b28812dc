import { callKeyOf, sizeBound } from "../../core/call.ts";
import { decisionView } from "../../core/decide/explain.ts";
import { type Execution, executionText } from "../../core/execution.ts";
import { say } from "../../core/messages/message.ts";
import type { Receipt } from "../../core/receipt.ts";
import { callWithKey } from "../../gate/calls/call-at.ts";
import { release, renew, settle } from "../../gate/calls/claim.ts";
import { type CallerOptions, check } from "../../gate/calls/judging.ts";
import { submit } from "../../gate/calls/submit.ts";
import { wait } from "../../gate/calls/wait.ts";
import type { Deps } from "../../gate/deps.ts";
import { claimed } from "../../service/claimed.ts";
import { badInput, orThrow } from "../../service/refusal.ts";
import { settlingOf } from "../../service/running.ts";
import { nameIn } from "../../service/scope.ts";
import { anyText, flag, listOf, maybe, object, open, type Shape, shapeOf, text } from "../../service/shape.ts";
import { HELD, RELEASING, SETTLING } from "../../service/shapes/running.ts";
import { mayReadOutput } from "../../service/views/outcome.ts";
import { decidedCall, whyOf } from "../../service/views/why.ts";
import { actRoute, NO_BODY, type Reply, readRoute, reply } from "../api-route.ts";
import { personOf } from "../identity/person.ts";
import type { HttpRequest } from "../request.ts";
import { CHECKED, CLAIMED_CALL, EXECUTION, RECEIPT, texts } from "../schemas.ts";
import { decisionForAgent, effectForAgent, maskedTexts, shownEffect } from "../shown-to-agents.ts";
import { agentOf, callerOf, callFrom, executionOf, noCall, ownCall, SENT, type Sent, under } from "./sent-call.ts";

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

export const seconds = secondsFrom((value) => (typeof value === "number" ? value : Number.NaN));
const secondsText = secondsFrom((value) => (/^\d{1,2}$/.test(String(value)) ? Number(value) : Number.NaN));

/**
 * What the sender can do with a call, if it does not run the call itself. `hands`: it hands the call to another program,
 * which may never tell how it ended. `edits`: whether that program takes changed arguments.
 */
const DOOR = object({ hands: maybe(flag), edits: maybe(flag) });

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
    body: object({ ...SENT.keys, wait: maybe(seconds), door: maybe(DOOR) }),
    answer: async ({ deps }, request) => {
      const { wait: waiting = 0, door = {} } = request.body;
      const receipt = await submitted(deps, request.body, request, door);
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
      return reply({
        decision: decisionForAgent(decisionView(decision, effect)),
        effect: effectForAgent(effect),
        digest,
      });
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

async function submitted(
  deps: Deps,
  input: Sent,
  request: Pick<HttpRequest, "who" | "headers">,
  door: Partial<CallerOptions["door"]> = {},
): Promise<Receipt> {
  const caller = callerOf(deps, input);
  return submit(deps, await callFrom(deps, input, request), { ...caller, door: { ...caller.door, ...door } });
}

export function receiptForAgent(receipt: Receipt): Receipt {
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
