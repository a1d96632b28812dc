import { isObject, type JsonObject } from "../../core/values/json.ts";
import type { Gateway } from "../gateway.ts";
import {
  BAD_MESSAGE,
  errorLine,
  GATEWAY_ERROR,
  HEADER_MISMATCH,
  NO_METHOD,
  notificationLine,
  type Rpc,
  type RpcId,
  readUpstreamLine,
} from "../rpc.ts";
import { argumentFault } from "./modern-headers.ts";
import { type Reply, replyOf, sendJson } from "./reply.ts";
import type { Exchange } from "./session-client.ts";

// Clients of the protocol without sessions (2026-07-28). Requests with the same token share a gateway, and several clients
// may use the same ids. So every id and every progress token is replaced by one of the gateway's, and put back in answers.

export type StatelessClient = {
  post(rpc: Rpc, line: string, exchange: Exchange): void;
  openCount(): number;
  end(why: string): void;
};

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const LISTEN = "subscriptions/listen";

type Waiting = {
  reply: Reply;
  id: RpcId;
  /** What the client called its progress token. */
  token: string | number | undefined;
  /** What a client listens to, if this is such a request. */
  wants: JsonObject | undefined;
};

type State = { waiting: Map<string, Waiting>; count: number; mark: string };

export function statelessClient(
  mark: string,
  open: (send: (line: string) => void) => Gateway,
): { client: StatelessClient; gateway: Gateway } {
  const state: State = { waiting: new Map(), count: 0, mark };
  const gateway: Gateway = open((line) => route(state, gateway, line));
  const client: StatelessClient = {
    post: (rpc, line, exchange) => posted(state, gateway, rpc, line, exchange),
    openCount: () => state.waiting.size,
    end: (why) => {
      for (const { reply, id } of state.waiting.values()) reply.end(errorLine(id, GATEWAY_ERROR, why));
      state.waiting.clear();
    },
  };
  return { client, gateway };
}

function posted(state: State, gateway: Gateway, rpc: Rpc, line: string, { request, response }: Exchange): void {
  if (rpc.is === "answer") {
    sendJson(response, 400, errorLine(rpc.id, BAD_MESSAGE, "in this protocol only clients make requests"));
    return;
  }
  if (rpc.is === "notification") {
    response.writeHead(202).end();
    // A client cancels by closing its request; an id in a notification could be another client's.
    if (rpc.method !== "notifications/cancelled") gateway.hear(line);
    return;
  }
  state.count += 1;
  const own = `${state.mark}-${state.count}`;
  const { id, params, method } = rpc;
  const meta = params["_meta"];
  const token = isObject(meta ?? null) ? (meta as JsonObject)["progressToken"] : undefined;
  const reply = replyOf(request, response);
  const wanted = method === LISTEN ? params["notifications"] : undefined;
  state.waiting.set(own, {
    reply,
    id,
    token: typeof token === "string" || typeof token === "number" ? token : undefined,
    wants: method === LISTEN ? (isObject(wanted ?? null) ? (wanted as JsonObject) : {}) : undefined,
  });
  reply.onGone(() => {
    state.waiting.delete(own);
    gateway.hear(notificationLine("notifications/cancelled", { requestId: own, reason: "the client has gone" }));
  });
  const over = token === undefined ? {} : { _meta: { ...(meta as JsonObject), progressToken: `${own}-progress` } };
  // The gateway reads this line as strictly as the client's own, which has no key twice and no number that would be lost.
  const sent = JSON.stringify({ jsonrpc: "2.0", id: own, method, params: { ...params, ...over } });
  gateway.hear(sent, (schema, args) => argumentFault(request.headers, schema, args));
}

function route(state: State, gateway: Gateway, line: string): void {
  const read = readUpstreamLine(line);
  if (!read.ok) return;
  const { rpc } = read;
  if (rpc.is === "request") {
    gateway.hear(errorLine(rpc.id, NO_METHOD, "in this protocol only clients make requests"));
    return;
  }
  if (rpc.is === "notification") {
    told(state, rpc, line);
    return;
  }
  const waiting = state.waiting.get(String(rpc.id));
  if (waiting === undefined) return;
  state.waiting.delete(String(rpc.id));
  waiting.reply.end(restored(waiting, String(rpc.id), line), statusFor(rpc));
}

/** As the official servers answer. */
function statusFor({ answer }: Extract<Rpc, { is: "answer" }>): number {
  if (answer.ok) return 200;
  return STATUS_OF_ERROR.get(answer.error["code"] as number) ?? 200;
}

const MISSING_CAPABILITY = -32021;
const STATUS_OF_ERROR: ReadonlyMap<number, number> = new Map([
  [NO_METHOD, 404],
  [MISSING_CAPABILITY, 400],
  [HEADER_MISMATCH, 400],
]);

/** The bytes stay as they are, except for the texts that no client could have written. */
function restored({ id, token }: Waiting, own: string, line: string): string {
  const withId = line.replaceAll(JSON.stringify(own), JSON.stringify(id));
  return token === undefined ? withId : withId.replaceAll(JSON.stringify(`${own}-progress`), JSON.stringify(token));
}

function told(state: State, rpc: Extract<Rpc, { is: "notification" }>, line: string): void {
  const { progressToken, _meta: meta } = rpc.params;
  const subscription = meta !== undefined && isObject(meta) ? meta[SUBSCRIPTION] : undefined;
  const own = typeof subscription === "string" ? subscription : String(progressToken ?? "").replace(/-progress$/, "");
  const owner = state.waiting.get(own);
  if (owner !== undefined) {
    owner.reply.tell(restored(owner, own, line));
    return;
  }
  const wanted = WANTED.get(rpc.method);
  if (wanted !== undefined) {
    for (const one of state.waiting.values())
      if (one.wants?.[wanted] === true) one.reply.tell(withSubscription(one, rpc));
    return;
  }
  // Of several requests nobody could tell to which one it belongs.
  const open = [...state.waiting.entries()].filter(([, { wants }]) => wants === undefined);
  const [only, ...others] = open;
  if (only !== undefined && others.length === 0) only[1].reply.tell(restored(only[1], only[0], line));
}

/** What the gateway itself says about its lists. */
const WANTED: ReadonlyMap<string, string> = new Map([
  ["notifications/tools/list_changed", "toolsListChanged"],
  ["notifications/prompts/list_changed", "promptsListChanged"],
  ["notifications/resources/list_changed", "resourcesListChanged"],
]);

function withSubscription({ id }: Waiting, { method, params }: Extract<Rpc, { is: "notification" }>): string {
  const meta = params["_meta"];
  const own = meta !== undefined && isObject(meta) ? meta : {};
  return notificationLine(method, { ...params, _meta: { ...own, [SUBSCRIPTION]: id } });
}
