import { isObject, type JsonObject } from "../core/values/json.ts";
import { errorLine, NO_METHOD, type Rpc, requestLine, resultLine } from "./rpc.ts";
import { catalogueFor, type Session } from "./session.ts";
import type { Upstream } from "./upstream.ts";

// What upstreams send without being asked. An upstream may use the client's model or ask its user only if a person
// allowed that for this upstream, and then its name stands in what they read.

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
  if (!isAllowed(upstream, method)) {
    upstream.tell(errorLine(id, NO_METHOD, `Method not found: ${method} is not allowed for this server`));
    return;
  }
  session.askedCount += 1;
  const asked = `leeway:ask:${session.askedCount}`;
  session.asked.set(asked, { upstream, id });
  session.options.send(requestLine(asked, method, withName(upstream, method, params)));
}

function isAllowed({ settings }: Upstream, method: string): boolean {
  if (method.startsWith("sampling/")) return settings.allowSampling;
  if (method.startsWith("elicitation/")) return settings.allowElicitation;
  return true;
}

function withName({ name }: Upstream, method: string, params: JsonObject): JsonObject {
  const { message, systemPrompt } = params;
  if (method === "elicitation/create")
    return { ...params, message: `[${name}] ${typeof message === "string" ? message : ""}` };
  if (method !== "sampling/createMessage") return params;
  const own = typeof systemPrompt === "string" ? `\n${systemPrompt}` : "";
  return { ...params, systemPrompt: `This request comes from the MCP server ${name}.${own}` };
}

function notified(
  session: Session,
  upstream: Upstream,
  { method, params }: Extract<Rpc, { is: "notification" }>,
  line: string,
): void {
  if (method === "notifications/tools/list_changed") catalogueFor(session, upstream).forget();
  if (method === "notifications/message") logged(session, upstream, params, line);
  else session.options.send(line);
}

/** Log text can be read by a model, so it says where it comes from. */
function logged({ options }: Session, { name }: Upstream, params: JsonObject, line: string): void {
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
