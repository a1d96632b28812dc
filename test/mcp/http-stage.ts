import { mkdtempSync, rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Token } from "../../src/core/people.ts";
import type { JsonObject } from "../../src/core/values/json.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { addToken } from "../../src/gate/people/tokens.ts";
import { type GatewayServer, type GatewayServerOptions, serveGateway } from "../../src/mcp/http/server.ts";
import type { UpstreamSettings } from "../../src/mcp/upstream.ts";
import { acceptAll, gateDeps, linesOf, type Told, upstreamAt } from "./stage.ts";

// The gateway as a server on a loopback port, clients that write their requests by hand, and upstreams that are real
// processes.

export type HttpAnswer = {
  status: number;
  headers: IncomingMessage["headers"];
  /** Every message in the body, or in the events of a stream. */
  messages: readonly Told[];
};

export type Sent = { method?: string; path?: string; headers?: Record<string, string>; body?: string };

export type HttpStage = {
  deps: Deps;
  server: GatewayServer;
  tokenFor(agent: string): Promise<{ text: string; token: Token }>;
  /** One request as it is. */
  send(sent: Sent): Promise<HttpAnswer>;
  /** A client with a session. */
  client(token: string, capabilities?: JsonObject): Promise<HttpClient>;
  ran(name?: string): readonly Told[];
  close(): Promise<void>;
};

export type HttpClient = {
  session: string;
  post(message: JsonObject, headers?: Record<string, string>): Promise<HttpAnswer>;
  call(name: string, args: JsonObject, more?: JsonObject): Promise<HttpAnswer>;
  /** Opens the stream for what the gateway says on its own. */
  listen(): Promise<{ heard: Told[]; close(): void }>;
};

export const JSON_HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

export async function httpStage(
  how: {
    names?: readonly string[];
    flags?: readonly string[];
    policy?: string;
    over?: Partial<UpstreamSettings>;
    options?: Partial<GatewayServerOptions>;
  } = {},
): Promise<HttpStage> {
  const { names = ["one"] } = how;
  const folder = mkdtempSync(join(tmpdir(), "leeway-mcp-http-"));
  const journal = (name: string) => join(folder, `${name}.jsonl`);
  const deps = await gateDeps(how.policy);
  const upstreams = names.map((name) => upstreamAt(name, journal(name), how.flags ?? [], how.over));
  for (const upstream of upstreams) await acceptAll(deps, upstream);
  const server = await serveGateway(deps, {
    upstreams,
    isAlone: names.length === 1,
    cwd: folder,
    version: "0",
    holdMs: { withProgress: 20_000, without: 20_000 },
    linkTo: () => undefined,
    note: () => undefined,
    host: "127.0.0.1",
    port: 0,
    idleMs: 600_000,
    ...how.options,
  });
  const send = (sent: Sent) => sentTo(server.url, sent);
  return {
    deps,
    server,
    send,
    tokenFor: async (agent) => {
      const made = await addToken(deps, { agent }, { by: "ana", assurance: "tty" });
      if (!made.ok) throw new Error(made.code);
      return made.value;
    },
    client: (token, capabilities = {}) => clientOf(server.url, token, capabilities),
    ran: (name = names[0] ?? "") => linesOf(journal(name)),
    close: async () => {
      await server.close();
      await deps.store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function clientOf(url: string, token: string, capabilities: JsonObject): Promise<HttpClient> {
  const own = { ...JSON_HEADERS, authorization: `Bearer ${token}` };
  const post = (message: JsonObject, headers: Record<string, string> = {}) =>
    sentTo(url, { headers: { ...own, ...headers }, body: JSON.stringify({ jsonrpc: "2.0", ...message }) });
  const params = { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "tester", version: "1" } };
  const hello = await post({ id: 0, method: "initialize", params });
  const session = String(hello.headers["mcp-session-id"]);
  const inSession = { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
  let ids = 0;
  return {
    session,
    post: (message, headers = {}) => post(message, { ...inSession, ...headers }),
    call: (name, args, more = {}) => {
      ids += 1;
      return post({ id: ids, method: "tools/call", params: { name, arguments: args, ...more } }, inSession);
    },
    listen: () =>
      new Promise((resolve, reject) => {
        const heard: Told[] = [];
        const headers = { ...own, ...inSession, accept: "text/event-stream" };
        const asked = request(url, { headers }, (response) => {
          let text = "";
          response.on("data", (chunk) => {
            text += chunk;
            const events = text.split("\n\n");
            text = events.pop() ?? "";
            heard.push(...events.flatMap(messagesIn));
          });
          response.on("error", () => undefined);
          resolve({ heard, close: () => void asked.destroy() });
        });
        asked.on("error", reject).end();
      }),
  };
}

/** With `node:http`, because `fetch` does not let a test choose the host name. */
export function sentTo(url: string, { method = "POST", path, headers = {}, body }: Sent): Promise<HttpAnswer> {
  const { hostname, port, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path: path ?? pathname, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => void chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const isStream = response.headers["content-type"] === "text/event-stream";
        const messages = isStream ? text.split("\n\n").flatMap(messagesIn) : text === "" ? [] : [JSON.parse(text)];
        resolve({ status: response.statusCode ?? 0, headers: response.headers, messages });
      });
      response.on("error", reject);
    });
    asked.on("error", reject).end(body);
  });
}

function messagesIn(event: string): readonly Told[] {
  const data = event.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []));
  return data.length === 0 ? [] : [JSON.parse(data.join("\n"))];
}
