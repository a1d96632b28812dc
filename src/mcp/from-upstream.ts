import { isObject, type JsonObject } from "../core/values/json.ts";
import { isTranslated } from "./newer/answers.ts";
import { toldListeners } from "./newer/listening.ts";
import { errorLine, NO_METHOD, type Rpc, requestLine, resultLine } from "./rpc.ts";
import { catalogueFor, type Session } from "./session.ts";
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
  if (!isAllowed(upstream, method) || isTranslated(session)) {
    upstream.tell(errorLine(id, NO_METHOD, `Method not found: ${method} is not allowed for this server`));
    return;
  }
  session.askedCount += 1;
  const asked = `leeway:ask:${session.askedCount}`;
  session.asked.set(asked, { upstream, id });
  session.options.send(requestLine(asked, method, withName(upstream, method, params)));
}

function notified(
  session: Session,
  upstream: Upstream,
  { method, params }: Extract<Rpc, { is: "notification" }>,
  line: string,
): void {
  if (method === "notifications/tools/list_changed") catalogueFor(session, upstream).forget();
  const isListenedTo = isTranslated(session) && toldListeners(session, method, params);
  if (method === "notifications/message") logged(session, upstream, params, line);
  else if (!isListenedTo) session.options.send(line);
}

const LOG_LEVEL = "io.modelcontextprotocol/logLevel";

/** In the newer protocol a request says whether the client wants to read logs. */
function isLogWanted({ client }: Session): boolean {
  const meta = client.meta["_meta"];
  return meta !== undefined && isObject(meta) && meta[LOG_LEVEL] !== undefined;
}

/** Log text can be read by a model, so it says where it comes from. */
function logged(session: Session, { name }: Upstream, params: JsonObject, line: string): void {
  const { options } = session;
  if (isTranslated(session) && !isLogWanted(session)) return;
  const { data, logger } = params;
  const parsed = JSON.parse(line);
  if (!isObject(parsed)) return;
  const from = typeof logger === "string" ? `${name}/${logger}` : name;
  const said = typeof data === "string" ? { data: `[${name}] ${data}` } : {};
  options.send(JSON.stringify({ ...parsed, params: { ...params, logger: from, ...said } }));
}

/** The client's answer to a request of an upstream. */
export function passAnswer(session: Session, { id, answer }: Extract<Rpc, { is: "answer" }>): void {
  const asked = session.asked.get(id);
  if (asked === undefined) return;
  session.asked.delete(id);
  const body = answer.ok ? { result: answer.result } : { error: answer.error };
  asked.upstream.tell(JSON.stringify({ jsonrpc: "2.0", id: asked.id, ...body }));
}
