import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Deps } from "../../gate/deps.ts";
import { refusalOf, statusOf } from "../../http/answer.ts";
import { nobodyYet, type OpenRequests } from "../../http/connection/admission.ts";
import { BODY_BYTES_MAX, bytesOf } from "../../http/connection/body.ts";
import { bound } from "../../http/connection/listening.ts";
import { namesOf } from "../../http/connection/names.ts";
import { isInTheClear } from "../../http/connection/site.ts";
import { guessesOf } from "../../http/identity/token-guesses.ts";
import { PATIENCE } from "../../http/server.ts";
import { available, LeewayRefusal } from "../../service/refusal.ts";
import { errorText } from "../error-text.ts";
import { claimedVersion, NEWER, OLDER } from "../newer/versions.ts";
import {
  BAD_MESSAGE,
  BAD_PARAMS,
  errorLine,
  GATEWAY_ERROR,
  HEADER_MISMATCH,
  PARSE_ERROR,
  type Rpc,
  readClientLine,
} from "../rpc.ts";
import { saidCapabilities } from "../session.ts";
import { type Entered, entered } from "./door.ts";
import { headerFault } from "./modern-headers.ts";
import { sendJson } from "./reply.ts";
import type { Exchange } from "./session-client.ts";
import { type Sessions, type SessionsOptions, sessionsOf } from "./sessions.ts";

// The gateway as a server for MCP clients over HTTP (streamable HTTP), for both eras of the protocol: up to 2025-11-25
// with sessions, and 2026-07-28 without.

export type GatewayServer = {
  /** The address for clients. */
  url: string;
  /** Tokens are sent over the network without encryption. */
  inTheClear: boolean;
  close(): Promise<void>;
};

export type GatewayServerOptions = SessionsOptions & { host: string; port: number };

const MCP_PATH = "/mcp";
const BAD_VERSION = -32022;

type Context = Parameters<typeof entered>[0] & {
  sessions: Sessions;
  present: OpenRequests;
  note(text: string): void;
};

export async function serveGateway(deps: Deps, options: GatewayServerOptions): Promise<GatewayServer> {
  const { host, port: wanted, ...how } = options;
  const { port, servers } = await bound({ host, port: wanted }, PATIENCE);
  const names = namesOf(deps, { host, port });
  const context: Context = {
    deps,
    names,
    guesses: guessesOf(() => deps.clock.nowMs()),
    sessions: sessionsOf(deps, how),
    present: nobodyYet(),
    note: how.note,
  };
  for (const server of servers) server.on("request", (request, response) => void answered(context, request, response));
  return {
    url: `${names.url}${MCP_PATH}`,
    inTheClear: isInTheClear({ origin: names.origin, host }),
    close: async () => {
      await context.sessions.close();
      await Promise.all(servers.map(stopped));
    },
  };
}

function stopped(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function answered(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const guest = context.present.enter(request, response);
  if (guest === undefined) return;
  try {
    const by = await available(() => entered(context, request));
    const full = context.present.seat(guest, by.who, context.deps.workspace);
    if (full !== undefined) throw full;
    const fault = await available(() => reached(context, by, { request, response }));
    if (fault !== undefined) {
      const allow = fault.allow === undefined ? {} : { allow: fault.allow };
      sendJson(response, fault.status, fault.line, allow);
    }
  } catch (error) {
    if (!(error instanceof LeewayRefusal)) context.note(`leeway: ${errorText(error)}\n`);
    refuse(request, response, refusalOf(error));
  }
  await guest.over;
  context.present.leave(guest);
}

/** A refusal as a JSON-RPC error, because this is what clients show. */
function refuse(request: IncomingMessage, response: ServerResponse, { code, reason, hint }: LeewayRefusal): void {
  if (response.headersSent) return void response.destroy();
  // What the client still sends is received, so that it can read the refusal.
  request.resume();
  const error = { code: GATEWAY_ERROR, message: `${reason}; ${hint} (${code})`, data: { code, hint } };
  const headers = code === "LEEWAY_UNAUTHENTICATED" ? { "www-authenticate": "Bearer" } : {};
  sendJson(response, statusOf(code), JSON.stringify({ jsonrpc: "2.0", id: null, error }), headers);
}

/** Why a request was not passed on. */
type Wrong = { status: number; line: string; allow?: string };

function wrong(status: number, why: string, code = BAD_MESSAGE): Wrong {
  return { status, line: errorLine(undefined, code, why) };
}

async function reached(context: Context, by: Entered, exchange: Exchange): Promise<Wrong | undefined> {
  const { method, url = "", headers } = exchange.request;
  const [path] = url.split("?");
  if (path !== MCP_PATH) return wrong(404, `there is nothing here; the address of the gateway is ${MCP_PATH}`);
  if (method === "POST") return posted(context, by, exchange);
  if (method !== "GET" && method !== "DELETE")
    return { ...wrong(405, "method not allowed; use POST, GET or DELETE"), allow: "GET, POST, DELETE" };
  const id = headers["mcp-session-id"];
  if (typeof id !== "string" && headers["mcp-protocol-version"] === NEWER)
    return { ...wrong(405, "this protocol has only POST"), allow: "POST" };
  if (typeof id !== "string") return wrong(400, "the header Mcp-Session-Id is missing");
  const session = context.sessions.find(id, by);
  if (session === undefined) return wrong(404, UNKNOWN_SESSION);
  if (method === "DELETE") {
    await context.sessions.end(id, "the client has ended the session");
    exchange.response.writeHead(204).end();
    return undefined;
  }
  if (!/text\/event-stream/i.test(headers.accept ?? ""))
    return wrong(406, "the header Accept must contain text/event-stream");
  session.client.listen(exchange);
  return undefined;
}

const UNKNOWN_SESSION = "there is no session with this id: it has ended, or another token opened it; initialize again";

async function posted(context: Context, by: Entered, exchange: Exchange): Promise<Wrong | undefined> {
  const { request } = exchange;
  const type = request.headers["content-type"] ?? "";
  if (!/^application\/json *(;|$)/i.test(type)) return wrong(415, "Content-Type must be application/json");
  const line = textIn(await bytesOf(request, BODY_BYTES_MAX));
  if (line === undefined) return wrong(400, "the message is not UTF-8", PARSE_ERROR);
  const read = readClientLine(line);
  if (!read.ok) return { status: 400, line: errorLine(read.id, read.code, read.why) };
  const { rpc } = read;
  const version = rpc.is === "answer" ? undefined : claimedVersion(rpc.params);
  return version === undefined
    ? inSession(context, by, { rpc, line }, exchange)
    : statelessly(context, by, { rpc, line, version }, exchange);
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

function textIn(body: Buffer): string | undefined {
  try {
    return UTF8.decode(body).trim();
  } catch {
    return undefined;
  }
}

type Sent = { rpc: Rpc; line: string };

/** The protocol up to 2025-11-25. */
async function inSession(
  context: Context,
  by: Entered,
  { rpc, line }: Sent,
  exchange: Exchange,
): Promise<Wrong | undefined> {
  const { "mcp-session-id": id, "mcp-protocol-version": version } = exchange.request.headers;
  if (rpc.is === "request" && rpc.method === "initialize") {
    (await context.sessions.open(by)).client.post(rpc, line, exchange);
    return undefined;
  }
  if (version === NEWER) return withoutMeta(rpc, "protocolVersion");
  if (typeof id !== "string") return wrong(400, "the header Mcp-Session-Id is missing; initialize first");
  const session = context.sessions.find(id, by);
  if (session === undefined) return wrong(404, UNKNOWN_SESSION);
  const agreed = session.client.version();
  // Some clients name another version than the one that was agreed on; the official servers accept it too.
  if (version !== undefined && version !== agreed && !OLDER.includes(String(version)))
    return wrong(400, `the header Mcp-Protocol-Version must be ${agreed ?? OLDER[0]}, as agreed in initialize`);
  session.client.post(rpc, line, exchange);
  return undefined;
}

function withoutMeta(rpc: Rpc, key: string): Wrong {
  const id = rpc.is === "notification" ? undefined : rpc.id;
  const why = `Invalid params: in the protocol ${NEWER} the _meta of a message has io.modelcontextprotocol/${key}`;
  return { status: 400, line: errorLine(id, BAD_PARAMS, why) };
}

/** The protocol of 2026-07-28: every request stands for itself. */
async function statelessly(
  { sessions }: Context,
  by: Entered,
  { rpc, line, version }: Sent & { version: string },
  exchange: Exchange,
): Promise<Wrong | undefined> {
  const id = rpc.is === "notification" ? undefined : rpc.id;
  const { "mcp-protocol-version": header } = exchange.request.headers;
  const isMismatch = rpc.is === "request" && header !== undefined && header !== version;
  if (version !== NEWER && !isMismatch) {
    const data = { supported: [NEWER], requested: version };
    const error = { code: BAD_VERSION, message: "Unsupported protocol version", data };
    return { status: 400, line: JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error }) };
  }
  const fault = rpc.is === "request" ? headerFault(exchange.request.headers, { ...rpc, version }) : undefined;
  if (fault !== undefined) return { status: 400, line: errorLine(id, HEADER_MISMATCH, fault) };
  if (rpc.is === "request" && saidCapabilities(rpc.params) === undefined) return withoutMeta(rpc, "clientCapabilities");
  (await sessions.shared(by)).client.post(rpc, line, exchange);
  return undefined;
}
