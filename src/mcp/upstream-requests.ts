import { isObject, type JsonObject } from "../core/values/json.ts";
import { NO_METHOD, type RpcAnswer } from "./rpc.ts";

// What an upstream wants from the client: its model, or an answer of its user. Either is possible only if a person allowed
// it for this upstream, and then the name of the upstream stands in what they read. Up to 2025-11-25 these are requests of
// the upstream; since then they are inside of an answer (`input_required`).

type Allowed = { allowSampling: boolean; allowElicitation: boolean };
type Asking = { name: string; settings: Allowed };

/** All that an upstream can ask for. */
const ASKED: ReadonlyMap<string, (settings: Allowed) => boolean> = new Map([
  ["roots/list", () => true],
  ["sampling/createMessage", (settings: Allowed) => settings.allowSampling],
  ["elicitation/create", (settings: Allowed) => settings.allowElicitation],
]);

export function isAllowed({ settings }: Asking, method: string): boolean {
  return ASKED.get(method)?.(settings) === true;
}

export function withName({ name }: Asking, method: string, params: JsonObject): JsonObject {
  const { message, systemPrompt } = params;
  if (method === "elicitation/create")
    return { ...params, message: `[${name}] ${typeof message === "string" ? message : ""}` };
  if (method !== "sampling/createMessage") return params;
  const own = typeof systemPrompt === "string" ? `\n${systemPrompt}` : "";
  return { ...params, systemPrompt: `This request comes from the MCP server ${name}.${own}` };
}

/** An error that says which addresses the client must open for its user first. */
const OPEN_FIRST = -32042;

/** The answer for the client, if it asks for input; undefined if it does not. */
export function answerWithInput(upstream: Asking, answer: RpcAnswer): RpcAnswer | undefined {
  if (!answer.ok) return answer.error["code"] === OPEN_FIRST ? openFirst(upstream, answer.error) : undefined;
  if (answer.result["resultType"] !== "input_required") return undefined;
  const { inputRequests } = answer.result;
  if (inputRequests === undefined || !isObject(inputRequests)) return undefined;
  const named: Record<string, JsonObject> = {};
  for (const [key, request] of Object.entries(inputRequests)) {
    const method = isObject(request) ? request["method"] : undefined;
    if (!isObject(request) || typeof method !== "string" || !isAllowed(upstream, method)) return notAllowed(upstream);
    const { params } = request;
    named[key] =
      params !== undefined && isObject(params) ? { ...request, params: withName(upstream, method, params) } : request;
  }
  return { ok: true, result: { ...answer.result, inputRequests: named } };
}

function openFirst(upstream: Asking, error: JsonObject): RpcAnswer {
  const create = "elicitation/create";
  if (!isAllowed(upstream, create)) return notAllowed(upstream);
  const { data } = error;
  if (data === undefined || !isObject(data) || !Array.isArray(data["elicitations"])) return { ok: false, error };
  const elicitations = data["elicitations"].map((one) => (isObject(one) ? withName(upstream, create, one) : one));
  return { ok: false, error: { ...error, data: { ...data, elicitations } } };
}

function notAllowed({ name }: Asking): RpcAnswer {
  const message = `the MCP server ${name} wants something from the client that nobody allowed it`;
  return { ok: false, error: { code: NO_METHOD, message } };
}
