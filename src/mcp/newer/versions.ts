import { isObject, type JsonObject } from "../../core/values/json.ts";

/** The protocol without `initialize` and without sessions. */
export const NEWER = "2026-07-28";
/** The protocol with both. */
export const OLDER: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26"];

export const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
export const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";
export const CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** What a request of the newer protocol says about its client. */
export function newerMeta({
  clientInfo,
  capabilities,
}: {
  clientInfo: JsonObject;
  capabilities: JsonObject;
}): JsonObject {
  return { _meta: { [VERSION_KEY]: NEWER, [CLIENT_INFO]: clientInfo, [CLIENT_CAPABILITIES]: capabilities } };
}

/** The version in a message of the protocol without sessions; undefined for the older one. */
export function claimedVersion(params: JsonObject): string | undefined {
  const meta = params["_meta"];
  const version = meta !== undefined && isObject(meta) ? meta[VERSION_KEY] : undefined;
  return typeof version === "string" ? version : undefined;
}
