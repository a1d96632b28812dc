import { isObject, type Json, type JsonObject } from "../../core/values/json.ts";
import { initialize } from "../greeting.ts";
import { notificationLine, readUpstreamLine, resultLine } from "../rpc.ts";
import { type ClientRequest, openUpstreams, type Session } from "../session.ts";
import { withTasks } from "../waiting/task.ts";
import { CLIENT_INFO, NEWER, OLDER } from "./versions.ts";

// A client of the protocol of 2026-07-28 in front of several upstreams. Each upstream is greeted in the protocol up to
// 2025-11-25, whatever it speaks besides; the gateway translates what the two protocols write differently.

const SERVER_INFO = "io.modelcontextprotocol/serverInfo";

/** The client speaks the newer protocol, and the gateway translates. */
export function isTranslated({ options, client }: Session): boolean {
  return !options.isAlone && Object.keys(client.meta).length > 0;
}

/** Greets the upstreams once. In the newer protocol only clients make requests, so upstreams can ask for nothing. */
export function greetedForAll(session: Session): Promise<JsonObject> {
  session.greeting ??= greetAll(session).catch((error: unknown) => {
    session.greeting = undefined;
    throw error;
  });
  return session.greeting;
}

async function greetAll(session: Session): Promise<JsonObject> {
  const { client } = session;
  const { capabilities } = client;
  const meta = client.meta["_meta"];
  const info = meta !== undefined && isObject(meta) ? meta[CLIENT_INFO] : undefined;
  const clientInfo: Json = info ?? { name: "mcp", version: "unknown" };
  const params = { protocolVersion: OLDER[0] ?? "", capabilities: {}, clientInfo };
  const read = readUpstreamLine(await initialize(session, "leeway:greeting", params));
  // What the client can do was said with its request, and is still true.
  client.capabilities = capabilities;
  for (const upstream of openUpstreams(session)) upstream.tell(notificationLine("notifications/initialized"));
  if (!read.ok || read.rpc.is !== "answer" || !read.rpc.answer.ok)
    throw new Error("the MCP servers could not be greeted (this is a bug)");
  return read.rpc.answer.result;
}

/** `server/discover`. */
export async function discover(session: Session, { id }: ClientRequest): Promise<string> {
  const { capabilities, instructions } = await greetedForAll(session);
  const { logging: _, ...own } = capabilities !== undefined && isObject(capabilities) ? capabilities : {};
  return resultLine(id, {
    supportedVersions: [NEWER, ...OLDER],
    capabilities: withTasks(own),
    ...(instructions === undefined ? {} : { instructions }),
  });
}

const CACHEABLE = /^(server\/discover|tools\/list|prompts\/list|resources\/(list|templates\/list|read))$/;
const NO_RESOURCE = { older: -32002, newer: -32602 };

/** An answer with what the newer protocol demands: that it is complete, for how long, and who gave it. */
export function asNewer({ options }: Session, method: string, line: string): string {
  const read = readUpstreamLine(line);
  if (!read.ok || read.rpc.is !== "answer") return line;
  const { id, answer } = read.rpc;
  if (!answer.ok) {
    if (answer.error["code"] !== NO_RESOURCE.older) return line;
    return JSON.stringify({ jsonrpc: "2.0", id, error: { ...answer.error, code: NO_RESOURCE.newer } });
  }
  const { result } = answer;
  const meta = result["_meta"];
  const own = { [SERVER_INFO]: { name: "leeway", version: options.version } };
  return resultLine(id, {
    resultType: "complete",
    ...(CACHEABLE.test(method) ? { ttlMs: 0, cacheScope: "private" } : {}),
    ...result,
    _meta: { ...own, ...(meta !== undefined && isObject(meta) ? meta : {}) },
  });
}
