import type { ToolDescription } from "../call.ts";
import { canonical } from "../values/canonical.ts";
import { type Hash, sha256 } from "../values/hash.ts";
import { isObject, type Json, type JsonObject, toJson } from "../values/json.ts";

/** What a server says about one of its tools: everything that a model reads before it calls it. */
export type ToolDefinition = {
  /** The MCP server that offers it; left out for a tool of the program itself. */
  server?: { name: string; version?: string };
  name: string;
  title?: string;
  description?: string;
  inputSchema?: JsonObject;
  outputSchema?: JsonObject;
  /** Claims of the server about the tool, for example that it only reads: never evidence. */
  annotations?: JsonObject;
};

/**
 * The identity of a tool. Any change of its definition, even one letter of the description, makes it another tool:
 * grants for the old one no longer cover it, and calls approved for the old one do not run.
 *
 * @example
 * const definition = definitionHash({ server: { name: "github", version: "1.4.0" }, name: "create_issue" });
 * await gate.submit({ tool: "mcp__github__create_issue", args: { title: "a" }, definition });
 */
export function definitionHash(definition: ToolDefinition): Hash {
  const { server, name, title, description, inputSchema, outputSchema, annotations } = definition;
  const read = toJson({
    server: server?.name ?? null,
    version: server?.version ?? null,
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

const DESCRIPTION_LETTERS_MAX = 2_000;
const ARGUMENTS_MAX = 50;
const ARGUMENT_LETTERS_MAX = 64;

/** What a person who is asked about the tool needs from its definition, short enough for a card. */
export function descriptionOf({ description, inputSchema, annotations }: ToolDefinition): ToolDescription {
  const hint = (name: string): boolean | undefined => {
    const value = annotations?.[name];
    return typeof value === "boolean" ? value : undefined;
  };
  const [readOnly, destructive] = [hint("readOnlyHint"), hint("destructiveHint")];
  const properties: Json | undefined = inputSchema?.["properties"];
  const names = properties !== undefined && isObject(properties) ? Object.keys(properties) : [];
  return {
    ...(description === undefined ? {} : { description: description.slice(0, DESCRIPTION_LETTERS_MAX).toWellFormed() }),
    hints: {
      ...(readOnly === undefined ? {} : { readOnly }),
      ...(destructive === undefined ? {} : { destructive }),
    },
    arguments: names.filter((name) => name.length <= ARGUMENT_LETTERS_MAX).slice(0, ARGUMENTS_MAX),
  };
}
