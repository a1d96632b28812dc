import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

// A protected MCP server and its authorization server on one port of this machine. They are strict: whatever a client gets
// wrong is refused. A test changes single answers to be hostile.

type Body = { [key: string]: unknown };
type Token = { client: string; scope: string; resource: string; untilMs: number };
type Code = { client: string; redirect: string; challenge: string; scope: string; resource: string; isUsed: boolean };

export type OauthServer = {
  origin: string;
  url: string;
  /** `METHOD path` of every request, in order. */
  heard: string[];
  /** Every value of the header Authorization that arrived at the MCP server. */
  authorizations: string[];
  /** Clients that were registered by hand: their id and secret. */
  registered: Map<string, string>;
  /** How such clients proved themselves: the text in the header Authorization, not encoded as base64 any more. */
  proofs: string[];
  /** Tool calls that ran. */
  ran: Body[];
  /** All tokens, codes and secrets that were ever given out. */
  secrets: string[];
  /** Answers to change: `METHOD path` to what is done instead. */
  instead: Map<string, (response: ServerResponse, request: IncomingMessage) => void>;
  /** Changes of the metadata documents. */
  over: { resource: Body; server: Body };
  lifeSeconds: number;
  scopes: string;
  /** Makes every access token that exists now worthless. */
  expireAll(): void;
  /** Makes every refresh token that exists now worthless. */
  revokeAll(): void;
  close(): Promise<void>;
};

type State = Omit<OauthServer, "close" | "expireAll" | "revokeAll"> & {
  clients: Map<string, { redirects: string[] }>;
  codes: Map<string, Code>;
  access: Map<string, Token>;
  refresh: Map<string, Token>;
};

export async function oauthServer(): Promise<OauthServer> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state: State = {
    origin,
    url: `${origin}/mcp`,
    heard: [],
    authorizations: [],
    registered: new Map(),
    proofs: [],
    ran: [],
    secrets: [],
    instead: new Map(),
    over: { resource: {}, server: {} },
    lifeSeconds: 3600,
    scopes: "read",
    clients: new Map(),
    codes: new Map(),
    access: new Map(),
    refresh: new Map(),
  };
  server.on("request", (request, response) => void answered(state, request, response));
  return Object.assign(state, {
    expireAll: () => state.access.clear(),
    revokeAll: () => state.refresh.clear(),
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  });
}

async function answered(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "", state.origin);
  const at = `${request.method} ${pathname}`;
  state.heard.push(at);
  let body = "";
  for await (const chunk of request) body += chunk;
  const instead = state.instead.get(at);
  if (instead === undefined) route(state, at, { request, body, searchParams }, response);
  else instead(response, request);
}

type Asked = { request: IncomingMessage; body: string; searchParams: URLSearchParams };

function route(state: State, at: string, { request, body, searchParams }: Asked, response: ServerResponse): unknown {
  switch (at) {
    case "GET /.well-known/oauth-protected-resource/mcp":
      return json(response, 200, {
        resource: state.url,
        authorization_servers: [state.origin],
        scopes_supported: state.scopes.split(" "),
        ...state.over.resource,
      });
    case "GET /.well-known/oauth-authorization-server":
      return json(response, 200, { ...metadata(state), ...state.over.server });
    case "POST /register":
      return register(state, JSON.parse(body), response);
    case "GET /authorize":
      return authorize(state, searchParams, response);
    case "POST /token": {
      const asked = new URLSearchParams(body);
      return proved(state, request, asked) ? token(state, asked, response) : json(response, 401, UNPROVED);
    }
    case "POST /revoke": {
      const gone = new URLSearchParams(body).get("token") ?? "";
      state.refresh.delete(gone);
      state.access.delete(gone);
      return json(response, 200, {});
    }
    case "POST /mcp":
      return mcp(state, request, JSON.parse(body), response);
    default:
      return json(response, 404, { error: "not_found" });
  }
}

function metadata({ origin }: State): Body {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    revocation_endpoint: `${origin}/revoke`,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    authorization_response_iss_parameter_supported: true,
  };
}

function register(state: State, said: Body, response: ServerResponse): unknown {
  const redirects = said["redirect_uris"] as string[];
  const isGood =
    redirects.every((one) => /^http:\/\/127\.0\.0\.1:\d+\/callback$/.test(one)) &&
    said["token_endpoint_auth_method"] === "none" &&
    said["client_name"] === "Leeway";
  if (!isGood) return json(response, 400, { error: "invalid_client_metadata" });
  const id = `client-${randomUUID()}`;
  state.clients.set(id, { redirects });
  return json(response, 201, { ...said, client_id: id });
}

function authorize(state: State, asked: URLSearchParams, response: ServerResponse): unknown {
  const [client, redirect] = [asked.get("client_id") ?? "", asked.get("redirect_uri") ?? ""];
  const isGood =
    (state.clients.get(client)?.redirects.includes(redirect) ?? state.registered.has(client)) &&
    asked.get("response_type") === "code" &&
    asked.get("code_challenge_method") === "S256" &&
    (asked.get("state") ?? "").length >= 32 &&
    asked.get("resource") === state.url;
  if (!isGood) return json(response, 400, { error: "invalid_request" });
  const code = secret(state);
  state.codes.set(code, {
    client,
    redirect,
    challenge: asked.get("code_challenge") ?? "",
    scope: asked.get("scope") ?? "",
    resource: state.url,
    isUsed: false,
  });
  const to = new URL(redirect);
  to.searchParams.set("code", code);
  to.searchParams.set("state", asked.get("state") ?? "");
  to.searchParams.set("iss", state.origin);
  return response.writeHead(302, { location: to.href }).end();
}

const UNPROVED = { error: "invalid_client" };

/** A client with a secret, as RFC 6749 2.3.1 wants it; it then stands for the client of the request. */
function proved(state: State, { headers }: IncomingMessage, asked: URLSearchParams): boolean {
  const [, encoded] = /^Basic (.+)$/.exec(headers.authorization ?? "") ?? [];
  if (encoded === undefined) return !state.registered.has(asked.get("client_id") ?? "");
  const proof = Buffer.from(encoded, "base64").toString("utf8");
  state.proofs.push(proof);
  const [id = "", secret = ""] = proof
    .split(":")
    .map((part) => [...new URLSearchParams(`x=${part}`).values()][0] ?? "");
  asked.set("client_id", id);
  return state.registered.get(id) === secret;
}

function token(state: State, asked: URLSearchParams, response: ServerResponse): unknown {
  if (asked.get("grant_type") === "refresh_token") {
    const shown = asked.get("refresh_token") ?? "";
    const found = state.refresh.get(shown);
    // A refresh token works once.
    state.refresh.delete(shown);
    const isGood = found?.client === asked.get("client_id") && asked.get("resource") === state.url;
    return isGood && found ? give(state, found, response) : json(response, 400, { error: "invalid_grant" });
  }
  const found = state.codes.get(asked.get("code") ?? "");
  const verifier = asked.get("code_verifier") ?? "";
  const isGood =
    found?.isUsed === false &&
    found.client === asked.get("client_id") &&
    found.redirect === asked.get("redirect_uri") &&
    found.challenge === createHash("sha256").update(verifier).digest("base64url") &&
    asked.get("resource") === found.resource;
  if (!isGood || found === undefined) return json(response, 400, { error: "invalid_grant" });
  found.isUsed = true;
  return give(state, { ...found, untilMs: 0 }, response);
}

function give(state: State, { client, scope, resource }: Token, response: ServerResponse): void {
  const [access, refresh] = [secret(state), secret(state)];
  const made = { client, scope, resource, untilMs: Date.now() + state.lifeSeconds * 1000 };
  state.access.set(access, made);
  state.refresh.set(refresh, made);
  json(response, 200, {
    access_token: access,
    token_type: "Bearer",
    expires_in: state.lifeSeconds,
    refresh_token: refresh,
    scope,
  });
}

function secret(state: State): string {
  const made = `s3cret-${randomUUID()}`;
  state.secrets.push(made);
  return made;
}

const TOOLS = ["echo", "admin"].map((name) => ({
  name,
  description: `the tool ${name}`,
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
}));

function mcp(state: State, request: IncomingMessage, said: Body, response: ServerResponse): void {
  const header = request.headers.authorization ?? "";
  if (header !== "") state.authorizations.push(header);
  const found = state.access.get(header.replace(/^Bearer /, ""));
  const at = `resource_metadata="${state.origin}/.well-known/oauth-protected-resource/mcp"`;
  if (found === undefined || found.untilMs <= Date.now() || found.resource !== state.url) {
    response.writeHead(401, { "www-authenticate": `Bearer ${at}, scope="${state.scopes}"` }).end();
    return;
  }
  const { id, method, params = {} } = said as { id?: unknown; method: string; params?: Body };
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  if (method === "tools/call" && params["name"] === "admin" && !found.scope.split(" ").includes("admin")) {
    const challenge = `Bearer error="insufficient_scope", scope="admin", ${at}`;
    response.writeHead(403, { "www-authenticate": challenge }).end();
    return;
  }
  if (method === "tools/call") state.ran.push(params);
  json(response, 200, { jsonrpc: "2.0", id, result: resultOf(method, params) });
}

function resultOf(method: string, params: Body): Body {
  const { text } = (params["arguments"] ?? {}) as Body;
  if (method === "initialize")
    return { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "one", version: "1" } };
  if (method === "tools/list") return { tools: TOOLS };
  return method === "tools/call" ? { content: [{ type: "text", text: `said ${text}` }] } : {};
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** A browser in which the person allows everything: the address at which it ends. */
export async function allowed(address: string): Promise<string> {
  const response = await fetch(address, { redirect: "manual" });
  const to = response.headers.get("location");
  if (to === null) throw new Error(`the authorization server refused: ${response.status} ${await response.text()}`);
  return to;
}
