import type { ToolCall } from "../core/call.ts";
import { definitionHash, descriptionOf, type ToolDefinition } from "../core/classify/definition.ts";
import type { Mint, WorkspaceId } from "../core/ids.ts";
import type { Hash } from "../core/values/hash.ts";
import { isObject, type Json, type JsonObject, toJson } from "../core/values/json.ts";
import { hash } from "./covers.ts";
import { badInput, type LeewayRefusal } from "./refusal.ts";
import { IDENTITY_KEYS, type Identity, type ProgramScope, within } from "./scope.ts";
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

/** For doors that look at a whole body before anything else, and then take it as a call by `callIn`. */
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

type Around = { scope: ProgramScope; agent: string; cwd?: string; workspace: WorkspaceId; mint: Mint };

/** `path` is where the input is, nothing for a call by itself. */
export function callOf(input: CallInput, around: Around, path = ""): ToolCall {
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
  const scope = within(around.scope, texts);
  const defined = definedAs(input.definition, inside(path, "definition"));
  const args = objectOf(input.args === undefined ? {} : input.args, inside(path, "args"));
  const claims = objectOf(input.claims === undefined ? {} : input.claims, inside(path, "claims"));
  return called({ ...texts, tool: texts.tool }, { args, claims, defined }, scope, around);
}

/** A call in a body that was parsed and looked at by `CALL_SHAPE` already: nothing in it is looked at twice, nor copied. */
export function callIn(input: CallInput, around: Around, path = ""): ToolCall {
  const scope = within(around.scope, input);
  const defined = definitionIn(input.definition);
  const args = objectIn(input.args as Json | undefined, inside(path, "args"));
  const claims = objectIn(input.claims as Json | undefined, inside(path, "claims"));
  return called(input, { args, claims, defined }, scope, around);
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Said = Pick<CallInput, "tool" | "callId" | "says" | "replayOf">;
type Given = { args: JsonObject; claims: JsonObject; defined: Defined | undefined };

/** Key by key, because this is made for every call: what is not there is left out. */
function called(said: Said, { args, claims, defined }: Given, scope: ProgramScope, around: Around): ToolCall {
  const call: Mutable<ToolCall> = {
    workspace: around.workspace,
    agent: scope.agent ?? around.agent,
    tool: said.tool,
    args,
    callId: said.callId ?? around.mint.next("call"),
    traceId: scope.traceId ?? around.mint.next("trace"),
    chain: scope.chain,
    claims,
  };
  if (defined?.definition !== undefined) call.definition = defined.definition;
  if (defined?.described !== undefined) call.described = defined.described;
  // Without a folder, whoever carries the call out elsewhere would start its relative paths from another one.
  const cwd = scope.cwd ?? around.cwd;
  if (cwd !== undefined) call.cwd = cwd;
  if (scope.session !== undefined) call.session = scope.session;
  if (scope.run !== undefined) call.run = scope.run;
  // Words for the reviewer may be missing, and an agent without any sends none.
  if (said.says !== undefined && said.says !== "") call.says = said.says;
  if (scope.requestedBy !== undefined) call.requestedBy = scope.requestedBy;
  if (said.replayOf !== undefined) call.replayOf = said.replayOf;
  return call;
}

type Defined = Pick<ToolCall, "definition" | "described">;

function objectIn(value: Json | undefined, path: string): JsonObject {
  if (value === undefined) return {};
  if (isObject(value)) return value;
  throw notAnObject(value, path);
}

function definedAs(given: CallInput["definition"], path: string): Defined | undefined {
  if (given !== undefined) definition(given, path);
  return definitionIn(given);
}

function definitionIn(given: CallInput["definition"]): Defined | undefined {
  if (given === undefined) return undefined;
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
  throw notAnObject(json, path);
}

function notAnObject(value: Json, path: string): LeewayRefusal {
  return badInput(path, `${kindOf(value)} is not an object`, "name the arguments in an object");
}
