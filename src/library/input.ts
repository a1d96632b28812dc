import type { ToolCall } from "../core/call.ts";
import type { Mint, WorkspaceId } from "../core/ids.ts";
import type { Hash } from "../core/values/hash.ts";
import { isObject, type Json, type JsonObject, toJson } from "../core/values/json.ts";
import { badInput } from "./refusal.ts";
import { type Identity, inside, type Scope } from "./scope.ts";
import { shaped } from "./shape.ts";

/** A call as a program writes it. What is left out comes from the scope around it, else has a stated default. */
export type CallInput = Identity & {
  tool: string;
  /** Plain JSON; left out means none. What JSON would drop or change is refused, not dropped. */
  args?: unknown;
  /** One call of one agent in one session or run, however often it is sent. Left out: a new call. */
  callId?: string;
  /** Hash of the tool's definition, `sha256:…`; a changed definition is another call. */
  definition?: string;
  /** What the caller says of itself: may tighten, never loosen. */
  claims?: unknown;
  /** The agent's own words for the reviewer, at most 2,000 characters; never evidence. */
  says?: string;
  replayOf?: string;
  /** Ask for the gate's own runner, where one is registered for the tool. */
  runBy?: "leeway";
};

export const NAME_LENGTH_MAX = 512;
export const SAYS_LENGTH_MAX = 2_000;

const IDENTITY_KEYS = ["agent", "session", "run", "traceId", "requestedBy", "cwd"] as const;
const TEXT_KEYS = [...IDENTITY_KEYS, "tool", "callId", "definition", "says", "replayOf"] as const;
const CALL_KEYS: readonly string[] = [...TEXT_KEYS, "args", "claims", "runBy"];

export function callOf(
  input: CallInput,
  around: { scope: Scope; agent: string; workspace: WorkspaceId; mint: Mint },
): ToolCall {
  const texts = textsOf(input, CALL_KEYS, TEXT_KEYS);
  if (texts.tool === undefined) throw badInput("tool", "a call names its tool", "give the tool's exact name");
  if (input.runBy !== undefined && input.runBy !== "leeway") {
    throw badInput("runBy", `${String(input.runBy)} is nobody who runs calls`, 'leave it out, or say "leeway"');
  }
  const { tool, callId, definition, says, replayOf, ...identity } = texts;
  const scope = inside(around.scope, identity);
  return {
    workspace: around.workspace,
    agent: scope.agent ?? around.agent,
    tool,
    ...(definition === undefined ? {} : { definition: hashOf(definition) }),
    args: objectOf(input.args ?? {}, "args"),
    ...(scope.cwd === undefined ? {} : { cwd: scope.cwd }),
    callId: callId ?? around.mint.next("call"),
    ...(scope.session === undefined ? {} : { session: scope.session }),
    ...(scope.run === undefined ? {} : { run: scope.run }),
    traceId: scope.traceId ?? around.mint.next("trace"),
    chain: scope.chain,
    claims: objectOf(input.claims ?? {}, "claims"),
    ...(says === undefined ? {} : { says }),
    ...(scope.requestedBy === undefined ? {} : { requestedBy: scope.requestedBy }),
    ...(replayOf === undefined ? {} : { replayOf }),
  };
}

/** An `undefined` never overwrites what the scope around says: it is left out here. */
export function identityOf(input: Identity): Identity {
  return textsOf(input, IDENTITY_KEYS, IDENTITY_KEYS);
}

function textsOf<K extends string>(
  input: unknown,
  known: readonly string[],
  keys: readonly K[],
): { [key in K]?: string } {
  const given = shaped(input, known);
  const texts: { [key in K]?: string } = {};
  for (const key of keys) {
    const value = given[key];
    if (value !== undefined) texts[key] = textOf(value, key);
  }
  return texts;
}

export function textOf(value: unknown, path: string): string {
  if (typeof value !== "string") throw badInput(path, `${kindOf(value)} is not text`, "give a text");
  const max = path === "says" ? SAYS_LENGTH_MAX : NAME_LENGTH_MAX;
  if (value === "" || value.length > max) {
    throw badInput(path, `it is ${value.length} characters long`, `give 1 to ${max} characters`);
  }
  if (!value.isWellFormed()) throw badInput(path, "the text holds half of a surrogate pair", "give whole characters");
  return value;
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

function hashOf(text: string): Hash {
  if (/^sha256:[0-9a-f]{64}$/.test(text)) return text as Hash;
  throw badInput("definition", "it is not a hash", "give sha256: and 64 hex digits");
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : typeof value;
}
