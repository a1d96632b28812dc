import type { ToolDefinition } from "../../core/classify/definition.ts";
import { say } from "../../core/messages/message.ts";
import type { Hash } from "../../core/values/hash.ts";
import { badInput } from "../refusal.ts";
import {
  anyText,
  jsonObject,
  kindOf,
  maybe,
  note,
  object,
  type Shape,
  shapeOf,
  type TypeOf,
  text,
  textOf,
} from "../shape.ts";
import { hash } from "./covers.ts";

/** The identity of the caller, given by the program. What is left out is taken from the outer scope. */
export const IDENTITY = object({
  agent: maybe(text),
  session: maybe(text),
  run: maybe(text),
  traceId: maybe(text),
  /** The person for whom the agent acts, as far as the program has verified it. */
  requestedBy: maybe(text),
  /** The folder that the agent's relative paths start from. */
  cwd: maybe(text),
});
export type Identity = TypeOf<typeof IDENTITY>;

const DEFINED: Shape<ToolDefinition> = object({
  server: maybe(object({ name: text, version: maybe(text) })),
  name: text,
  title: maybe(anyText),
  description: maybe(anyText),
  inputSchema: maybe(jsonObject),
  outputSchema: maybe(jsonObject),
  annotations: maybe(jsonObject),
});

/** A definition as a server gives it, or the hash of one. */
export const definition: Shape<Hash | ToolDefinition> = shapeOf(
  { anyOf: [hash.schema, DEFINED.schema] },
  (value, path, source) => (typeof value === "string" ? hash : DEFINED).read(value, path, source),
);

const toolName: Shape<string> = shapeOf(text.schema, (value, path) => {
  if (value === undefined) throw badInput(path, say("refusal.tool_missing"), say("hint.exact_tool"));
  return textOf(value, path);
});

const runner: Shape<"leeway"> = shapeOf({ type: "string", enum: ["leeway"] }, (value, path) => {
  if (value === "leeway") return value;
  const who = typeof value === "string" ? value : kindOf(value);
  throw badInput(path, say("refusal.nobody_runs", { text: who }), say("hint.leave_out_or_leeway"));
});

/** A call as programs and agents write it. What is left out is taken from the current scope, or has a default. */
export const CALL = object({
  ...IDENTITY.keys,
  tool: toolName,
  /** Plain JSON; empty if left out. Values that JSON would drop or change are refused. */
  args: maybe(jsonObject),
  /** Identifies the call: sent again with the same id, it is the same call. If left out, it is a new call. */
  callId: maybe(text),
  /**
   * The tool's definition as its server gives it, or its hash, `sha256:…`. A changed definition is another tool. People
   * who are asked about an unknown tool see its definition.
   */
  definition: maybe(definition),
  /** What the caller says about the call. It can only make the decision stricter. */
  claims: maybe(jsonObject),
  /** The agent's explanation for the reviewer, at most 2,000 characters. Nothing is decided by it. */
  says: maybe(note),
  replayOf: maybe(text),
  /** The gate's own runner should run the call, if one is registered for the tool. */
  runBy: maybe(runner),
});

/** A call that was checked. */
export type ReadCall = TypeOf<typeof CALL>;

/** A call as a program writes it. Whether values are JSON and texts are hashes is checked when the call is sent. */
export type CallInput = Omit<ReadCall, "args" | "claims" | "definition"> & {
  /** Plain JSON; empty if left out. Values that JSON would drop or change are refused. */
  args?: unknown;
  /**
   * The tool's definition as its server gives it, or its hash, `sha256:…`. A changed definition is another tool. People
   * who are asked about an unknown tool see its definition.
   */
  definition?: string | ToolDefinition;
  /** What the caller says about the call. It can only make the decision stricter. */
  claims?: unknown;
};
