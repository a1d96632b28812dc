import type { ToolCall } from "../core/call.ts";
import { definitionHash, descriptionOf, type ToolDefinition } from "../core/classify/definition.ts";
import type { Mint, WorkspaceId } from "../core/ids.ts";
import type { Hash } from "../core/values/hash.ts";
import { isObject, type Json, type JsonObject, toJson } from "../core/values/json.ts";
import { hash } from "./covers.ts";
import { badInput } from "./refusal.ts";
import { type Identity, type ProgramScope, within } from "./scope.ts";
import {
  anyText,
  anything,
  type Check,
  inside,
  kindOf,
  maybe,
  NOTE_LENGTH_MAX,
  note,
  objectLike,
  oneOf,
  type Shape,
  shaped,
  text,
  textOf,
} from "./shape.ts";

/** A call as a program writes it. What is left out comes from the scope around it, else has a stated default. */
export type CallInput = Identity & {
  tool: string;
  /** Plain JSON; left out means none. What JSON would drop or change is refused, not dropped. */
  args?: unknown;
  /** One call of one agent in one session or run, however often it is sent. Left out: a new call. */
  callId?: string;
  /**
   * The tool's definition as its server gives it, or its hash, `sha256:…`. A changed definition is another tool. People
   * who are asked about a tool that nobody knows see what the definition says.
   */
  definition?: string | ToolDefinition;
  /** What the caller says of itself: may tighten, never loosen. */
  claims?: unknown;
  /** The agent's own words for the reviewer, at most 2,000 characters; never evidence. */
  says?: string;
  replayOf?: string;
  /** Ask for the gate's own runner, where one is registered for the tool. */
  runBy?: "leeway";
};

const IDENTITY_KEYS = ["agent", "session", "run", "traceId", "requestedBy", "cwd"] as const;
const TEXT_KEYS = [...IDENTITY_KEYS, "tool", "callId", "says", "replayOf"] as const;
const CALL_KEYS: readonly string[] = [...TEXT_KEYS, "definition", "args", "claims", "runBy"];

const SERVER: Shape<NonNullable<ToolDefinition["server"]>> = { name: text, version: maybe(text) };
const DEFINITION: Shape<ToolDefinition> = {
  server: maybe(objectLike(SERVER)),
  name: text,
  title: maybe(anyText),
  description: maybe(anyText),
  inputSchema: maybe(jsonObject),
  outputSchema: maybe(jsonObject),
  annotations: maybe(jsonObject),
};
const DEFINED = objectLike(DEFINITION);

/** A definition as a server gives it, or the hash of one. */
export const definition: Check = Object.assign(
  (value: unknown, path: string) => (typeof value === "string" ? hash : DEFINED)(value, path),
  { schema: { anyOf: [{ type: "string", pattern: "^sha256:[0-9a-f]{64}$" }, DEFINED.schema ?? {}] } },
);

function jsonObject(value: unknown, path: string): void {
  objectOf(value, path);
}

/** For doors that look at a whole body before anything else; `callOf` looks closer. */
export const CALL_SHAPE: Shape<CallInput> = {
  agent: maybe(text),
  session: maybe(text),
  run: maybe(text),
  traceId: maybe(text),
  requestedBy: maybe(text),
  cwd: maybe(text),
  tool: text,
  args: anything,
  callId: maybe(text),
  definition: maybe(definition),
  claims: anything,
  says: maybe(note),
  replayOf: maybe(text),
  runBy: maybe(oneOf(["leeway"])),
};

/** `path` is where the input is, nothing for a call by itself. */
export function callOf(
  input: CallInput,
  around: { scope: ProgramScope; agent: string; cwd?: string; workspace: WorkspaceId; mint: Mint },
  path = "",
): ToolCall {
  const texts = textsOf(input, CALL_KEYS, TEXT_KEYS, path);
  if (texts.tool === undefined) {
    throw badInput(inside(path, "tool"), "a call names its tool", "give the tool's exact name");
  }
  if (input.runBy !== undefined && input.runBy !== "leeway") {
    throw badInput(
      inside(path, "runBy"),
      `${typeof input.runBy === "string" ? input.runBy : kindOf(input.runBy)} is nobody who runs calls`,
      'leave it out, or say "leeway"',
    );
  }
  const { tool, callId, says, replayOf, ...identity } = texts;
  const scope = within(around.scope, identity);
  // Without a folder, whoever carries the call out elsewhere would start its relative paths from another one.
  const cwd = scope.cwd ?? around.cwd;
  return {
    workspace: around.workspace,
    agent: scope.agent ?? around.agent,
    tool,
    ...definedAs(input.definition, inside(path, "definition")),
    args: objectOf(input.args === undefined ? {} : input.args, inside(path, "args")),
    ...(cwd === undefined ? {} : { cwd }),
    callId: callId ?? around.mint.next("call"),
    ...(scope.session === undefined ? {} : { session: scope.session }),
    ...(scope.run === undefined ? {} : { run: scope.run }),
    traceId: scope.traceId ?? around.mint.next("trace"),
    chain: scope.chain,
    claims: objectOf(input.claims === undefined ? {} : input.claims, inside(path, "claims")),
    ...(says === undefined ? {} : { says }),
    ...(scope.requestedBy === undefined ? {} : { requestedBy: scope.requestedBy }),
    ...(replayOf === undefined ? {} : { replayOf }),
  };
}

function definedAs(given: CallInput["definition"], path: string): Pick<ToolCall, "definition" | "described"> {
  if (given === undefined) return {};
  definition(given, path);
  if (typeof given === "string") return { definition: given as Hash };
  return { definition: definitionHash(given), described: descriptionOf(given) };
}

/** An `undefined` never overwrites what the scope around says: it is left out here. */
export function identityOf(input: Identity): Identity {
  return textsOf(input, IDENTITY_KEYS, IDENTITY_KEYS);
}

function textsOf<K extends string>(
  input: unknown,
  known: readonly string[],
  keys: readonly K[],
  path = "",
): { [key in K]?: string } {
  const given = shaped(input, known, path);
  const texts: { [key in K]?: string } = {};
  for (const key of keys) {
    const value = given[key];
    const place = inside(path, key);
    // Words for the reviewer may be missing, and an agent without any sends none.
    if (value === undefined || (key === "says" && value === "")) continue;
    texts[key] = key === "says" ? textOf(value, place, NOTE_LENGTH_MAX) : textOf(value, place);
  }
  return texts;
}

/** Plain JSON, copied, or the JSON pointer to what is not. */
export function jsonOf(value: unknown, path: string): Json {
  const copied = toJson(value);
  if (copied.ok) return copied.value;
  throw badInput(copied.where === "/" ? path : `${path}${copied.where}`, copied.why, "pass plain JSON");
}

export function objectOf(value: unknown, path: string): JsonObject {
  const json = jsonOf(value, path);
  if (isObject(json)) return json;
  throw badInput(path, `${kindOf(json)} is not an object`, "name the arguments in an object");
}
