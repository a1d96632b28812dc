import type { AgentName, PersonName, WorkspaceId } from "./ids.ts";
import { canonical } from "./values/canonical.ts";
import { type Hash, sha256 } from "./values/hash.ts";
import type { Json, JsonObject } from "./values/json.ts";

/** A tool in the words of its server, as far as a person who is asked about it wants to know them. */
export type ToolDescription = {
  description?: string;
  /** What the server claims: `destructive` may tighten, `readOnly` pre-selects an answer and no more. */
  hints: { readOnly?: boolean; destructive?: boolean };
  /** The names of the arguments it takes. */
  arguments: readonly string[];
};

/** What an agent asks to do, and where the request came from. */
export type ToolCall = {
  workspace: WorkspaceId;
  agent: AgentName;
  tool: string;
  /** Hash of the tool's definition where the door knows one; a changed definition is another call. */
  definition?: Hash;
  /** What the tool's server says of it, where the door was told: shown to people, never evidence, outside the digest. */
  described?: ToolDescription;
  args: JsonObject;
  cwd?: string;
  callId: string;
  session?: string;
  run?: string;
  traceId: string;
  /** The agents above this one, root first; the strictest policy along the chain holds. */
  chain: readonly AgentName[];
  /** What the caller says of itself: may tighten, never loosen. */
  claims: JsonObject;
  /** The agent's own words for the reviewer; outside the digest, never evidence. */
  says?: string;
  requestedBy?: PersonName;
  /** What this call repeats, as the caller says: kept and shown, and without any weight. */
  replayOf?: string;
};

export type Digest = Hash;

/**
 * Over exactly what would be carried out: never the call's id, run, session, time or the agent's words. The canonical
 * text is laid out by hand, its keys in their order: who has the arguments' text already need not have it made again.
 */
export function digestOf(call: ToolCall, argsText: string = canonical(call.args)): Digest {
  // Whose agent it is counts: what was approved for one is nothing that another may use by borrowing the name.
  const chain = call.chain.length === 0 ? "" : `"chain":${canonical(call.chain)},`;
  return sha256(
    `{"agent":${canonical(call.agent)},"args":${argsText},${chain}"cwd":${canonical(call.cwd ?? null)},` +
      `"definition":${canonical(call.definition ?? null)},"tool":${canonical(call.tool)},` +
      `"workspace":${canonical(call.workspace)}}`,
  );
}

/** One call of one agent in one session or run, however often it is sent. */
export function callKeyOf(call: Pick<ToolCall, "agent" | "chain" | "session" | "run" | "callId">): string {
  const agent = call.chain.length === 0 ? call.agent : [...call.chain, call.agent];
  return canonical([agent, call.session ?? null, call.run ?? null, call.callId]);
}

/** The agent that stands at the root of a chain: it and who owns it answer for all that is done in its name. */
export function rootOf({ agent, chain }: Pick<ToolCall, "agent" | "chain">): AgentName {
  return chain[0] ?? agent;
}

/** What is larger is refused unread: nobody could look at it, and looking would hold up everybody else. */
export const ARGS_BYTES_MAX = 1024 * 1024;

/** Measured on the canonical arguments in UTF-8; a cheap bound first, because almost every call is small. */
export function tooLarge(call: ToolCall): boolean {
  if (sizeBound(call.args) <= ARGS_BYTES_MAX) return false;
  const text = canonical(call.args);
  return text.length > ARGS_BYTES_MAX || new TextEncoder().encode(text).length > ARGS_BYTES_MAX;
}

/** Never less than the canonical text: a letter takes six bytes at most, a number twenty-five. */
export function sizeBound(value: Json): number {
  if (typeof value === "string") return value.length * 6 + 3;
  if (value === null || typeof value !== "object") return 26;
  let bytes = 2;
  if (Array.isArray(value)) for (const item of value) bytes += sizeBound(item as Json) + 1;
  else
    for (const key of Object.keys(value)) bytes += key.length * 6 + 4 + sizeBound((value as JsonObject)[key] as Json);
  return bytes;
}
