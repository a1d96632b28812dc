import type { AgentName, PersonName, WorkspaceId } from "./ids.ts";
import { canonical } from "./values/canonical.ts";
import { type Hash, sha256 } from "./values/hash.ts";
import type { Json, JsonObject } from "./values/json.ts";

/** What the tool's server says about the tool, as far as a reviewer wants to know it. */
export type ToolDescription = {
  description?: string;
  /** Claims of the server: `destructive` may make the decision stricter; `readOnly` only preselects an answer. */
  hints: { readOnly?: boolean; destructive?: boolean };
  /** The names of the arguments it takes. */
  arguments: readonly string[];
};

/** What an agent asks to do, and where the request came from. */
export type ToolCall = {
  workspace: WorkspaceId;
  agent: AgentName;
  tool: string;
  /** Hash of the tool's definition, if known; a changed definition is another call. */
  definition?: Hash;
  /**
   * What the tool's server says about it, if known. It is shown to people, but it is not evidence and not part of the
   * digest.
   */
  described?: ToolDescription;
  args: JsonObject;
  cwd?: string;
  callId: string;
  session?: string;
  run?: string;
  traceId: string;
  /** The agents above this one, root first. The strictest policy along the chain applies. */
  chain: readonly AgentName[];
  /** What the caller says about itself: can make a decision stricter, never looser. */
  claims: JsonObject;
  /** The agent's own words for the reviewer. They are not evidence and not part of the digest. */
  says?: string;
  requestedBy?: PersonName;
  /** The call that this one repeats, according to the caller: stored and shown, but without effect. */
  replayOf?: string;
};

export type Digest = Hash;

/**
 * The hash of exactly what would run; without the call's id, run, session, time and the agent's words. The canonical
 * text is built by hand with its keys in order, because the text of the arguments is already there.
 */
export function digestOf(call: ToolCall, argsText: string = canonical(call.args)): Digest {
  // The chain is part of the digest: what was approved for one agent must not be used by another agent with the same
  // name.
  const chain = call.chain.length === 0 ? "" : `"chain":${canonical(call.chain)},`;
  return sha256(
    `{"agent":${canonical(call.agent)},"args":${argsText},${chain}"cwd":${canonical(call.cwd ?? null)},` +
      `"definition":${canonical(call.definition ?? null)},"tool":${canonical(call.tool)},` +
      `"workspace":${canonical(call.workspace)}}`,
  );
}

/** The key of one call: agent, session or run, and call id. The same for every time it is sent. */
export function callKeyOf(call: Pick<ToolCall, "agent" | "chain" | "session" | "run" | "callId">): string {
  const agent = call.chain.length === 0 ? call.agent : [...call.chain, call.agent];
  return canonical([agent, call.session ?? null, call.run ?? null, call.callId]);
}

/** The agent at the root of a chain. It and its owner are responsible for everything done in its name. */
export function rootOf({ agent, chain }: Pick<ToolCall, "agent" | "chain">): AgentName {
  return chain[0] ?? agent;
}

/** Larger calls are refused without reading: no person could review them, and reading would block others. */
export const ARGS_BYTES_MAX = 1024 * 1024;

/** The size of the canonical arguments in UTF-8. A cheap estimate comes first, because almost every call is small. */
export function tooLarge(call: ToolCall): boolean {
  if (sizeBound(call.args) <= ARGS_BYTES_MAX) return false;
  const text = canonical(call.args);
  return text.length > ARGS_BYTES_MAX || new TextEncoder().encode(text).length > ARGS_BYTES_MAX;
}

/** An upper bound of the canonical text: a letter takes at most six bytes, a number at most twenty-five. */
export function sizeBound(value: Json): number {
  if (typeof value === "string") return value.length * 6 + 3;
  if (value === null || typeof value !== "object") return 26;
  let bytes = 2;
  if (Array.isArray(value)) for (const item of value) bytes += sizeBound(item as Json) + 1;
  else
    for (const key of Object.keys(value)) bytes += key.length * 6 + 4 + sizeBound((value as JsonObject)[key] as Json);
  return bytes;
}

/** The agents whose policy applies: the agent and all agents above it, each once. */
export function actorsOf(call: ToolCall): readonly string[] {
  return call.chain.length === 0 ? [call.agent] : [...new Set([call.agent, ...call.chain])];
}
