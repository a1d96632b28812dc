import { isObject, type Json, type JsonObject } from "../core/values/json.ts";
import { parseJsonText } from "../core/values/json-text.ts";

// JSON-RPC messages of MCP: one JSON object per line. Only what the gateway looks at is read; everything else stays in
// the line as it was sent.

export type RpcId = string | number;

export type Rpc =
  | { is: "request"; id: RpcId; method: string; params: JsonObject }
  | { is: "notification"; method: string; params: JsonObject }
  | { is: "answer"; id: RpcId; answer: RpcAnswer };

export type RpcAnswer = { ok: true; result: JsonObject } | { ok: false; error: JsonObject };

export type ReadRpc = { ok: true; rpc: Rpc } | { ok: false; id?: RpcId; code: number; why: string };

export const PARSE_ERROR = -32700;
export const BAD_MESSAGE = -32600;
export const NO_METHOD = -32601;
export const BAD_PARAMS = -32602;
/** The headers of a request say something else than its message. */
export const HEADER_MISMATCH = -32020;
/** What the gateway itself cannot do: the upstream is gone, or the gate does not answer. */
export const GATEWAY_ERROR = -32000;

/**
 * A message of the client. What is decided must be what the upstream reads, so a message that two parsers could read in
 * different ways is refused: a key that stands twice, or `Method` beside `method`, which some parsers take for the same.
 */
export function readClientLine(line: string): ReadRpc {
  const parsed = parseJsonText(line);
  if (!parsed.ok) return { ok: false, code: PARSE_ERROR, why: `not JSON that every parser reads alike: ${parsed.why}` };
  const read = rpcOf(parsed.value);
  if (!read.ok) return read;
  const message = parsed.value as JsonObject;
  const params = isObject(message["params"]) ? message["params"] : {};
  const unclear = misspelt(message, ENVELOPE) ?? misspelt(params, GATED_PARAMS);
  if (unclear === undefined) return read;
  const id = read.rpc.is === "notification" ? {} : { id: read.rpc.id };
  return { ok: false, ...id, code: BAD_MESSAGE, why: `the key \`${unclear}\` may be read as another key` };
}

/** A message of an upstream. Nothing is decided by it that a second reading could change. */
export function readUpstreamLine(line: string): ReadRpc {
  try {
    return rpcOf(JSON.parse(line));
  } catch {
    return { ok: false, code: PARSE_ERROR, why: "not JSON" };
  }
}

/**
 * The message as one line. Between the parts of a message JSON allows line breaks; a program that reads line by line
 * would take what stands between two of them for a message of its own, which nobody has decided about.
 */
export function oneLine(line: string): string {
  return line.replaceAll(/[\r\n]/g, " ");
}

function rpcOf(message: Json): ReadRpc {
  if (!isObject(message))
    return { ok: false, code: BAD_MESSAGE, why: "a message is one JSON object; batches are not supported" };
  const { id, method, params = {}, result, error } = message;
  const isId = typeof id === "string" || typeof id === "number";
  if (!isObject(params))
    return { ok: false, ...(isId ? { id } : {}), code: BAD_PARAMS, why: "`params` is not an object" };
  if (typeof method === "string") {
    if (isId) return { ok: true, rpc: { is: "request", id, method, params } };
    if (id === undefined) return { ok: true, rpc: { is: "notification", method, params } };
  }
  if (isId && isObject(result)) return { ok: true, rpc: { is: "answer", id, answer: { ok: true, result } } };
  if (isId && isObject(error)) return { ok: true, rpc: { is: "answer", id, answer: { ok: false, error } } };
  return {
    ok: false,
    ...(isId ? { id } : {}),
    code: BAD_MESSAGE,
    why: "neither a request, nor a notification, nor an answer",
  };
}

const ENVELOPE = new Set(["jsonrpc", "id", "method", "params", "result", "error"]);
const GATED_PARAMS = new Set(["name", "arguments", "uri"]);

function misspelt(object: JsonObject, names: ReadonlySet<string>): string | undefined {
  return Object.keys(object).find((key) => !names.has(key) && names.has(folded(key)));
}

/** As parsers compare that ignore case; some letters have a lower case only by way of their upper case. */
function folded(key: string): string {
  return key.toUpperCase().toLowerCase();
}

export function requestLine(id: RpcId, method: string, params: JsonObject): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

export function notificationLine(method: string, params?: JsonObject): string {
  return JSON.stringify(params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params });
}

export function resultLine(id: RpcId, result: JsonObject): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

export function errorLine(id: RpcId | undefined, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error: { code, message } });
}

export function answerLine(id: RpcId, answer: RpcAnswer): string {
  return answer.ok ? resultLine(id, answer.result) : JSON.stringify({ jsonrpc: "2.0", id, error: answer.error });
}

/** The token under which the client wants to hear of progress. */
export function progressToken(params: JsonObject): RpcId | undefined {
  const meta = params["_meta"];
  const token = isObject(meta) ? meta["progressToken"] : undefined;
  return typeof token === "string" || typeof token === "number" ? token : undefined;
}
