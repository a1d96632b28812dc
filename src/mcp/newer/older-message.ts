import { isObject, type JsonObject } from "../../core/values/json.ts";

const NEWER_KEY = "io.modelcontextprotocol/";

/** A message of the client without what only the newer protocol knows. */
export function asOlder(line: string): string {
  if (!line.includes(NEWER_KEY)) return line;
  const message = JSON.parse(line);
  return JSON.stringify({ ...message, params: olderParams(message.params) });
}

export function olderParams(params: JsonObject): JsonObject {
  const { _meta: meta, ...rest } = params;
  if (meta === undefined || !isObject(meta)) return params;
  const kept = Object.entries(meta).filter(([key]) => !key.startsWith(NEWER_KEY));
  return kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) };
}
