import { AsyncLocalStorage } from "node:async_hooks";
import { say } from "../core/messages/message.ts";
import { PLAN_TOOL } from "../core/standing/plan.ts";
import type { JsonObject } from "../core/values/json.ts";
import { urlFrom } from "../core/values/url.ts";
import { CALL_NAME, type Gate, type ServerGate } from "../library/gate.ts";
import { type Entrance, type GuardedTool, guardVerbs, submitVerbs } from "../library/guard.ts";
import { badInput } from "../service/refusal.ts";
import { callOf, nameIn, scopes } from "../service/scope.ts";
import {
  anyFunction,
  jsonObject,
  kindOf,
  maybe,
  object,
  parse,
  type Shape,
  shapeOf,
  text,
  textOf,
} from "../service/shape.ts";
import { CALL, type ReadCall } from "../service/shapes/call.ts";
import type { ReadPlan } from "../service/shapes/plan.ts";
import { ANSWER } from "../service/shapes/review.ts";
import { HELD, RELEASING, SETTLING } from "../service/shapes/running.ts";
import { systemClock, systemMint } from "../system.ts";
import { approvalsAt } from "./approvals.ts";
import { callsAt, checkedAt, foundAt, plannedAt, type SentCall } from "./calls.ts";
import { ledgerAt, noticesAt, policyAt, trustAt } from "./records.ts";
import { askingOf, type ServerConnection } from "./server-connection.ts";
import { agentsAt, grantsAt, pausesAt, peopleAt, toolsAt } from "./standing.ts";
import { triageAt } from "./triage.ts";
import { type Vouching, vouchingOf } from "./vouching.ts";

export type ClientOptions = {
  /** Where the server is: `http://127.0.0.1:4141`. */
  url: string;
  /** Who calls: an agent's token for its calls, a person's token to read and to answer. */
  token: string;
  /** The default agent name, if it is a sub-agent of the token's agent. */
  agent?: string;
  /** The folder from which relative paths start if a call names none. */
  cwd?: string;
};

/**
 * The gate of a server, with the verbs of the library. Tools run here; the server decides what may run.
 *
 * @example
 * ```ts
 * const gate = createClient({ url: "http://127.0.0.1:4141", token: process.env.LEEWAY_TOKEN });
 * const writeFile = gate.guard("write_file", (args: { path: string; text: string }) => fs.writeFile(args.path, args.text));
 * ```
 */
export function createClient(options: ClientOptions): ServerGate {
  const { url, token, agent, cwd } = parse(OPTIONS, options);
  const asking = askingOf({ url, token, clock: systemClock });
  const entrance = entranceAt(asking, {
    ...(agent === undefined ? {} : { agent }),
    ...(cwd === undefined ? {} : { cwd }),
  });
  const vouching = vouchingOf(asking);
  return {
    ...guardVerbs(entrance),
    withPolicy: (layer, fn) => {
      parse(anyFunction, fn, "fn");
      return entrance.layers.within(parse(jsonObject, layer, "withPolicy"), fn);
    },
    find: async (named) => entrance.find(parse(CALL_NAME, named)),
    ...submitVerbs(entrance),
    check: async (input) => checkedAt(asking.ask, entrance.sentBy(parse(CALL, input))),
    classify: async (input) => (await checkedAt(asking.ask, entrance.sentBy(parse(CALL, input)))).effect,
    ...answering(asking, vouching),
    ...triageAt(asking, vouching),
    ...running(asking, entrance, vouching),
    ...pausesAt(asking, vouching),
    approvals: approvalsAt(asking),
    grants: grantsAt(asking, vouching),
    tools: toolsAt(asking, vouching),
    notices: noticesAt(asking, vouching),
    agents: agentsAt(asking, vouching),
    people: peopleAt(asking, vouching),
    ledger: ledgerAt(asking),
    trust: trustAt(asking),
    policy: policyAt(asking, vouching),
    close: async () => asking.close(),
  };
}

type Remote = Entrance & {
  sentBy(said: ReadCall): SentCall;
  find: Gate["find"];
  layers: SentLayers;
};

/** The layers of `withPolicy` at this point of the program, outermost first. The server parses and applies them. */
type SentLayers = { current(): readonly JsonObject[]; within<T>(layer: JsonObject, fn: () => T): T };

function sentLayers(): SentLayers {
  const storage = new AsyncLocalStorage<readonly JsonObject[]>();
  const current = () => storage.getStore() ?? [];
  return { current, within: (layer, fn) => storage.run([...current(), layer], fn) };
}

/** As in the library, the default name is `runtime`; it is not sent, because the token says who calls. */
const NOBODY = "runtime";

function entranceAt(asking: ServerConnection, given: { agent?: string; cwd?: string }): Remote {
  const around = scopes();
  const layers = sentLayers();
  const mint = systemMint();
  const { agent = NOBODY, cwd } = given;
  const callFrom = (said: ReadCall) => {
    const here = { scope: around.current(), agent, ...(cwd === undefined ? {} : { cwd }), workspace: "default", mint };
    return callOf(said, here);
  };
  const sentBy = (said: ReadCall): SentCall => {
    const { agent: asking = around.current().agent ?? given.agent, runBy, definition } = said;
    return {
      call: callFrom(said),
      layers: layers.current(),
      ...(asking === undefined ? {} : { agent: asking }),
      ...(runBy === undefined ? {} : { runBy }),
      ...(definition === undefined ? {} : { definition }),
    };
  };
  const find: Gate["find"] = async (named) => {
    // As in a call, the default name is not sent: the token says who calls.
    const name = named.agent ?? around.current().agent ?? given.agent;
    const { agent: _, ...rest } = nameIn(around.current(), named, agent);
    return foundAt(asking, { ...rest, ...(name === undefined ? {} : { agent: name }) });
  };
  const calls = callsAt(asking, systemClock, sentBy);
  const submitPlan = async ({ title, calls: steps, ...said }: ReadPlan) =>
    plannedAt(asking, sentBy({ ...said, tool: PLAN_TOOL }), { title, calls: steps });
  return {
    ...calls,
    submitPlan,
    scopes: around,
    agent,
    callOf: callFrom,
    sentBy,
    find,
    layers,
    register: registering(),
  };
}

/** Only the server's policy says what a tool does: an agent could otherwise declare its own tools as milder. */
function registering(): (tool: GuardedTool) => void {
  const known = new Set<string>();
  return (tool) => {
    for (const key of ["class", "idempotent"] as const) {
      if (tool[key] === undefined) continue;
      throw badInput(key, say("refusal.server_takes_none"), say("hint.declare_in_server_policy"));
    }
    if (known.has(tool.name)) {
      throw badInput("name", say("refusal.guarded_already", { tool: tool.name }), say("hint.guard_once"));
    }
    known.add(tool.name);
  };
}

function answering({ ask }: ServerConnection, { as }: Vouching): Pick<Gate, "review" | "cancel" | "endSession"> {
  return {
    review: async (approvalId, { by, ...answer }) => {
      const params = { id: textOf(approvalId, "approvalId") };
      const body = parse(ANSWER, answer);
      await as({ by });
      return ask("POST /v1/approvals/:id/reviews", { params, body });
    },
    cancel: async (approvalId, who) => {
      const params = { id: textOf(approvalId, "approvalId") };
      await as(who);
      return ask("POST /v1/approvals/:id/cancel", { params, body: {} });
    },
    endSession: async (session, who) => {
      const params = { id: textOf(session, "session") };
      if (who !== undefined) await as(who);
      return ask("POST /v1/sessions/:id/end", { params, body: {} });
    },
  };
}

function running(
  { ask }: ServerConnection,
  { claim }: Entrance,
  { as }: Vouching,
): Pick<Gate, "claim" | "renew" | "release" | "settle" | "reconcile"> {
  const named = (executionId: string) => ({ id: textOf(executionId, "executionId") });
  return {
    claim: (executionId) => claim(named(executionId).id),
    renew: async (executionId, held) => {
      const body = parse(HELD, held);
      return ask("POST /v1/calls/:id/renew", { params: named(executionId), body }, { repeatable: true });
    },
    release: async (executionId, said) => {
      const body = parse(RELEASING, said);
      return ask("POST /v1/calls/:id/release", { params: named(executionId), body });
    },
    settle: async (executionId, input) => {
      const body = parse(SETTLING, input);
      return ask("POST /v1/calls/:id/settle", { params: named(executionId), body }, { repeatable: true });
    },
    reconcile: async (executionId, { by, ...body }) => {
      await as({ by });
      return ask("POST /v1/executions/:id/reconcile", { params: named(executionId), body });
    },
  };
}

const ADDRESS_HINT = say("hint.write_address");

const address: Shape<string> = shapeOf({ type: "string" }, (value, path) => {
  if (typeof value !== "string")
    throw badInput(path, say("refusal.kind_no_address", { kind: kindOf(value) }), ADDRESS_HINT);
  const url = urlFrom(value);
  const isSite = url !== undefined && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
  if (isSite && url.username === "") return value;
  throw badInput(path, say("refusal.no_server_address"), ADDRESS_HINT);
});

const word: Shape<string> = shapeOf({ type: "string" }, (value, path) => {
  const given = textOf(value, path);
  if (/^[\x21-\x7e]+$/.test(given)) return given;
  throw badInput(path, say("refusal.no_token_given"), say("hint.tokens_add"));
});

const OPTIONS: Shape<ClientOptions> = object({ url: address, token: word, agent: maybe(text), cwd: maybe(text) });
