import { isObject, type Json, type JsonObject } from "../core/values/json.ts";
import { visible, visibleText } from "../core/values/text.ts";
import { isTranslated } from "./newer/answers.ts";
import { toldListeners } from "./newer/listening.ts";
import {
  errorLine,
  NO_METHOD,
  notificationLine,
  progressToken,
  type Rpc,
  type RpcId,
  readUpstreamLine,
  requestLine,
  resultLine,
} from "./rpc.ts";
import { type ActiveCall, catalogueFor, type Session } from "./session.ts";
import type { Upstream } from "./upstream.ts";
import { isAllowed, withName } from "./upstream-requests.ts";

// What upstreams send without being asked.

export function heardFrom(
  session: Session,
  upstream: Upstream,
  rpc: Exclude<Rpc, { is: "answer" }>,
  line: string,
): void {
  if (rpc.is === "notification") {
    notified(session, upstream, rpc, line);
    return;
  }
  const { id, method, params } = rpc;
  if (method === "ping") {
    upstream.tell(resultLine(id, {}));
    return;
  }
  // In the newer protocol only clients make requests, so there is nobody who could answer.
  if (!isAllowed(upstream, method) || Object.keys(session.client.meta).length > 0) {
    upstream.tell(errorLine(id, NO_METHOD, `Method not found: ${method} is not allowed for this server`));
    return;
  }
  session.askedCount += 1;
  const asked = `leeway:ask:${session.askedCount}`;
  const token = progressToken(params);
  session.asked.set(asked, { upstream, id, ...(token === undefined ? {} : { token }) });
  session.options.send(requestLine(asked, method, withOwnToken(withName(upstream, method, params), asked)));
}

/** Two upstreams may choose the same progress token. */
function withOwnToken(params: JsonObject, asked: string): JsonObject {
  const meta = params["_meta"];
  if (progressToken(params) === undefined || meta === undefined || !isObject(meta)) return params;
  return { ...params, _meta: { ...meta, progressToken: asked } };
}

function notified(session: Session, upstream: Upstream, rpc: Told, line: string): void {
  const { method, params } = rpc;
  if (method === "notifications/tools/list_changed") catalogueFor(session, upstream).forget();
  const isListenedTo = isTranslated(session) && toldListeners(session, method, params);
  if (method === "notifications/message") logged(session, upstream, params, line);
  else if (method === "notifications/progress") progressed(session, upstream, rpc, line);
  else if (method === "notifications/cancelled") cancelled(session, upstream, params, line);
  else if (method === "notifications/elicitation/complete" && !isElicitationOf(session, upstream, params)) return;
  else if (!isListenedTo) session.options.send(line);
}

type Told = Extract<Rpc, { is: "notification" }>;

/** An upstream may speak only about calls that were sent to it. */
function progressed(session: Session, upstream: Upstream, { method, params }: Told, line: string): void {
  const { progressToken: token, message } = params;
  const isOfCall = [...session.active.values()].some((one) => one.upstream === upstream && one.token === token);
  if (!isOfCall && session.taskTokens.get(token as RpcId) !== upstream) return;
  const isPlain = typeof message !== "string" || visible(message) === message;
  session.options.send(isPlain ? line : notificationLine(method, { ...params, message: visible(message) }));
}

/** It ends a request of the client that it has, or takes back one of its own, which the client knows by another id. */
function cancelled(session: Session, upstream: Upstream, params: JsonObject, line: string): void {
  const { requestId } = params;
  const isOfCall = session.active.get(requestId as RpcId)?.upstream === upstream;
  const [asked] = [...session.asked].find(([, one]) => one.upstream === upstream && one.id === requestId) ?? [];
  if (asked !== undefined) {
    session.asked.delete(asked);
    session.options.send(notificationLine("notifications/cancelled", { ...params, requestId: asked }));
  } else if (isOfCall) session.options.send(line);
}

/** The gateway shows the pages of its own questions in the same way. */
function isElicitationOf(session: Session, { settings }: Upstream, { elicitationId }: JsonObject): boolean {
  return settings.allowElicitation && !session.questions.has(String(elicitationId));
}

const TASK_TOKENS_MAX = 1_000;

/** After an answer that is a task, the upstream goes on telling about it under the token of the call. */
export function keepTaskToken({ taskTokens }: Session, { upstream, token }: ActiveCall, line: string): void {
  if (upstream === undefined || token === undefined || !line.includes('"task')) return;
  const read = readUpstreamLine(line);
  if (!read.ok || read.rpc.is !== "answer" || !read.rpc.answer.ok) return;
  const { task, resultType } = read.rpc.answer.result;
  if (task === undefined && resultType !== "task") return;
  const [oldest] = taskTokens.keys();
  if (taskTokens.size >= TASK_TOKENS_MAX && oldest !== undefined) taskTokens.delete(oldest);
  taskTokens.set(token, upstream);
}

const LOG_LEVEL = "io.modelcontextprotocol/logLevel";

/** In the newer protocol a request says whether the client wants to read logs. */
function isLogWanted({ client }: Session): boolean {
  const meta = client.meta["_meta"];
  return meta !== undefined && isObject(meta) && meta[LOG_LEVEL] !== undefined;
}

/** A model can read log text, so it says where it comes from; a terminal can show it, so it has no character that a terminal obeys. */
function logged(session: Session, { name }: Upstream, params: JsonObject, line: string): void {
  const { options } = session;
  if (isTranslated(session) && !isLogWanted(session)) return;
  const { data, logger } = params;
  const parsed = JSON.parse(line);
  if (!isObject(parsed)) return;
  const from = typeof logger === "string" ? `${name}/${visible(logger)}` : name;
  const shown = data === undefined ? {} : { data: withVisibleTexts(data) };
  const said = typeof data === "string" ? { data: visibleText(data).replaceAll(/^/gm, `[${name}] `) } : shown;
  options.send(JSON.stringify({ ...parsed, params: { ...params, logger: from, ...said } }));
}

function withVisibleTexts(value: Json): Json {
  if (typeof value === "string") return visibleText(value);
  if (Array.isArray(value)) return value.map(withVisibleTexts);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [visible(key), withVisibleTexts(one)]));
}

/** The client's progress with a request of an upstream, which knows it by a token of its own. */
export function passProgress({ asked }: Session, { progressToken: shown, ...params }: JsonObject): void {
  const { upstream, token } = asked.get(shown as RpcId) ?? {};
  if (token !== undefined)
    upstream?.tell(notificationLine("notifications/progress", { ...params, progressToken: token }));
}

/** The client's answer to a request of an upstream. */
export function passAnswer(session: Session, { id, answer }: Extract<Rpc, { is: "answer" }>): void {
  const asked = session.asked.get(id);
  if (asked === undefined) return;
  session.asked.delete(id);
  const body = answer.ok ? { result: answer.result } : { error: answer.error };
  asked.upstream.tell(JSON.stringify({ jsonrpc: "2.0", id: asked.id, ...body }));
}
