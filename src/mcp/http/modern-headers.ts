import type { IncomingHttpHeaders } from "node:http";
import type { Json, JsonObject } from "../../core/values/json.ts";

// In the protocol without sessions, headers repeat parts of the message for programs that only read headers. A message
// whose headers say something else would be one thing for them and another for the gate.

const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

export const HEADER_MISMATCH = -32020;

/** What is wrong with the headers; undefined if they say the same as the message. */
export function headerFault(
  headers: IncomingHttpHeaders,
  { method, params, version }: { method: string; params: JsonObject; version: string },
): string | undefined {
  const field = NAMED_BY.get(method);
  const name = field === undefined ? undefined : params[field];
  return (
    fault(headers, "mcp-protocol-version", version) ??
    fault(headers, "mcp-method", method) ??
    (typeof name === "string" ? fault(headers, "mcp-name", name) : undefined)
  );
}

function fault(headers: IncomingHttpHeaders, header: string, wanted: Json): string | undefined {
  const sent = headers[header];
  if (typeof sent !== "string") return `the header ${header} is missing`;
  return decoded(sent.trim()) === wanted ? undefined : `the header ${header} says something else than the message`;
}

const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/** Names that a header cannot contain are sent in this form. */
function decoded(sent: string): string {
  const [, text] = ENCODED.exec(sent) ?? [];
  return text === undefined ? sent : Buffer.from(text, "base64").toString("utf8");
}
