import type { Json, JsonObject } from "./json.ts";

export const MASK = "[masked]";

/** The arguments as the ledger and notices may keep them. */
export function redact(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, redactValue(key, value)]));
}

function redactValue(key: string, value: Json): Json {
  return /pass(word|phrase)|secret|token|api_?key/i.test(key) ? MASK : value;
}
