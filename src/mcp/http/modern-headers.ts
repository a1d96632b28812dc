import type { IncomingHttpHeaders } from "node:http";
import { isObject, type Json, type JsonObject } from "../../core/values/json.ts";

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

/** What is wrong with the headers of a call whose tool wants some of its arguments there too (`x-mcp-header`). */
export function argumentFault(headers: IncomingHttpHeaders, schema: JsonObject, args: JsonObject): string | undefined {
  const { properties } = schema;
  if (properties === undefined || !isObject(properties)) return undefined;
  for (const [name, value] of Object.entries(args)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined || value === undefined || value === null || !isObject(property)) continue;
    const header = property["x-mcp-header"];
    const found =
      typeof header === "string"
        ? fault(headers, `mcp-param-${header.toLowerCase()}`, value)
        : isObject(value)
          ? argumentFault(headers, property, value)
          : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function fault(headers: IncomingHttpHeaders, header: string, wanted: Json): string | undefined {
  const sent = headers[header];
  if (typeof sent !== "string") return `the header ${header} is missing`;
  const said = decoded(sent.trim());
  // 42.0 is the number 42.
  const isSame = said === String(wanted) || (DECIMAL.test(said) && Number(said) === wanted);
  return isSame ? undefined : `the header ${header} says something else than the message`;
}

const DECIMAL = /^-?\d+(\.\d+)?$/;
const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/** Texts that a header cannot contain are sent in this form. What only some programs could read is taken as it stands. */
function decoded(sent: string): string {
  const [, encoded] = ENCODED.exec(sent) ?? [];
  if (encoded === undefined) return sent;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  return Buffer.from(text, "utf8").toString("base64") === encoded ? text : sent;
}
