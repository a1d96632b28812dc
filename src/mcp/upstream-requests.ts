import { isObject, type JsonObject } from "../core/values/json.ts";
import { NO_METHOD, type RpcAnswer } from "./rpc.ts";

// What an upstream wants from the client: its model, or an answer of its user. Either is possible only if a person allowed
// it for this upstream, and then the name of the upstream stands in what they read. Up to 2025-11-25 these are requests of
// the upstream; since then they are inside of an answer (`input_required`).

type Asking = { name: string; settings: { allowSampling: boolean; allowElicitation: boolean } };

export function isAllowed({ settings }: Asking, method: string): boolean {
  if (method.startsWith("sampling/")) return settings.allowSampling;
  if (method.startsWith("elicitation/")) return settings.allowElicitation;
  return true;
}

export function withName({ name }: Asking, method: string, params: JsonObject): JsonObject {
  const { message, systemPrompt } = params;
  if (method === "elicitation/create")
    return { ...params, message: `[${name}] ${typeof message === "string" ? message : ""}` };
  if (method !== "sampling/createMessage") return params;
  const own = typeof systemPrompt === "string" ? `\n${systemPrompt}` : "";
  return { ...params, systemPrompt: `This request comes from the MCP server ${name}.${own}` };
}

/** The answer for the client, if it asks for input; undefined if it does not. */
export function answerWithInput(upstream: Asking, answer: RpcAnswer): RpcAnswer | undefined {
  if (!answer.ok || answer.result["resultType"] !== "input_required") return undefined;
  const { inputRequests } = answer.result;
  if (inputRequests === undefined || !isObject(inputRequests)) return undefined;
  const named: Record<string, JsonObject> = {};
  for (const [key, request] of Object.entries(inputRequests)) {
    const method = isObject(request) ? request["method"] : undefined;
    if (!isObject(request) || typeof method !== "string" || !isAllowed(upstream, method)) {
      const message = `the MCP server ${upstream.name} wants something from the client that nobody allowed it`;
      return { ok: false, error: { code: NO_METHOD, message } };
    }
    const { params } = request;
    named[key] =
      params !== undefined && isObject(params) ? { ...request, params: withName(upstream, method, params) } : request;
  }
  return { ok: true, result: { ...answer.result, inputRequests: named } };
}
