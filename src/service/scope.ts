import { AsyncLocalStorage } from "node:async_hooks";
import { isGateOnly } from "../core/box.ts";
import type { ToolCall } from "../core/call.ts";
import { definitionHash, descriptionOf, type ToolDefinition } from "../core/classify/definition.ts";
import type { AgentName, Mint, WorkspaceId } from "../core/ids.ts";
import { say } from "../core/messages/message.ts";
import type { Policy } from "../core/policy.ts";
import type { Hash } from "../core/values/hash.ts";
import { badInput } from "./refusal.ts";
import type { Identity, ReadCall } from "./shapes/call.ts";

const IDENTITY_KEYS = ["agent", "session", "run", "traceId", "requestedBy", "cwd"] as const;

/** The scope at one point of the program: the identity, the agents above it, and the policy layers. */
export type ProgramScope = Identity & {
  /** The agents above this one, root first. */
  chain: readonly AgentName[];
  /** The layers of `withPolicy`, outermost first. */
  layers: readonly Policy[];
};

export type Scopes = {
  current(): ProgramScope;
  within<T>(scope: ProgramScope, fn: () => T): T;
};

const OUTERMOST: ProgramScope = { chain: [], layers: [] };
/** A longer chain of agents must be a loop. */
const CHAIN_MAX = 32;

/** Kept in AsyncLocalStorage, so that it follows every `await` and does not reach other tasks. */
export function scopes(): Scopes {
  const storage = new AsyncLocalStorage<ProgramScope>();
  return {
    current: () => storage.getStore() ?? OUTERMOST,
    within: (scope, fn) => storage.run(scope, fn),
  };
}

/**
 * A scope inside another one. It can only become stricter: another agent inside is a sub-agent, so the outer agent is added
 * to its chain; layers stay; and the requester stays the same, who may not review the calls.
 */
export function within(outer: ProgramScope, identity: Identity): ProgramScope {
  const { requestedBy: person } = outer;
  if (identity.requestedBy !== undefined && person !== undefined && person !== identity.requestedBy) {
    throw badInput("requestedBy", say("refusal.requested_already", { person }), say("hint.leave_out_in_scope"));
  }
  const delegated = outer.agent !== undefined && identity.agent !== undefined && identity.agent !== outer.agent;
  const chain = delegated && outer.agent !== undefined ? [...outer.chain, outer.agent] : outer.chain;
  if (chain.length > CHAIN_MAX) {
    throw badInput("agent", say("refusal.chain_too_long", { max: CHAIN_MAX }), say("hint.end_loop"));
  }
  const scope: ProgramScope = { chain, layers: outer.layers };
  for (const key of IDENTITY_KEYS) {
    const value = identity[key] ?? outer[key];
    if (value !== undefined) scope[key] = value;
  }
  return scope;
}

/** The id of a call with its agent, the agents above it, session and run, as a call made in this scope would have them. */
export function nameIn(
  outer: ProgramScope,
  named: { callId: string } & Pick<Identity, "agent" | "session" | "run">,
  agent: string,
): Pick<ToolCall, "agent" | "chain" | "session" | "run" | "callId"> {
  const scope = within(outer, named);
  return {
    agent: scope.agent ?? agent,
    chain: scope.chain,
    callId: named.callId,
    ...(scope.session === undefined ? {} : { session: scope.session }),
    ...(scope.run === undefined ? {} : { run: scope.run }),
  };
}

export function tightened(outer: ProgramScope, layer: Policy): ProgramScope {
  return { ...outer, layers: [...outer.layers, layer] };
}

type Around = { scope: ProgramScope; agent: string; cwd?: string; workspace: WorkspaceId; mint: Mint };

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Makes a call from checked input and its scope. Keys are added one by one, because this runs for every call. */
export function callOf(said: Omit<ReadCall, "runBy">, around: Around): ToolCall {
  // What these tools do is in files that the arguments only name, so nobody else may write the arguments.
  if (isGateOnly(said.tool))
    throw badInput("tool", say("refusal.gate_only", { tool: said.tool }), say("hint.use_another_tool"));
  const scope = within(around.scope, said);
  const call: Mutable<ToolCall> = {
    workspace: around.workspace,
    agent: scope.agent ?? around.agent,
    tool: said.tool,
    args: said.args ?? {},
    callId: said.callId ?? around.mint.next("call"),
    traceId: scope.traceId ?? around.mint.next("trace"),
    chain: scope.chain,
    claims: said.claims ?? {},
  };
  if (said.definition !== undefined) define(call, said.definition);
  // The folder is always set, so that relative paths mean the same wherever the call runs.
  const cwd = scope.cwd ?? around.cwd;
  if (cwd !== undefined) call.cwd = cwd;
  if (scope.session !== undefined) call.session = scope.session;
  if (scope.run !== undefined) call.run = scope.run;
  // An agent that has nothing to say to the reviewer may send an empty text.
  if (said.says !== undefined && said.says !== "") call.says = said.says;
  if (scope.requestedBy !== undefined) call.requestedBy = scope.requestedBy;
  if (said.replayOf !== undefined) call.replayOf = said.replayOf;
  return call;
}

function define(call: Mutable<ToolCall>, given: Hash | ToolDefinition): void {
  if (typeof given === "string") {
    call.definition = given;
    return;
  }
  call.definition = definitionHash(given);
  call.described = descriptionOf(given);
}
