import { AsyncLocalStorage } from "node:async_hooks";
import type { AgentName } from "../core/ids.ts";
import { say } from "../core/messages/message.ts";
import type { Policy } from "../core/policy.ts";
import { badInput } from "./refusal.ts";
import type { Identity } from "./shapes/call.ts";

const IDENTITY_KEYS = ["agent", "session", "run", "traceId", "requestedBy", "cwd"] as const;

/** What holds at one point of the program: the identity, the agents above it and the layers around it. */
export type ProgramScope = Identity & {
  /** The agents above this one, root first. */
  chain: readonly AgentName[];
  /** Scoped layers, outermost first. */
  layers: readonly Policy[];
};

export type Scopes = {
  current(): ProgramScope;
  within<T>(scope: ProgramScope, fn: () => T): T;
};

const OUTERMOST: ProgramScope = { chain: [], layers: [] };
/** More agents above one another than this is a loop, not a delegation. */
const CHAIN_MAX = 32;

/** Carried by the asynchronous context, so that it follows every await and never reaches a task beside it. */
export function scopes(): Scopes {
  const storage = new AsyncLocalStorage<ProgramScope>();
  return {
    current: () => storage.getStore() ?? OUTERMOST,
    within: (scope, fn) => storage.run(scope, fn),
  };
}

/**
 * The scope inside another. It only ever tightens: another agent inside is a sub-agent, so the outer one joins its
 * chain; layers stay; and whoever asked for the work stays the one who may not review it.
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

export function tightened(outer: ProgramScope, layer: Policy): ProgramScope {
  return { ...outer, layers: [...outer.layers, layer] };
}
