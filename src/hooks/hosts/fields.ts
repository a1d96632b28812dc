import { isObject, type Json, type JsonObject } from "../../core/values/json.ts";

// Fields of the JSON that hosts send. A field that has another type than expected is a fault, never a default.

export class InputFault extends Error {
  override readonly name = "InputFault";
}

export function textIn(input: JsonObject, name: string): string {
  const value = input[name];
  if (typeof value === "string" && value !== "") return value;
  throw new InputFault(`\`${name}\` is ${value === undefined ? "missing" : "not a text"}`);
}

export function maybeTextIn(input: JsonObject, name: string): string | undefined {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value === "" ? undefined : value;
  throw new InputFault(`\`${name}\` is not a text`);
}

export function objectIn(input: JsonObject, name: string): JsonObject {
  const value = input[name];
  if (isObject(value)) return value;
  throw new InputFault(`\`${name}\` is ${value === undefined ? "missing" : "not an object"}`);
}

export function jsonIn(input: JsonObject, name: string): Json {
  return input[name] ?? null;
}

/** The host's own name, or the sub-agent's with the host above it. */
export function agentOf(host: string, type: string | undefined): { agent: string; chain: readonly string[] } {
  return type === undefined ? { agent: host, chain: [] } : { agent: type, chain: [host] };
}

/** What `read` throws becomes a fault that says which field is wrong. */
export function faulty<T>(read: () => T): T | { fault: string } {
  try {
    return read();
  } catch (error) {
    if (error instanceof InputFault) return { fault: error.message };
    throw error;
  }
}

/** An event without a tool needs no answer. One with a tool that this version does not know must not let it run. */
export function withoutTool(input: JsonObject, event: string): { on: "other" } {
  if (input["tool_name"] === undefined) return { on: "other" };
  throw new InputFault(`the event \`${event}\` is unknown`);
}
