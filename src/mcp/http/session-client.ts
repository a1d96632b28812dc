import type { IncomingMessage, ServerResponse } from "node:http";
import type { JsonObject } from "../../core/values/json.ts";
import type { Gateway } from "../gateway.ts";
import {
  BAD_MESSAGE,
  errorLine,
  GATEWAY_ERROR,
  progressToken,
  type Rpc,
  type RpcId,
  readUpstreamLine,
} from "../rpc.ts";
import { openStream, type Reply, replyOf, sendJson } from "./reply.ts";

// A client with a session (the protocol up to 2025-11-25): answers go to the request that they answer, and everything
// else to the stream where the client most likely expects it.

export type SessionClient = {
  /** One message of the client, and the response to it. */
  post(rpc: Rpc, line: string, exchange: Exchange): void;
  /** The stream for what the gateway says on its own. A newer stream takes the place of an older one. */
  listen(exchange: Exchange): void;
  /** Requests and streams that are open. */
  openCount(): number;
  /** The version that client and upstream agreed on. */
  version(): string | undefined;
  end(why: string): void;
};

export type Exchange = { request: IncomingMessage; response: ServerResponse };

/** Messages that are kept while no stream is open. */
const KEPT_MAX = 100;

type Waiting = { reply: Reply; token: string | number | undefined; isHello: boolean };

type State = {
  waiting: Map<RpcId, Waiting>;
  stream: Reply | undefined;
  kept: string[];
  version: string | undefined;
  refused(): void;
};

/** `open` makes the gateway, which sends with the function that it is given. `refused`: the upstream did not say hello. */
export function sessionClient(
  id: string,
  open: (send: (line: string) => void) => Gateway,
  refused: () => void,
): { client: SessionClient; gateway: Gateway } {
  const state: State = { waiting: new Map(), stream: undefined, kept: [], version: undefined, refused };
  const gateway = open((line) => route(state, line));
  const client: SessionClient = {
    post: (rpc, line, exchange) => posted(state, id, gateway, rpc, line, exchange),
    listen: ({ request, response }) => {
      state.stream?.stop();
      const stream = openStream(request, response);
      state.stream = stream;
      stream.onGone(() => {
        if (state.stream === stream) state.stream = undefined;
      });
      for (const line of state.kept.splice(0)) stream.tell(line);
    },
    openCount: () => state.waiting.size + (state.stream === undefined ? 0 : 1),
    version: () => state.version,
    end: (why) => {
      for (const [asked, { reply }] of state.waiting) reply.end(errorLine(asked, GATEWAY_ERROR, why));
      state.waiting.clear();
      state.stream?.stop();
      state.stream = undefined;
    },
  };
  return { client, gateway };
}

function posted(state: State, id: string, gateway: Gateway, rpc: Rpc, line: string, exchange: Exchange): void {
  const { request, response } = exchange;
  if (rpc.is !== "request") {
    response.writeHead(202).end();
    gateway.hear(line);
    return;
  }
  if (state.waiting.has(rpc.id)) {
    sendJson(response, 400, errorLine(rpc.id, BAD_MESSAGE, `the id ${rpc.id} is already in use`));
    return;
  }
  const isHello = rpc.method === "initialize";
  const reply = replyOf(request, response, () => (isHello ? { "mcp-session-id": id } : {}));
  const waiting = { reply, token: progressToken(rpc.params), isHello };
  state.waiting.set(rpc.id, waiting);
  // A client that lost its connection has not cancelled: the call goes on, and the same call finds its result.
  reply.onGone(() => void state.waiting.delete(rpc.id));
  gateway.hear(line);
}

function route(state: State, line: string): void {
  const read = readUpstreamLine(line);
  if (!read.ok) return;
  const { rpc } = read;
  if (rpc.is !== "answer") {
    told(state, rpc, line);
    return;
  }
  const waiting = state.waiting.get(rpc.id);
  if (waiting === undefined) return;
  state.waiting.delete(rpc.id);
  const version = rpc.answer.ok && waiting.isHello ? rpc.answer.result["protocolVersion"] : undefined;
  if (typeof version === "string") state.version = version;
  waiting.reply.end(line);
  if (waiting.isHello && !rpc.answer.ok) state.refused();
}

/** Progress belongs to its request, and so does what is said while only one request is open. */
function told(state: State, rpc: Exclude<Rpc, { is: "answer" }>, line: string): void {
  const open = [...state.waiting.values()].reverse();
  const token = rpc.method === "notifications/progress" ? tokenIn(rpc.params) : undefined;
  const owner = token === undefined ? undefined : open.find((one) => one.token === token);
  const [newest, ...others] = open;
  const places = [owner?.reply, others.length === 0 ? newest?.reply : undefined, state.stream, newest?.reply];
  if (places.some((place) => place?.tell(line) === true)) return;
  if (state.kept.length < KEPT_MAX) state.kept.push(line);
}

function tokenIn({ progressToken: token }: JsonObject): string | number | undefined {
  return typeof token === "string" || typeof token === "number" ? token : undefined;
}
