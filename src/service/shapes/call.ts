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

/** Who is asking, as a program says it. What is left out is inherited from the scope around. */
export const IDENTITY = object({
  agent: maybe(text),
  session: maybe(text),
  run: maybe(text),
  traceId: maybe(text),
  /** The person on whose behalf the agent acts, as far as the program has verified it. */
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

/** A call as programs and agents write it. What is left out comes from the scope around it, else has a stated default. */
export const CALL = object({
  ...IDENTITY.keys,
  tool: toolName,
  /** Plain JSON; left out means none. What JSON would drop or change is refused, not dropped. */
  args: maybe(jsonObject),
  /** One call of one agent in one session or run, however often it is sent. Left out: a new call. */
  callId: maybe(text),
  /**
   * The tool's definition as its server gives it, or its hash, `sha256:…`. A changed definition is another tool. People
   * who are asked about a tool that nobody knows see what the definition says.
   */
  definition: maybe(definition),
  /** What the caller says of itself: may tighten, never loosen. */
  claims: maybe(jsonObject),
  /** The agent's own words for the reviewer, at most 2,000 characters; never evidence. */
  says: maybe(note),
  replayOf: maybe(text),
  /** Ask for the gate's own runner, where one is registered for the tool. */
  runBy: maybe(runner),
});

/** A call that was looked at. */
export type ReadCall = TypeOf<typeof CALL>;

/** A call as a program writes it: whether the values are JSON, and whether a text is a hash, is looked at when it is sent. */
export type CallInput = Omit<ReadCall, "args" | "claims" | "definition"> & {
  /** Plain JSON; left out means none. What JSON would drop or change is refused, not dropped. */
  args?: unknown;
  /**
   * The tool's definition as its server gives it, or its hash, `sha256:…`. A changed definition is another tool. People
   * who are asked about a tool that nobody knows see what the definition says.
   */
  definition?: string | ToolDefinition;
  /** What the caller says of itself: may tighten, never loosen. */
  claims?: unknown;
};
