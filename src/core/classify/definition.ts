import { canonical } from "../values/canonical.ts";
import { type Hash, sha256 } from "../values/hash.ts";
import { type JsonObject, toJson } from "../values/json.ts";

/** What a server says of one of its tools: everything that a model reads before it calls it. */
export type ToolDefinition = {
  server: { name: string; version?: string };
  name: string;
  title?: string;
  description?: string;
  inputSchema?: JsonObject;
  outputSchema?: JsonObject;
  /** What the server claims of the tool, such as that it only reads: a claim, never evidence. */
  annotations?: JsonObject;
};

/**
 * The identity of a tool. Whatever of its definition changes, be it one letter of the description, makes another tool:
 * grants for the old one cover it no more, and calls approved for the old one do not run.
 *
 * @example
 * const definition = definitionHash({ server: { name: "github", version: "1.4.0" }, name: "create_issue" });
 * await gate.submit({ tool: "mcp__github__create_issue", args: { title: "a" }, definition });
 */
export function definitionHash(definition: ToolDefinition): Hash {
  const { server, name, title, description, inputSchema, outputSchema, annotations } = definition;
  const read = toJson({
    server: server.name,
    version: server.version ?? null,
    name,
    title: title ?? null,
    description: description ?? null,
    inputSchema: inputSchema ?? null,
    outputSchema: outputSchema ?? null,
    annotations: annotations ?? null,
  });
  if (!read.ok) throw new TypeError(`the definition of ${name} is not JSON: ${read.why}`);
  return sha256(canonical(read.value));
}
